import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { watchOutput } from '../../conformance/crash/output.ts'
import { launch } from '../../conformance/engine/process/launch.ts'
import { takesConnections } from '../../conformance/engine/process/port.ts'

const START_TIMEOUT_MS = 120_000
const POLL_MS = 50

/** A receiver that accepts connections. */
export interface Receiver {
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
export function failureOf(command: string, folder: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, { cwd: folder, shell: true, encoding: 'utf8' })
  return status === 0 ? undefined : lastLines(`${stdout}${stderr}`.split('\n')) || `exit code ${status}`
}

/**
 * Starts a receiver in a shell and waits until it listens.
 * @throws Error with the end of its output if it ends before, or does not listen within two minutes
 */
export async function start(command: string, { cwd, env, url, secret }: StartOptions): Promise<Receiver> {
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
