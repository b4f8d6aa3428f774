import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../shared/random.ts'

/** What an attacker did. */
export interface Effort {
  /** Connections that were established. */
  opened: number
  /** The most connections that were established at the same time. */
  mostOpen: number
  /** Connections that this machine refused to the attacker, for example because of its descriptor limit. */
  unavailable: number
  /** Requests, complete or not, of which at least the head was sent. */
  requests: number
  bytes: number
  /** Times that the receiver sent something back. */
  answers: number
}

/** The receiver as its attacker sees it. */
export interface Target {
  readonly port: number
  readonly random: Random
  /** Ends the attack. */
  readonly signal: AbortSignal
  readonly effort: Effort
}

export const noEffort = (): Effort => ({
  opened: 0,
  mostOpen: 0,
  unavailable: 0,
  requests: 0,
  bytes: 0,
  answers: 0,
})

interface Clients {
  readonly count: number
  /** A client whose connection has ended opens another after this time. */
  readonly reopenMs: number
  /** What a client does with a connection; the connection is reset when it returns. */
  readonly use: (client: Client, index: number) => Promise<void>
  /** Clients that never read what the receiver sends. */
  readonly deaf?: boolean
}

/** One connection of an attacker. */
export interface Client {
  /** Sends bytes. @returns false if the connection is closed */
  send(bytes: Buffer | string): Promise<boolean>
  /** Counts a request and sends it, or its beginning. @returns false if the connection is closed */
  request(bytes: Buffer | string): Promise<boolean>
  /** Waits until the receiver sends something. @returns false if it closes the connection instead */
  answer(): Promise<boolean>
  /** Waits. @returns false if the connection is closed or the attack is over */
  pause(ms: number): Promise<boolean>
  /** Waits until the connection is closed or the attack is over. */
  closed(): Promise<void>
  /** Closes the connection in order, where the end of `use` would reset it. */
  end(): void
}

/** Errors of the attacker's own machine. */
const LOCAL = new Set<string | undefined>(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'])
const BURST = 500

/** Keeps a number of clients connected until the attack ends. */
export async function attackWith(
  target: Target,
  { count, reopenMs, use, deaf = false }: Clients,
): Promise<void> {
  const { signal, effort, port } = target
  let open = 0

  async function client(index: number): Promise<void> {
    // Not all in one turn of the event loop, in which nothing would be sent.
    await pauseUnless(signal, Math.floor(index / BURST) * 10)
    while (!signal.aborted) {
      const socket = connect(port, '127.0.0.1')
      if (deaf) socket.pause()
      if (await connected(socket, target)) {
        effort.opened += 1
        open += 1
        effort.mostOpen = Math.max(effort.mostOpen, open)
        const reset = (): void => void socket.resetAndDestroy()
        signal.addEventListener('abort', reset, { once: true })
        const closed = new Promise((resolve) => socket.once('close', resolve))
        await use(clientOf(socket, target, deaf), index)
        reset()
        await closed
        signal.removeEventListener('abort', reset)
        open -= 1
      }
      await pauseUnless(signal, reopenMs)
    }
  }

  await Promise.all(Array.from({ length: count }, (_, index) => client(index)))
}

function connected(socket: Socket, { effort, signal }: Target): Promise<boolean> {
  return new Promise((resolve) => {
    const abandon = (): void => void socket.destroy()
    signal.addEventListener('abort', abandon, { once: true })
    socket.setNoDelay(true)
    socket.once('connect', () => {
      signal.removeEventListener('abort', abandon)
      resolve(!signal.aborted)
    })
    socket.once('close', () => resolve(false))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (LOCAL.has(code)) effort.unavailable += 1
    })
  })
}

function clientOf(socket: Socket, { effort, signal }: Target, deaf: boolean): Client {
  let answered = 0
  let onChange = (): void => {}
  if (!deaf) {
    socket.on('data', () => {
      effort.answers += 1
      answered += 1
      onChange()
    })
  }
  socket.on('close', () => onChange())

  const client: Client = {
    send(bytes) {
      if (socket.destroyed || !socket.writable) return Promise.resolve(false)
      return new Promise((resolve) => {
        const onClose = (): void => resolve(false)
        socket.once('close', onClose)
        socket.write(bytes, (error) => {
          socket.off('close', onClose)
          if (!error) effort.bytes += bytes.length
          resolve(!error)
        })
      })
    },
    request(bytes) {
      effort.requests += 1
      return client.send(bytes)
    },
    async answer() {
      while (answered === 0 && !socket.destroyed) await new Promise<void>((resolve) => (onChange = resolve))
      if (answered === 0) return false
      answered = 0
      return true
    },
    async pause(ms) {
      await pauseUnless(signal, ms)
      return !socket.destroyed && !signal.aborted
    },
    async closed() {
      while (!socket.destroyed) await new Promise<void>((resolve) => (onChange = resolve))
    },
    end: () => void socket.destroy(),
  }
  return client
}

const pauseUnless = (signal: AbortSignal, ms: number): Promise<unknown> =>
  wait(ms, undefined, { signal }).catch(() => {})
