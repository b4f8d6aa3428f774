import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { watchOutput } from '../../conformance/crash/output.ts'
import { launch } from '../../conformance/engine/process/launch.ts'
import { takesConnections } from '../../conformance/engine/process/port.ts'
import { freePort } from '../shared/free-port.ts'
import type { Example } from './example.ts'

const START_TIMEOUT_MS = 120_000
const POLL_MS = 50

/** A receiver that accepts connections. */
interface Receiver {
  /** Kills it and the processes that it started. */
  readonly kill: () => Promise<void>
}

interface StartOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Where it will listen. */
  readonly url: URL
  readonly secret: string
}

/** Runs a shell command. @returns undefined if it succeeds, and otherwise the end of its output */
function failureOf(command: string, folder: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, { cwd: folder, shell: true, encoding: 'utf8' })
  return status === 0 ? undefined : lastLines(`${stdout}${stderr}`.split('\n')) || `exit code ${status}`
}

/**
 * Whether what a receiver needs is installed: the probe succeeds. Otherwise the receiver is skipped, which is a failure in CI.
 */
export function isInstalled(name: string, probe: string, folder: string): boolean {
  const failure = failureOf(probe, folder)
  if (failure === undefined) return true
  console.error(`${name}: SKIPPED, because "${probe}" failed: ${failure}`)
  if (process.env['CI'] !== undefined) process.exitCode = 1
  return false
}

/**
 * Starts a receiver in a shell and waits until it listens.
 * @throws Error with the end of its output if it ends before, or does not listen within two minutes
 */
async function start(command: string, { cwd, env, url, secret }: StartOptions): Promise<Receiver> {
  const output = watchOutput(secret)
  const launched = launch({ command, cwd, env, url, output })
  const killNow = () => launched.killNow()
  process.once('exit', killNow)
  const kill = async () => {
    process.off('exit', killNow)
    killNow()
    await launched.gone()
  }
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await takesConnections(url))) {
    if (launched.hasEnded() || performance.now() > deadline) {
      await kill()
      throw new Error(`"${command}" does not listen on PORT: ${lastLines(output.lastLines())}`)
    }
    await pause(POLL_MS)
  }
  launched.ready()
  return { kill }
}

const lastLines = (lines: readonly string[]): string => lines.slice(-5).join('\n').trim()

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
