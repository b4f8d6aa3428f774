import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '../shared/free-port.ts'
import type { Example } from './example.ts'
import { failureOf, start } from './process.ts'

/** How an example is started and reached. */
export interface Setting {
  readonly url: string
  readonly observe: string
  readonly secret: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * Installs the packages of an example, and builds it.
 * @throws Error with the end of the output if that fails
 */
export function install(example: Example): void {
  run(example.install, example.folder)
}

/**
 * Runs a shell command.
 * @throws Error with the end of the output if it fails
 */
export function run(command: string, folder: string): void {
  const failure = failureOf(command, folder)
  if (failure !== undefined) throw new Error(`"${command}" failed: ${failure}`)
}

/**
 * A free port, a random secret, and a database in a folder.
 * @param variable holds the secret: the examples are graded with the first, and their mistakes with the second
 */
export async function settingIn(
  folder: string,
  variable: 'HOOKPROOF_SECRET' | 'WEBHOOK_SECRET' = 'WEBHOOK_SECRET',
): Promise<Setting> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const secret = `whsec_${randomBytes(16).toString('hex')}`
  const env = {
    ...process.env,
    PORT: String(port),
    HOOKPROOF_SECRET: undefined,
    WEBHOOK_SECRET: undefined,
    [variable]: secret,
    OBSERVE: '1',
    DATABASE: join(folder, 'webhooks.sqlite'),
  }
  return { url: `${origin}/webhooks`, observe: `${origin}/observe`, secret, env }
}

/**
 * Starts an example, does some work while it runs, and kills it.
 * @throws Error if it does not start
 */
export async function whileRunning<T>(
  example: Pick<Example, 'start' | 'folder'>,
  setting: Setting,
  work: (setting: Setting) => Promise<T>,
): Promise<T> {
  const { url, secret, env } = setting
  const receiver = await start(example.start, { cwd: example.folder, env, url: new URL(url), secret })
  try {
    return await work(setting)
  } finally {
    await receiver.kill()
  }
}
