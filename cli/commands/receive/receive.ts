import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { givenSecret, readSecret, type SecretOptions } from '../../shared/options.ts'

/** The options of `hookproof receive`; what is left out comes from the environment. */
export interface ReceiveCommandOptions extends SecretOptions {
  readonly port?: string
  readonly host?: string
  readonly inbox?: string
  readonly observe?: true
}

/** `hookproof receive`: the reference receiver, until it is told to stop. */
export async function receive({
  port,
  host,
  inbox,
  observe,
  ...secrets
}: ReceiveCommandOptions): Promise<ExitCode> {
  const { run } = await import('../../../server/server.ts')
  const secret = await ownSecret(secrets)
  const given = { ...secretVariables(secret), PORT: port, HOST: host, INBOX: inbox, OBSERVE: observe && '1' }
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  await run({ ...process.env, ...Object.fromEntries(set) })
  return process.exitCode === undefined ? EXIT.ok : EXIT.unable
}

/** The receiver has variables of its own for it; of these a file can be replaced while it runs, so it goes first. */
async function ownSecret(options: SecretOptions): Promise<string | undefined> {
  const { WEBHOOK_SECRET: own, WEBHOOK_SECRET_FILE: file } = process.env
  if (file && options.secret === undefined && options.secretFile === undefined) return undefined
  return own ? givenSecret(options) : readSecret(options, 'WEBHOOK_SECRET or WEBHOOK_SECRET_FILE')
}

/** A secret of the command line stands in for the file of the environment, beside which there may be none. */
function secretVariables(secret: string | undefined): Record<string, string> {
  return secret === undefined ? {} : { WEBHOOK_SECRET: secret, WEBHOOK_SECRET_FILE: '' }
}
