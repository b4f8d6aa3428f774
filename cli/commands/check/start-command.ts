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
import { oneLine, SECRET_ENV } from '../../shared/options.ts'

/** How long it takes until somebody who waits wants to know what for, in milliseconds. */
const TELL_AFTER_MS = 3_000

/**
 * Starts a receiver by a command and waits until the port of `url` takes connections.
 *
 * @param onSpawn told, before the wait, how to stop what was started
 * @param withinMs how long it may take, in milliseconds
 * @throws UsageError when something listens there already, or nothing does in time.
 */
export async function startCommand(
  command: string,
  url: URL,
  secret: string,
  onSpawn: (stop: Stop) => void,
  withinMs = START_WITHIN_MS,
): Promise<StartedReceiver> {
  if (await takesConnections(url)) {
    throw new UsageError(`something already listens at ${url.host}: stop it, or leave --start out`)
  }
  // A group of its own, so that what the shell starts is stopped with it.
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...secretVariables(secret) },
  })
  const lastWords = wordsOf(collectErrors(child), collectLines(child.stdout), secret)
  const signal = (name: NodeJS.Signals) => () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // The whole group is gone already.
    }
  }
  const stop = () => end(child, signal('SIGTERM'), signal('SIGKILL'))
  onSpawn(stop)
  const told = setTimeout(() => {
    const words = lastWords(true)
    const far = words === '' ? '' : `; the command said: ${words}`
    process.stderr.write(`hookproof: still waiting for ${url.host}${far}\n`)
  }, TELL_AFTER_MS)
  try {
    const deadline = performance.now() + withinMs
    while (performance.now() < deadline && !hasEnded(child)) {
      if (await takesConnections(url)) return { url: url.href, secret, stop }
      await pause(25)
    }
  } finally {
    clearTimeout(told)
  }
  const runs = !hasEnded(child)
  await stop()
  const words = lastWords(runs)
  const hint = words === '' ? 'run the command by itself to see more' : `its last words: ${words}`
  throw new UsageError(
    runs
      ? `the command of --start runs, but nothing listens at ${url.host} after ${withinMs / 1000} s: does it use another port? ${hint}`
      : `the receiver of --start did not start: it ended with status ${child.exitCode ?? child.signalCode}; ${hint}`,
  )
}

/** The secret under the suite's own name, and under that of the bundled receiver where it has none of its own. */
function secretVariables(secret: string): Record<string, string> {
  const { WEBHOOK_SECRET: own, WEBHOOK_SECRET_FILE: file } = process.env
  return own === undefined && !file
    ? { [SECRET_ENV]: secret, WEBHOOK_SECRET: secret }
    : { [SECRET_ENV]: secret }
}

/**
 * The line of a command that matters most.
 *
 * @returns a function that is told whether the command runs: then a line about where it listens goes first
 */
function wordsOf(error: () => string, output: () => string[], secret: string): (runs: boolean) => string {
  const hide = secretHider(secret)
  return (runs) => {
    const lines = output()
    const place = runs
      ? lines.findLast((line) => /\blisten|\bport\b|https?:\/\/|localhost:\d/i.test(line))
      : undefined
    const line = place ?? (error() || lines.at(-1))
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
