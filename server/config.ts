const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

type LogLevel = (typeof LOG_LEVELS)[number]

/** The most secrets that are tried for one delivery: each costs the hashing of its body. */
export const MOST_SECRETS = 16

/** How the receiver's server is set up. */
export interface Config {
  /** The signing secret, and while it is being replaced also the previous one; or the file that holds them. */
  readonly secrets: readonly string[] | { readonly file: string }
  readonly toleranceSeconds: number
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** The path of the SQLite file, the URL of a Postgres database (a password is in it: never to be logged), or `memory`. */
  readonly inbox: string
  /** How long what was handled is kept, and with it the knowledge that a redelivery is one. */
  readonly retentionDays: number
  /** After so many attempts an event waits for a person. */
  readonly maxAttempts: number
  readonly bodyLimitBytes: number
  /** How long a body may take to arrive, in seconds. */
  readonly bodyTimeoutSeconds: number
  /** How many deliveries may wait for the store at once. */
  readonly maxWaiting: number
  /** How many bytes of bodies may be held at once. */
  readonly maxHeldBytes: number
  /** How long the store may keep a delivery waiting before others are sent away, in seconds. */
  readonly maxStoreSeconds: number
  /** How long it goes on taking deliveries after it was told to stop, while /readyz says that it is draining. */
  readonly drainSeconds: number
  /** How long requests under way, and then the processing, may each take when stopping. */
  readonly stopSeconds: number
  /** Where GET /metrics is served, if at all. Port 0 takes any free one. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** Whether GET /observe is served. */
  readonly observe: boolean
  readonly logLevel: LogLevel
}

/** A variable that can not be used; the message names it and says how to mend that, and never shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration. An empty variable counts as one that is not set.
 * @throws ConfigError for the first variable that is missing or wrong.
 */
export function readConfig(env: Environment): Config {
  const bodyLimitBytes = wholeNumber(env, 'BODY_LIMIT_BYTES', {
    fallback: 1_048_576,
    least: 1,
    most: 104_857_600,
  })
  return {
    secrets: readSecrets(env),
    toleranceSeconds: wholeNumber(env, 'TOLERANCE_SECONDS', { fallback: 300, least: 1, most: 86_400 }),
    host: env['HOST'] || '127.0.0.1',
    port: wholeNumber(env, 'PORT', { fallback: 3000, least: 0, most: 65_535 }),
    inbox: env['INBOX'] || './inbox.sqlite',
    retentionDays: wholeNumber(env, 'RETENTION_DAYS', { fallback: 90, least: 1, most: 36_500 }),
    maxAttempts: wholeNumber(env, 'MAX_ATTEMPTS', { fallback: 36, least: 1, most: 1000 }),
    bodyLimitBytes,
    bodyTimeoutSeconds: wholeNumber(env, 'BODY_TIMEOUT_SECONDS', { fallback: 10, least: 1, most: 3600 }),
    maxWaiting: wholeNumber(env, 'MAX_WAITING', { fallback: 1000, least: 1, most: 1_000_000 }),
    // Less than one body would refuse the largest that is allowed, for ever.
    maxHeldBytes: wholeNumber(env, 'MAX_HELD_BYTES', {
      fallback: Math.max(67_108_864, bodyLimitBytes),
      least: bodyLimitBytes,
      most: 999_999_999,
    }),
    maxStoreSeconds: wholeNumber(env, 'MAX_STORE_SECONDS', { fallback: 2, least: 1, most: 3600 }),
    drainSeconds: wholeNumber(env, 'DRAIN_SECONDS', { fallback: 0, least: 0, most: 3600 }),
    stopSeconds: wholeNumber(env, 'STOP_SECONDS', { fallback: 10, least: 1, most: 3600 }),
    metrics: readMetrics(env),
    observe: oneOf(env, 'OBSERVE', ['0', '1']) === '1',
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
  }
}

function readMetrics(env: Environment): Config['metrics'] {
  const host = env['METRICS_HOST'] || '127.0.0.1'
  const port = wholeNumber(env, 'METRICS_PORT', { fallback: -1, least: 0, most: 65_535 })
  return port < 0 ? undefined : { host, port }
}

function readSecrets(env: Environment): Config['secrets'] {
  const { WEBHOOK_SECRET: current, WEBHOOK_SECRET_PREVIOUS: previous, WEBHOOK_SECRET_FILE: file } = env
  if (file) {
    if (!current && !previous) return { file }
    throw new ConfigError(
      'WEBHOOK_SECRET_FILE is set beside WEBHOOK_SECRET or WEBHOOK_SECRET_PREVIOUS: put each secret into the file, or leave the file out.',
    )
  }
  if (!current) {
    throw new ConfigError(
      'WEBHOOK_SECRET is not set: give the signing secret of the webhook endpoint, or WEBHOOK_SECRET_FILE.',
    )
  }
  if (current.trim() === '') {
    throw new ConfigError('WEBHOOK_SECRET is blank: give the signing secret of the webhook endpoint.')
  }
  if (!previous) return [current.trim()]
  if (previous.trim() === '') {
    throw new ConfigError(
      'WEBHOOK_SECRET_PREVIOUS is blank: give the secret being replaced, or leave it out.',
    )
  }
  // White space at the edges comes from a file or a form, and is no part of a secret.
  return [current.trim(), previous.trim()]
}

interface Range {
  fallback: number
  least: number
  most: number
}

function wholeNumber(env: Environment, name: string, { fallback, least, most }: Range): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: give a whole number from ${least} to ${most}.`)
}

function oneOf<T extends string>(env: Environment, name: string, choices: readonly T[]): T | undefined {
  const text = env[name]
  if (!text) return undefined
  const choice = choices.find((candidate) => candidate === text)
  if (choice !== undefined) return choice
  throw new ConfigError(`${name} is ${JSON.stringify(text)}: give one of ${choices.join(', ')}.`)
}
