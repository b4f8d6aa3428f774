import { EventEmitter, once } from 'node:events'
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
  readonly link: Link
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
  /** The number of addresses that the clients have; by default 1, which is that of the valid deliveries too. */
  readonly addresses?: number
  /** A client whose connection has ended opens another after this time. */
  readonly reopenMs: number
  /**
   * What a client does with a connection; the connection is reset when it returns. It may return a time to wait, in
   * milliseconds, instead of `reopenMs`.
   */
  readonly use: (client: Client, index: number) => Promise<number | void>
  /** Clients that never read what the receiver sends. */
  readonly deaf?: boolean
}

/** One connection of an attacker. */
type Client = ReturnType<typeof clientOf>

/** Errors of the attacker's own machine. */
const LOCAL = new Set<string | undefined>(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'])
const BURST = 500

/** Keeps a number of clients connected until the attack ends. */
export async function attackWith(
  target: Target,
  { count, addresses = 1, reopenMs, use, deaf = false }: Clients,
): Promise<void> {
  const { signal, effort, port } = target
  let open = 0

  async function client(index: number): Promise<void> {
    // Not all in one turn of the event loop, in which nothing would be sent.
    await pauseUnless(signal, Math.floor(index / BURST) * 10)
    while (!signal.aborted) {
      let pauseMs = reopenMs
      const localAddress = `127.0.0.${1 + (index % addresses)}`
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      if (deaf) socket.pause()
      if (await connected(socket, target)) {
        effort.opened += 1
        open += 1
        effort.mostOpen = Math.max(effort.mostOpen, open)
        const reset = (): void => void socket.resetAndDestroy()
        signal.addEventListener('abort', reset, { once: true })
        const closed = closeOf(socket)
        pauseMs = (await use(clientOf(socket, target, deaf), index)) ?? reopenMs
        reset()
        await closed
        signal.removeEventListener('abort', reset)
        open -= 1
      }
      await pauseUnless(signal, pauseMs)
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

function clientOf(socket: Socket, { effort, signal, link }: Target, deaf: boolean) {
  const changes = new EventEmitter()
  let answered = false
  if (!deaf) {
    socket.on('data', () => {
      effort.answers += 1
      answered = true
      changes.emit('change')
    })
  }
  const closed = closeOf(socket)

  /** Sends bytes. @returns false if the connection is closed */
  async function send(bytes: Buffer | string): Promise<boolean> {
    await link(bytes.length)
    if (!socket.writable) return false
    return new Promise((resolve) => {
      const onClose = (): void => resolve(false)
      socket.once('close', onClose)
      socket.write(bytes, (error) => {
        socket.off('close', onClose)
        if (!error) effort.bytes += bytes.length
        resolve(!error)
      })
    })
  }
  return {
    send,
    /** Counts a request and sends it, or its beginning. @returns false if the connection is closed */
    request(bytes: Buffer | string) {
      effort.requests += 1
      return send(bytes)
    },
    /** Waits until the receiver sends something. @returns false if it closes the connection instead */
    async answer() {
      if (!answered && !socket.destroyed) await Promise.race([once(changes, 'change'), closed])
      const yes = answered
      answered = false
      return yes
    },
    /** Waits. @returns false if the connection is closed or the attack is over */
    async pause(ms: number) {
      await pauseUnless(signal, ms)
      return !socket.destroyed && !signal.aborted
    },
    /** Waits until the connection is closed or the attack is over. */
    async closed() {
      if (!socket.destroyed) await closed
    },
    /** Closes the connection in order, where the end of `use` would reset it. */
    end: () => void socket.destroy(),
  }
}

// Not once() of node:events, which rejects after an error.
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()))

const pauseUnless = (signal: AbortSignal, ms: number): Promise<unknown> =>
  wait(ms, undefined, { signal }).catch(() => {})

/** The network between the attackers and the receiver: waits until the bytes would have left the attackers. */
type Link = (bytes: number) => Promise<void>

/** 1 Gbit/s. */
const BYTES_PER_MS = 125_000
/** Less is not worth a timer, in milliseconds. */
const NEGLIGIBLE_MS = 2

/**
 * A link of limited bandwidth, which all attackers share. The loopback of one machine would carry more than any network, and
 * the copying alone would take the CPU time of the receiver. @param signal ends the attack
 */
export function createLink(signal: AbortSignal): Link {
  let freeAt = 0
  return async (bytes) => {
    const now = performance.now()
    freeAt = Math.max(freeAt, now) + bytes / BYTES_PER_MS
    if (freeAt - now > NEGLIGIBLE_MS) await wait(freeAt - now, undefined, { signal }).catch(() => {})
  }
}
