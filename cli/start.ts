import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UsageError } from './exit.ts'

const START_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 5_000

/** A receiver that runs for the time of one check. */
export interface StartedReceiver {
  readonly url: string
  readonly observe?: string
  readonly secret: string
  readonly stop: () => Promise<void>
}

/**
 * Starts the bundled reference receiver on a free port, with a store of its own that is removed afterwards.
 *
 * @throws UsageError when it does not start, with what it said.
 */
export async function startBundled(
  secret = `whsec_${randomBytes(24).toString('hex')}`,
): Promise<StartedReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'hookproof-'))
  // The same file whether this runs from the sources or from what was built.
  const server = fileURLToPath(
    new URL(
      import.meta.url.endsWith('.ts') ? '../receiver/server.ts' : '../receiver/server.js',
      import.meta.url,
    ),
  )
  const child = fork(server, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      WEBHOOK_SECRET: secret,
      HOST: '127.0.0.1',
      PORT: '0',
      INBOX: join(folder, 'inbox.sqlite'),
      OBSERVE: '1',
      LOG_LEVEL: 'fatal',
      WEBHOOK_SECRET_PREVIOUS: '',
      TOLERANCE_SECONDS: '',
      BODY_LIMIT_BYTES: '',
    },
  })
  const said = collectErrors(child)
  const stop = async () => {
    await end(
      child,
      () => child.kill('SIGTERM'),
      () => child.kill('SIGKILL'),
    )
    await rm(folder, { recursive: true, force: true })
  }
  const url = await Promise.race([listening(child), exited(child), expired()])
  if (url === undefined) {
    await stop()
    throw new UsageError(`the bundled receiver did not start: ${said()}`)
  }
  return { url: `${url}/webhooks`, observe: `${url}/observe`, secret, stop }
}

/**
 * Starts a receiver by a command and waits until the port of `url` takes connections.
 *
 * @throws UsageError when something listens there already, or nothing does in time.
 */
export async function startCommand(command: string, url: URL, secret: string): Promise<StartedReceiver> {
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
  const deadline = performance.now() + START_WITHIN_MS
  while (performance.now() < deadline && child.exitCode === null) {
    if (await takesConnections(url)) return { url: url.href, secret, stop }
    await pause(25)
  }
  const ended =
    child.exitCode === null ? `nothing listens at ${url.host}` : `it ended with status ${child.exitCode}`
  await stop()
  const why = said()
  throw new UsageError(
    `the receiver of --start did not start: ${ended}${why === '' ? '' : `; its last words: ${why}`}`,
  )
}

async function listening(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /"url":"([^"]+)","msg":"listening"/.exec(line)?.[1]
    if (url === undefined) continue
    // Read on without looking, or a full pipe would stop the receiver.
    child.stdout.resume()
    return url
  }
  return undefined
}

async function exited(child: ChildProcess): Promise<undefined> {
  await once(child, 'exit')
  return undefined
}

async function expired(): Promise<undefined> {
  await pause(START_WITHIN_MS, undefined, { ref: false })
  return undefined
}

async function end(child: ChildProcess, ask: () => void, force: () => void): Promise<void> {
  const gone = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit')
  ask()
  const forced = setTimeout(force, STOP_WITHIN_MS)
  await gone
  clearTimeout(forced)
}

function collectErrors(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-2000)
  })
  return () => text.trim().split('\n').at(-1)?.trim() ?? ''
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
