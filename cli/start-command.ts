import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { collectErrors, end, hasEnded, START_WITHIN_MS, type StartedReceiver, type Stop } from './child.ts'
import { UsageError } from './exit.ts'

/**
 * Starts a receiver by a command and waits until the port of `url` takes connections.
 *
 * @param onSpawn told, before the wait, how to stop what was started
 * @throws UsageError when something listens there already, or nothing does in time.
 */
export async function startCommand(
  command: string,
  url: URL,
  secret: string,
  onSpawn: (stop: Stop) => void,
): Promise<StartedReceiver> {
  if (await takesConnections(url)) {
    throw new UsageError(`something already listens at ${url.host}: stop it, or leave --start out`)
  }
  // A group of its own, so that what the shell starts is stopped with it.
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOOKPROOF_SECRET: secret },
  })
  const said = collectErrors(child)
  const signal = (name: NodeJS.Signals) => () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // The whole group is gone already.
    }
  }
  const stop = () => end(child, signal('SIGTERM'), signal('SIGKILL'))
  onSpawn(stop)
  const deadline = performance.now() + START_WITHIN_MS
  while (performance.now() < deadline && !hasEnded(child)) {
    if (await takesConnections(url)) return { url: url.href, secret, stop }
    await pause(25)
  }
  const ended = hasEnded(child)
    ? `it ended with status ${child.exitCode ?? child.signalCode}`
    : `nothing listens at ${url.host} after ${START_WITHIN_MS / 1000} s`
  await stop()
  const why = said()
  const hint = why === '' ? 'run the command by itself to see more' : `its last words: ${why}`
  throw new UsageError(`the receiver of --start did not start: ${ended}; ${hint}`)
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
