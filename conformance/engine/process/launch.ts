import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { EngineError, type NotKilled } from '../errors.ts'
import { awakeNow } from '../time/awake.ts'
import { portOf, untilRefused } from './port.ts'
import { anyLives, groupsBelow, howEnded, treeOf, treeOptions } from './process-tree.ts'

/** How long a killed process may take to disappear, in milliseconds. */
const GONE_WITHIN_MS = 10_000
/** How long a receiver may take to stop when asked, in milliseconds. */
const STOP_WITHIN_MS = 10_000
/** How long the command that kills a receiver may take, in milliseconds. */
const KILL_COMMAND_WITHIN_MS = 10_000
const POLL_MS = 5

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** How a receiver is started and killed, the same for every start. */
export interface LaunchOptions {
  /** A shell command that starts the receiver. */
  readonly command: string
  /** The receiver listens here. */
  readonly url: URL
  readonly cwd: string
  readonly env: Environment
  /** A shell command that kills the receiver, for one that runs outside the process group of `command`. */
  readonly killCommand?: string | undefined
  /** How long `killCommand` may take, in milliseconds. Default 10,000. */
  readonly killCommandWithinMs?: number
  /** Reads both outputs of the process. */
  readonly output: { readonly follow: (streams: readonly (Readable | null)[]) => void }
}

/** A running receiver. */
export interface Launched {
  readonly pid: number | undefined
  readonly hasEnded: () => boolean
  /** How it ended: `exit status 1` or `SIGSEGV`. */
  readonly how: () => string
  /** Notes of which processes the receiver consists, once it is ready: a kill is then immediate. */
  readonly ready: () => void
  /** Sends SIGKILL to the process and all its descendants, before it returns. */
  readonly killNow: () => void
  /**
   * Waits after a kill until every process is gone and the port refuses connections.
   *
   * @throws EngineError `not_killed` when something still runs or listens
   */
  readonly gone: () => Promise<void>
  /** Asks it to stop, as an operator does. @returns false when it had to be killed */
  readonly stop: () => Promise<boolean>
}

/** Starts a receiver by a shell command, in a process group of its own. */
export function launch(options: LaunchOptions): Launched {
  const { command, url, cwd, env, killCommand, output } = options
  const child = spawn(command, {
    shell: true,
    cwd,
    ...treeOptions(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PORT: String(portOf(url)), ...env },
  })
  output.follow([child.stdout, child.stderr])
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  let groups: readonly number[] | undefined
  let killing: Promise<void> | undefined

  /** The process groups of the receiver: that of the command, and those that its descendants have made. */
  function groupsNow(): readonly number[] {
    const { pid } = child
    if (pid !== undefined && !hasEnded()) groups ??= [pid, ...groupsBelow(pid)]
    return groups ?? (pid === undefined ? [] : [pid])
  }

  function killNow(): void {
    if (killCommand !== undefined) killing ??= runToEnd(killCommand, options)
    // `gone` reports it, which may be asked later.
    killing?.catch(() => undefined)
    for (const pid of groupsNow()) treeOf({ pid }).kill()
  }

  async function gone(): Promise<void> {
    await killing
    const isGone = await within(GONE_WITHIN_MS, () => hasEnded() && !anyLives(groupsNow()))
    if (isGone && (await untilRefused(url, GONE_WITHIN_MS))) return
    throw notKilled(isGone ? { code: 'still_listening', host: url.host } : { code: 'still_running' })
  }

  return {
    pid: child.pid,
    hasEnded,
    ready: () => void groupsNow(),
    how: () => howEnded(child.exitCode, child.signalCode),
    killNow,
    gone,
    async stop() {
      for (const pid of groupsNow()) treeOf({ pid }).ask()
      const hasStopped = await within(
        STOP_WITHIN_MS,
        async () => hasEnded() && !anyLives(groupsNow()) && (await untilRefused(url, 0)),
      )
      if (!hasStopped) killNow()
      await gone()
      return hasStopped
    },
  }
}

async function runToEnd(
  command: string,
  { cwd, env, killCommandWithinMs = KILL_COMMAND_WITHIN_MS }: LaunchOptions,
): Promise<void> {
  const child = spawn(command, { shell: true, cwd, env, ...treeOptions(), stdio: 'ignore' })
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    treeOf(child).kill()
  }, killCommandWithinMs)
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null]
  clearTimeout(deadline)
  if (status === 0) return
  throw notKilled(
    isLate
      ? { code: 'kill_command_late', ms: killCommandWithinMs }
      : { code: 'kill_command_failed', status, signal },
  )
}

const notKilled = (why: NotKilled) => new EngineError({ code: 'not_killed', why })

async function within(ms: number, isDone: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = awakeNow() + ms
  while (!(await isDone())) {
    if (awakeNow() > deadline) return false
    await pause(POLL_MS)
  }
  return true
}
