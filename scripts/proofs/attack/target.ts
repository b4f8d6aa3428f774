import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
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
  readonly end: End
  readonly effort: Effort
  readonly link: Link
}

/** The end of an attack. */
export type End = ReturnType<typeof createEnd>

/**
 * Thousands of clients wait for the end of an attack, with several functions each. An AbortSignal would search all of them for
 * every one that it forgets, for 10 s of CPU time in the end.
 */
export function createEnd() {
  const waiting = new Set<() => void>()
  let isOver = false
  return {
    get isOver() {
      return isOver
    },
    /** Calls a function at the end, unless it is forgotten before. */
    notify: (react: () => void) => void waiting.add(react),
    forget: (react: () => void) => void waiting.delete(react),
    /** Ends the attack. */
    now() {
      isOver = true
      for (const react of waiting) react()
    },
    /** Waits, at most until the end. @param ms milliseconds */
    pause: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        if (isOver) return resolve()
        const proceed = (): void => {
          clearTimeout(timer)
          waiting.delete(proceed)
          resolve()
        }
        const timer = setTimeout(proceed, ms)
        waiting.add(proceed)
      }),
  }
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
  const { end, effort, port } = target
  let open = 0

  async function client(index: number): Promise<void> {
    // Not all in one turn of the event loop, in which nothing would be sent.
    await end.pause(Math.floor(index / BURST) * 10)
    while (!end.isOver) {
      let pauseMs = reopenMs
      const localAddress = `127.0.0.${1 + (index % addresses)}`
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      if (deaf) socket.pause()
      if (await connected(socket, target)) {
        effort.opened += 1
        open += 1
        effort.mostOpen = Math.max(effort.mostOpen, open)
        const leave = (): void => reset(socket)
        end.notify(leave)
        const closed = closeOf(socket)
        pauseMs = (await use(clientOf(socket, target, deaf), index)) ?? reopenMs
        leave()
        await closed
        end.forget(leave)
        open -= 1
      }
      await end.pause(pauseMs)
    }
  }

  await Promise.all(Array.from({ length: count }, (_, index) => client(index)))
}

function connected(socket: Socket, { effort, end }: Target): Promise<boolean> {
  return new Promise((resolve) => {
    const abandon = (): void => void socket.destroy()
    const settle = (isOpen: boolean): void => {
      end.forget(abandon)
      resolve(isOpen)
    }
    end.notify(abandon)
    socket.setNoDelay(true)
    socket.once('connect', () => settle(!end.isOver))
    socket.once('close', () => settle(false))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (LOCAL.has(code)) effort.unavailable += 1
    })
  })
}

function clientOf(socket: Socket, { effort, end, link }: Target, deaf: boolean) {
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
      await end.pause(ms)
      return !socket.destroyed && !end.isOver
    },
    /** Waits until the connection is closed or the attack is over. */
    async closed() {
      if (!socket.destroyed) await closed
    },
    /** Closes the connection in order, where the end of `use` would reset it. */
    close: () => void socket.destroy(),
  }
}

/**
 * Resets a connection. One that the receiver has just closed, and whose own end is still on its way, is closed instead: Node.js
 * cannot reset it, reports EINVAL, and never emits `close`.
 */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

// Not once() of node:events, which rejects after an error.
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.once('close', () => resolve()))

/** The network between the attackers and the receiver: waits until the bytes would have left the attackers. */
type Link = (bytes: number) => Promise<void>

/** 1 Gbit/s. */
const BYTES_PER_MS = 125_000
/** Less is not worth a timer, in milliseconds. */
const NEGLIGIBLE_MS = 2

/**
 * A link of limited bandwidth, which all attackers share. The loopback of one machine would carry more than any network, and
 * the copying alone would take the CPU time of the receiver.
 */
export function createLink(end: End): Link {
  let freeAt = 0
  return async (bytes) => {
    const now = performance.now()
    freeAt = Math.max(freeAt, now) + bytes / BYTES_PER_MS
    if (freeAt - now > NEGLIGIBLE_MS) await end.pause(freeAt - now)
  }
}
