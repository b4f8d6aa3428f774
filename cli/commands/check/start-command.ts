import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { secretHider } from '../../../conformance/report/redact.ts'
import {
  collectErrors,
  collectLines,
  end,
  hasEnded,
  START_WITHIN_MS,
  type StartedReceiver,
  type Stop,
} from '../../shared/child.ts'
import { UsageError } from '../../shared/exit.ts'
import type { Environment, Output } from '../../shared/io.ts'
import { SECRET_ENV } from '../../shared/secret.ts'
import { oneLine } from '../../shared/text.ts'

/** When to print what the command is still waiting for, in milliseconds. */
const NOTICE_AFTER_MS = 3_000

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
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...secretVariables(secret, env) },
  })
  const lastOutput = lastOutputOf(collectErrors(child), collectLines(child.stdout), secret)
  const signal = (name: NodeJS.Signals) => () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // The process group has ended already.
    }
  }
  const stop = () => end(child, signal('SIGTERM'), signal('SIGKILL'))
  onSpawn(stop)
  const notice = setTimeout(() => {
    const line = lastOutput(true)
    stderr.write(`hookproof: still waiting for ${url.host}${line === '' ? '' : `; last output: ${line}`}\n`)
  }, noticeAfterMs)
  try {
    const deadline = performance.now() + withinMs
    while (performance.now() < deadline && !hasEnded(child)) {
      if (await takesConnections(url)) return { url: url.href, secret, stop }
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

/** The secret for receivers of this suite and, unless the environment has another, for the bundled receiver. */
function secretVariables(secret: string, env: Environment): Environment {
  return env['WEBHOOK_SECRET'] === undefined && !env['WEBHOOK_SECRET_FILE']
    ? { [SECRET_ENV]: secret, WEBHOOK_SECRET: secret }
    : { [SECRET_ENV]: secret }
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
    return oneLine(hide(stripVTControlCharacters(line ?? '')))
  }
}

function takesConnections(url: URL): Promise<boolean> {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port })
    const settle = (open: boolean) => () => {
      socket.destroy()
      resolve(open)
    }
    socket.setTimeout(1000, settle(false))
    socket.once('connect', settle(true))
    socket.once('error', settle(false))
  })
}
