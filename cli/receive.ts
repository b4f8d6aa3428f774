import { EXIT, type ExitCode } from './exit.ts'
import { givenSecret, readSecret, type SecretOptions } from './options.ts'

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
  const { run } = await import('../receiver/server.ts')
  // The receiver has a variable of its own for it.
  const secret = await (process.env['WEBHOOK_SECRET'] ? givenSecret : readSecret)(secrets)
  const given = { WEBHOOK_SECRET: secret, PORT: port, HOST: host, INBOX: inbox, OBSERVE: observe && '1' }
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  await run({ ...process.env, ...Object.fromEntries(set) })
  return process.exitCode === undefined ? EXIT.ok : EXIT.unable
}
