const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

type LogLevel = (typeof LOG_LEVELS)[number]

/** How the receiver's server is set up. */
export interface Config {
  /** The signing secret, and while it is being replaced also the previous one. */
  readonly secrets: readonly string[]
  readonly toleranceSeconds: number
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** The path of the SQLite file, or `memory`. */
  readonly inbox: string
  readonly bodyLimitBytes: number
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
  return {
    secrets: readSecrets(env),
    toleranceSeconds: wholeNumber(env, 'TOLERANCE_SECONDS', { fallback: 300, least: 1, most: 86_400 }),
    host: env['HOST'] || '127.0.0.1',
    port: wholeNumber(env, 'PORT', { fallback: 3000, least: 0, most: 65_535 }),
    inbox: env['INBOX'] || './inbox.sqlite',
    bodyLimitBytes: wholeNumber(env, 'BODY_LIMIT_BYTES', {
      fallback: 1_048_576,
      least: 1,
      most: 104_857_600,
    }),
    observe: oneOf(env, 'OBSERVE', ['0', '1']) === '1',
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
  }
}

function readSecrets(env: Environment): string[] {
  const { WEBHOOK_SECRET: current, WEBHOOK_SECRET_PREVIOUS: previous } = env
  if (!current) {
    throw new ConfigError('WEBHOOK_SECRET is not set: give the signing secret of the webhook endpoint.')
  }
  if (current.trim() === '') {
    throw new ConfigError('WEBHOOK_SECRET is blank: give the signing secret of the webhook endpoint.')
  }
  if (!previous) return [current]
  if (previous.trim() === '') {
    throw new ConfigError(
      'WEBHOOK_SECRET_PREVIOUS is blank: give the secret being replaced, or leave it out.',
    )
  }
  return [current, previous]
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
