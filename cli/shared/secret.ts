import { parseEnv } from 'node:util'
import { UsageError } from './exit.ts'
import { printNotice } from './find.ts'
import { type Io, pathOf } from './io.ts'
import { readText } from './read-file.ts'
import { defined, reasonOf } from './text.ts'

/** The environment variable that holds the signing secret, unless another one is named. */
export const SECRET_ENV = 'HOOKPROOF_SECRET'

/** Read if {@link SECRET_ENV} is not set: the variable of many receivers. */
export const FALLBACK_ENV = 'WEBHOOK_SECRET'

/** Both, as messages and help name them. */
export const SECRET_VARIABLES = `${SECRET_ENV} or ${FALLBACK_ENV}`

/** Far more than a secret needs. */
const MAX_BYTES = 65_536

/** The sources of a signing secret, in order of precedence. */
export interface SecretOptions {
  readonly secret?: string
  readonly secretFile?: string
  /** A file of environment variables, such as `.env`; those that are set already take precedence. */
  readonly envFile?: string
  /** Name of the environment variable to read it from. Default HOOKPROOF_SECRET. */
  readonly secretEnv?: string
}

/**
 * Reads the signing secret.
 * @param variable the variable to name in the message when there is none
 * @throws UsageError when there is none, or when its file cannot be read
 */
export async function readSecret(options: SecretOptions, io: Io, variable?: string): Promise<string> {
  return (await readSecretAndEnd(options, io, variable)).secret
}

/** Reads the signing secret as {@link readSecret} does, and says in which file a line break follows it, which it leaves out. */
export async function readSecretAndEnd(
  options: SecretOptions,
  io: Io,
  variable = options.secretEnv ?? SECRET_VARIABLES,
): Promise<{ readonly secret: string; readonly lineBreakIn: string | undefined }> {
  const { secret, lineBreakIn } = await givenSecret(options, io)
  if (secret !== undefined) return { secret, lineBreakIn }
  throw new UsageError(`no signing secret: set ${variable}, or pass --env-file, --secret-file or --secret`)
}

/** The signing secret, or undefined when there is none. @throws UsageError when it is blank or cannot be read */
export async function optionalSecret(options: SecretOptions, io: Io): Promise<string | undefined> {
  return (await givenSecret(options, io)).secret
}

async function givenSecret(
  { secret, secretFile, secretEnv, envFile }: SecretOptions,
  io: Io,
): Promise<{ secret: string | undefined; lineBreakIn: string | undefined }> {
  if (secret !== undefined && secretFile !== undefined) {
    throw new UsageError('--secret and --secret-file cannot be combined: leave one out')
  }
  const [given, source] = await firstSource(await withEnvFile(io, envFile), secret, secretFile, secretEnv)
  // Editors end a file with line breaks, which do not belong to the secret.
  const value = source === secretFile ? given?.replace(/[\r\n]+$/, '') : given
  if (value !== undefined && value.trim() === '') {
    throw new UsageError(
      `the signing secret in ${source} is blank: set it to the secret that the receiver uses`,
    )
  }
  // For example a file with two secrets, which would become one that nobody signs with.
  if (value !== undefined && /\p{Cc}/u.test(value)) {
    throw new UsageError(
      `the signing secret in ${source} contains a line break or another control character: pass exactly one secret`,
    )
  }
  if (value !== undefined) warnOfQuotes(value, source, io)
  return { secret: value, lineBreakIn: value === given ? undefined : source }
}

/** The io with the variables of a file beside those that are set. @throws UsageError when it cannot be read */
async function withEnvFile(io: Io, file: string | undefined): Promise<Pick<Io, 'env' | 'cwd'>> {
  if (file === undefined) return io
  try {
    const env = { ...parseEnv(await readText(pathOf(io, file), { maxBytes: MAX_BYTES })), ...defined(io.env) }
    return { cwd: io.cwd, env }
  } catch (error) {
    throw new UsageError(
      `cannot read the variables in ${file}: ${reasonOf(error)}; pass another path as --env-file`,
    )
  }
}

/** Warns of quotation marks around a secret: some tools keep those of an env file. */
export function warnOfQuotes(secret: string, source: string, io: Io): void {
  if (!/^(["'`]).*\1$/s.test(secret)) return
  printNotice(
    io,
    `the signing secret in ${source} is within quotation marks, and is used with them: remove them if they are not part of it`,
  )
}

async function firstSource(
  io: Pick<Io, 'env' | 'cwd'>,
  secret?: string,
  file?: string,
  named?: string,
): Promise<[string | undefined, string]> {
  if (secret !== undefined) return [secret, '--secret']
  const usesFallback = named === undefined && io.env[SECRET_ENV] === undefined
  const variable = named ?? (usesFallback && io.env[FALLBACK_ENV] ? FALLBACK_ENV : SECRET_ENV)
  if (file === undefined) return [io.env[variable], variable]
  try {
    return [await readText(pathOf(io, file), { maxBytes: MAX_BYTES }), file]
  } catch (error) {
    throw new UsageError(
      `cannot read the signing secret from ${file}: ${reasonOf(error)}; pass another path as --secret-file`,
    )
  }
}
