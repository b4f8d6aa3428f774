const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

type LogLevel = (typeof LOG_LEVELS)[number]

/** The maximum number of secrets, because every delivery is hashed with each of them. */
export const MAX_SECRETS = 16

/** The configuration of the receiver. */
export interface Config {
  /** The signing secret, with the previous one during a rotation; or the file that contains them. */
  readonly secrets: readonly string[] | { readonly file: string }
  readonly toleranceSeconds: number
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** The path of a SQLite file, the URL of a Postgres database (never log it: it contains a password), or `memory`. */
  readonly inbox: string
  /** How long handled events are kept and their redeliveries recognized as duplicates. */
  readonly retentionDays: number
  /** After this many attempts an event is dead until someone retries it. */
  readonly maxAttempts: number
  readonly bodyLimitBytes: number
  /** How long a body may take to arrive, in seconds. */
  readonly bodyTimeoutSeconds: number
  /** How many deliveries may wait for the store at the same time. */
  readonly maxWaiting: number
  /** How many bytes of request bodies may be in memory at the same time. */
  readonly maxHeldBytes: number
  /** The maximum number of open connections; the limit of open files may lower it. */
  readonly maxConnections: number
  /** How long a delivery may wait for the store before others are refused, in seconds. */
  readonly maxStoreSeconds: number
  /** How long the receiver keeps accepting deliveries after a stop signal, while /readyz reports `draining`. */
  readonly drainSeconds: number
  /** How long open requests, and then the processing, may each take to finish when stopping. */
  readonly stopSeconds: number
  /** The address of GET /metrics, if it is served. Port 0 selects a free port. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** Whether GET /observe is served. */
  readonly observe: boolean
  readonly logLevel: LogLevel
}

/** An invalid environment variable; the message names it and the fix, and never shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from the environment. An empty variable counts as not set.
 * @throws ConfigError for the first variable that is missing or invalid.
 */
export function readConfig(env: Environment): Config {
  const bodyLimitBytes = integer(env, 'BODY_LIMIT_BYTES', {
    fallback: 1_048_576,
    min: 1,
    max: 104_857_600,
  })
  return {
    secrets: readSecrets(env),
    toleranceSeconds: integer(env, 'TOLERANCE_SECONDS', { fallback: 300, min: 1, max: 86_400 }),
    host: env['HOST'] || '127.0.0.1',
    port: integer(env, 'PORT', { fallback: 3000, min: 0, max: 65_535 }),
    inbox: env['INBOX'] || './inbox.sqlite',
    retentionDays: integer(env, 'RETENTION_DAYS', { fallback: 90, min: 1, max: 36_500 }),
    maxAttempts: integer(env, 'MAX_ATTEMPTS', { fallback: 36, min: 1, max: 1000 }),
    bodyLimitBytes,
    bodyTimeoutSeconds: integer(env, 'BODY_TIMEOUT_SECONDS', { fallback: 10, min: 1, max: 3600 }),
    maxWaiting: integer(env, 'MAX_WAITING', { fallback: 1000, min: 1, max: 1_000_000 }),
    // With less, the largest allowed body would never be accepted.
    maxHeldBytes: integer(env, 'MAX_HELD_BYTES', {
      fallback: Math.max(67_108_864, bodyLimitBytes),
      min: bodyLimitBytes,
      max: 999_999_999,
    }),
    maxConnections: integer(env, 'MAX_CONNECTIONS', { fallback: 10_000, min: 1, max: 1_000_000 }),
    maxStoreSeconds: integer(env, 'MAX_STORE_SECONDS', { fallback: 2, min: 1, max: 3600 }),
    drainSeconds: integer(env, 'DRAIN_SECONDS', { fallback: 0, min: 0, max: 3600 }),
    stopSeconds: integer(env, 'STOP_SECONDS', { fallback: 10, min: 1, max: 3600 }),
    metrics: readMetrics(env),
    observe: oneOf(env, 'OBSERVE', ['0', '1']) === '1',
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
  }
}

function readMetrics(env: Environment): Config['metrics'] {
  const host = env['METRICS_HOST'] || '127.0.0.1'
  const port = integer(env, 'METRICS_PORT', { fallback: -1, min: 0, max: 65_535 })
  return port < 0 ? undefined : { host, port }
}

function readSecrets(env: Environment): Config['secrets'] {
  const { WEBHOOK_SECRET: current, WEBHOOK_SECRET_PREVIOUS: previous, WEBHOOK_SECRET_FILE: file } = env
  if (file) {
    if (!current && !previous) return { file }
    throw new ConfigError(
      'WEBHOOK_SECRET_FILE cannot be combined with WEBHOOK_SECRET or WEBHOOK_SECRET_PREVIOUS. Put all secrets in the file, or unset WEBHOOK_SECRET_FILE.',
    )
  }
  if (!current) {
    throw new ConfigError(
      'WEBHOOK_SECRET is not set. Set it to the signing secret of the webhook endpoint, or set WEBHOOK_SECRET_FILE.',
    )
  }
  if (current.trim() === '') {
    throw new ConfigError('WEBHOOK_SECRET is blank. Set it to the signing secret of the webhook endpoint.')
  }
  if (!previous) return [current.trim()]
  if (previous.trim() === '') {
    throw new ConfigError(
      'WEBHOOK_SECRET_PREVIOUS is blank. Set it to the secret that is being replaced, or unset it.',
    )
  }
  // Leading and trailing whitespace comes from a file or a form and is not part of a secret.
  return [current.trim(), previous.trim()]
}

interface Range {
  fallback: number
  min: number
  max: number
}

function integer(env: Environment, name: string, { fallback, min, max }: Range): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ConfigError(`${name} must be an integer from ${min} to ${max}, but is ${JSON.stringify(text)}.`)
}

function oneOf<T extends string>(env: Environment, name: string, choices: readonly T[]): T | undefined {
  const text = env[name]
  if (!text) return undefined
  const choice = choices.find((candidate) => candidate === text)
  if (choice !== undefined) return choice
  throw new ConfigError(`${name} must be one of ${choices.join(', ')}, but is ${JSON.stringify(text)}.`)
}
