import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { secretHider, secretVariables } from '../../../conformance/contracts/secret.ts'
import type { Environment } from '../../../conformance/engine/process/launch.ts'
import { portOf, takesConnections } from '../../../conformance/engine/process/port.ts'
import { howEnded, treeOf, treeOptions } from '../../../conformance/engine/process/process-tree.ts'
import { printable } from '../../../conformance/report/text.ts'
import { UsageError } from '../../shared/exit.ts'
import type { Output } from '../../shared/io.ts'
import {
  collectErrors,
  collectLines,
  type Ended,
  end,
  hasEnded,
  START_WITHIN_MS,
  type StartedReceiver,
  type Stop,
} from '../../shared/process/child.ts'
import { oneLine } from '../../shared/text.ts'

/** When to print what the command is still waiting for, in milliseconds. */
const NOTICE_AFTER_MS = 3_000
/** How much of the output of a receiver that ended is shown. */
const TAIL_LINES = 20
const TAIL_CHARACTERS = 8_000
const LINE_CHARACTERS = 300

interface StartOptions {
  /** The receiver listens here. */
  readonly url: URL
  readonly secret: string
  /** The working directory of the command. */
  readonly cwd: string
  readonly env: Environment
  /** For the notice that nothing listens yet. */
  readonly stderr: Output
  /** Called before the receiver listens, with how to stop it. */
  readonly onSpawn: (stop: Stop) => void
  /** How long it may take to listen, in milliseconds. */
  readonly withinMs?: number
  readonly noticeAfterMs?: number
}

/**
 * Starts a receiver by a shell command and waits until the port of `url` accepts connections.
 * @throws UsageError when something listens there already, or nothing does in time
 */
export async function startCommand(command: string, options: StartOptions): Promise<StartedReceiver> {
  const { url, secret, cwd, env, stderr, onSpawn } = options
  const { withinMs = START_WITHIN_MS, noticeAfterMs = NOTICE_AFTER_MS } = options
  if (await takesConnections(url)) {
    throw new UsageError(`something already listens at ${url.host}: stop it, or omit --start`)
  }
  // In its own process group, so that whatever the shell starts is stopped with it.
  const child = spawn(command, {
    shell: true,
    cwd,
    ...treeOptions(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PORT: String(portOf(url)), ...env, ...secretVariables(secret, env) },
  })
  const lastOutput = lastOutputOf(collectErrors(child), collectLines(child.stdout), secret)
  const lastLines = collectTail(child, secret)
  const tree = treeOf(child)
  let isStopping = false
  const stop = (): Promise<void> => {
    isStopping = true
    return end(child, tree.ask, tree.kill)
  }
  onSpawn(stop)
  const notice = setTimeout(() => {
    const line = lastOutput(true)
    stderr.write(`hookproof: still waiting for ${url.host}${line === '' ? '' : `; last output: ${line}`}\n`)
  }, noticeAfterMs)
  try {
    const deadline = performance.now() + withinMs
    while (performance.now() < deadline && !hasEnded(child)) {
      if (await takesConnections(url)) {
        const ended = endOf(child, async () => isStopping || (await takesConnections(url)), lastLines)
        return { url: url.href, secret, stop, ended }
      }
      await pause(25)
    }
  } finally {
    clearTimeout(notice)
  }
  const isRunning = !hasEnded(child)
  await stop()
  const line = lastOutput(isRunning)
  const hint = line === '' ? 'run the command on its own to see more' : `last output: ${line}`
  throw new UsageError(
    isRunning
      ? `the --start command is running, but nothing listens at ${url.host} after ${withinMs / 1000} s: does it use another port? ${hint}`
      : `the --start command did not start the receiver: it exited with status ${child.exitCode ?? child.signalCode}; ${hint}`,
  )
}

/** Resolves when the command has exited. @param isExpected whether it was stopped, or has left the receiver running */
async function endOf(
  child: ChildProcess,
  isExpected: () => Promise<boolean>,
  lastLines: () => string[],
): Promise<Ended> {
  if (!hasEnded(child)) await once(child, 'exit')
  if (await isExpected()) return new Promise<never>(() => undefined)
  // Output may arrive after the exit.
  await pause(50)
  const { exitCode, signalCode } = child
  return { how: howEnded(exitCode, signalCode), output: lastLines() }
}

/** Collects the last lines of both outputs, in the order of arrival. */
function collectTail({ stdout, stderr }: ChildProcess, secret: string): () => string[] {
  const hide = secretHider(secret)
  let text = ''
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (piece: string) => {
      text = (text + piece).slice(-TAIL_CHARACTERS)
    })
  }
  return () =>
    printable(hide(stripVTControlCharacters(text)))
      .split('\n')
      .flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd().slice(0, LINE_CHARACTERS)]))
      .slice(-TAIL_LINES)
}

/**
 * Picks the most telling line of a command's output.
 *
 * @returns a function of whether the command is running: then a line about where it listens comes first
 */
function lastOutputOf(
  lastError: () => string,
  output: () => string[],
  secret: string,
): (isRunning: boolean) => string {
  const hide = secretHider(secret)
  return (isRunning) => {
    const lines = output()
    const address = isRunning
      ? lines.findLast((line) => /\blisten|\bport\b|https?:\/\/|localhost:\d/i.test(line))
      : undefined
    const line = address ?? (lastError() || lines.at(-1))
    return printable(oneLine(hide(stripVTControlCharacters(line ?? ''))))
  }
}
