import { isShortSecret } from '../../../conformance/contracts/secret.ts'
import type { Environment } from '../../../conformance/engine/process/launch.ts'
import { noticeText } from '../../../conformance/report/words/notices.ts'
import type { ExitCode } from '../../shared/exit.ts'
import { printNotice } from '../../shared/find.ts'
import { type Io, pathOf, storeOf } from '../../shared/io.ts'
import {
  optionalSecret,
  readSecret,
  SECRET_ENV,
  type SecretOptions,
  warnOfQuotes,
} from '../../shared/secret.ts'
import { defined } from '../../shared/text.ts'

/** The options of `hookproof receive`; the environment provides what is left out. */
export interface ReceiveCommandOptions extends SecretOptions {
  readonly port?: number
  readonly host?: string
  readonly inbox?: string
  readonly observe?: true
}

/** `hookproof receive`: runs the reference receiver until it is stopped. */
export async function receive(options: ReceiveCommandOptions, io: Io): Promise<ExitCode> {
  const { run } = await import('../../../server/server.ts')
  const { port, host, inbox, observe } = options
  const variables = {
    ...secretVariables(await receiverSecret(options, io)),
    PORT: port === undefined ? undefined : String(port),
    HOST: host,
    INBOX: inbox,
    OBSERVE: observe && '1',
  }
  const env: Environment = { ...io.env, ...defined(variables) }
  const { WEBHOOK_SECRET: secret } = env
  if (secret && isShortSecret(secret)) printNotice(io, noticeText({ code: 'secret_is_short' }))
  return run(withAbsolutePaths(env, io), {
    stderr: io.stderr,
    signals: io.signals,
    setBy: { host: '--host', port: '--port' },
    ...(io.stdout.isTTY && { onListening: (url: string) => void io.stdout.write(welcome(url)) }),
    // The process's own output is written synchronously by the logger itself.
    ...(io.stdout.fd === undefined && { logTo: io.stdout }),
  })
}

const welcome = (url: string): string =>
  `Receiving webhooks at ${url}/webhooks. Press Ctrl-C to stop. The log follows, a line of JSON each.\n`

/** Relative paths start at the command's working directory. */
function withAbsolutePaths(env: Environment, io: Io): Environment {
  const { INBOX: inbox, WEBHOOK_SECRET_FILE: secretFile } = env
  return {
    ...env,
    INBOX: storeOf(io, inbox || './inbox.sqlite'),
    ...(secretFile && { WEBHOOK_SECRET_FILE: pathOf(io, secretFile) }),
  }
}

/** The receiver has its own variables for the secret. Its file can be replaced while it runs, so it takes precedence. */
async function receiverSecret(options: SecretOptions, io: Io): Promise<string | undefined> {
  const { WEBHOOK_SECRET: secret, WEBHOOK_SECRET_FILE: file } = io.env
  if (file && options.secret === undefined && options.secretFile === undefined) return undefined
  if (options.envFile !== undefined) return readSecret(options, io)
  if (secret) warnOfQuotes(secret, 'WEBHOOK_SECRET', io)
  const own = { ...options, secretEnv: options.secretEnv ?? SECRET_ENV }
  return secret
    ? optionalSecret(own, io)
    : readSecret(own, io, 'WEBHOOK_SECRET, WEBHOOK_SECRET_FILE or HOOKPROOF_SECRET')
}

/** A secret of the command line replaces the file of the environment: the receiver accepts only one of them. */
function secretVariables(secret: string | undefined): Record<string, string> {
  return secret === undefined ? {} : { WEBHOOK_SECRET: secret, WEBHOOK_SECRET_FILE: '' }
}
