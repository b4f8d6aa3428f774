import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Connection, type Connections, connectionEvent } from './connections.ts'

/** The parser gets at most this many lines at once. A chunk has two, a request at least two, and hardly a delivery has more. */
const SLICE_LINES = 256
/** After so many lines in a turn of the event loop, a few milliseconds of work, bytes wait for the next turn. */
const TURN_LINES = 4096
/** How many connections may have bytes that wait: up to 128 KiB each. */
const MAX_WAITING = 1000

/** A connection that has sent bytes which the parser has not got yet. */
interface Waiting {
  readonly connection: Connection
  bytes: Buffer
  /** How many bytes have arrived since nothing waited. */
  burst: number
  /** Gives the next slice to the parser. */
  readonly next: () => void
}

export interface ReadOptions {
  /** Called when a closing connection has sent more. */
  onIgnored: (connection: Connection) => void
  /** Called when a connection was closed because too many wait. */
  onEvicted: () => void
}

/**
 * Passes what a server reads to the parser of node:http in slices and in turn, short reads first: a single read may contain
 * 10,000 chunks or 2,500 requests, and nothing stops the parser before its end. Also lets a client end its side of the
 * connection and still read its responses. Call it after `trackConnections`.
 */
export function readInTurn(server: Server, connections: Connections, options: ReadOptions): void {
  const short = new Set<Waiting>()
  const long = new Set<Waiting>()
  // Also those that wait for the responses to their earlier requests.
  const all = new Set<Waiting>()
  let lines = 0
  let turn: NodeJS.Immediate | undefined

  function takeTurn(): void {
    turn = undefined
    lines = 0
    for (const queue of [short, long]) {
      for (const waiting of queue) {
        if (lines > TURN_LINES) break
        queue.delete(waiting)
        waiting.next()
      }
    }
    if (short.size + long.size > 0) turn ??= setImmediate(takeTurn)
    lines = 0
  }

  function enqueue(waiting: Waiting): void {
    const queue = sliceOf(waiting.bytes).end < waiting.bytes.length ? long : short
    queue.add(waiting)
    turn ??= setImmediate(takeTurn)
  }

  /** Closes the connection that has sent the most. */
  function evict(): void {
    const [first, ...others] = all
    if (first === undefined) return
    const largest = others.reduce((most, waiting) => (waiting.burst > most.burst ? waiting : most), first)
    all.delete(largest)
    connections.close(largest.connection)
    options.onEvicted()
  }

  function attach(connection: Connection): void {
    const { socket } = connection
    // Those of node:http.
    const parsers = socket.listeners('data')
    const enders = socket.listeners('end')
    let waiting: Waiting | undefined
    let hasEnded = false

    function read(bytes: Buffer): void {
      if (connection.closing) return options.onIgnored(connection)
      turn ??= setImmediate(takeTurn)
      if (waiting !== undefined) {
        waiting.bytes = Buffer.concat([waiting.bytes, bytes])
        waiting.burst += bytes.length
      } else {
        const slice = sliceOf(bytes)
        if (lines <= TURN_LINES && slice.end === bytes.length) return parse(bytes, slice)
        waiting = { connection, bytes, burst: bytes.length, next }
        all.add(waiting)
        enqueue(waiting)
        if (all.size > MAX_WAITING) evict()
      }
      socket.pause()
    }

    function next(): void {
      if (waiting === undefined) return
      if (socket.destroyed || !isReading()) return forget()
      const { bytes } = waiting
      const slice = sliceOf(bytes)
      waiting.bytes = bytes.subarray(slice.end)
      if (waiting.bytes.length === 0) {
        forget()
        // First, so that node:http can pause it again.
        socket.resume()
        parse(bytes, slice)
        if (hasEnded) end()
        return
      }
      parse(bytes, slice)
      const queued = waiting
      if (queued === undefined) return
      if (connection.closing) {
        forget()
        options.onIgnored(connection)
      } else whenAnswered(connection, () => waiting === queued && enqueue(queued))
    }

    function parse(bytes: Buffer, slice: Slice): void {
      lines += slice.lines
      const part = slice.end === bytes.length ? bytes : bytes.subarray(0, slice.end)
      for (const parser of parsers) parser.call(socket, part)
      if (connections.of(socket) === undefined) detach()
    }

    /** After the connection was closed, or upgraded to another protocol. */
    function detach(): void {
      const rest = waiting?.bytes
      forget()
      socket.off('data', read).off('resume', pauseAgain).off('end', end)
      if (rest !== undefined && !socket.destroyed) socket.unshift(rest)
    }

    function forget(): void {
      if (waiting === undefined) return
      for (const set of [short, long, all]) set.delete(waiting)
      waiting = undefined
    }

    /** Whether nobody has removed the listener to discard the rest. */
    const isReading = (): boolean => socket.listeners('data').includes(read)

    /** Node.js resumes a connection whenever somebody reads a body. */
    function pauseAgain(): void {
      if (waiting !== undefined && isReading()) socket.pause()
    }

    function end(): void {
      hasEnded = true
      if (waiting !== undefined) return
      whenAnswered(connection, () => {
        for (const ender of enders) ender.call(socket)
      })
    }

    socket.on('data', read).on('resume', pauseAgain).once('close', forget)
    for (const parser of parsers) socket.off('data', parser as () => void)
    socket.removeAllListeners('end').on('end', end)
  }

  server.on(connectionEvent(server), (socket: Socket) => {
    const connection = connections.of(socket)
    if (connection !== undefined) attach(connection)
  })
}

/** The first part of bytes. */
interface Slice {
  readonly lines: number
  /** Where it ends. */
  readonly end: number
}

function sliceOf(bytes: Buffer): Slice {
  let end = 0
  for (let lines = 0; lines < SLICE_LINES; lines += 1) {
    const at = bytes.indexOf(0x0a, end)
    if (at === -1) return { lines: lines + 1, end: bytes.length }
    end = at + 1
  }
  return { lines: SLICE_LINES, end }
}

/** Calls back after the responses to the complete requests of a connection: immediately, if there are none. */
function whenAnswered({ open }: Connection, then: () => void): void {
  const last = [...open].findLast(({ req }) => req.complete)
  if (last === undefined) then()
  else last.once('close', then)
}

/** How much of what a closing connection still sends is read, in bytes. */
const MAX_DISCARDED = 1024 * 1024

/** Reads and ignores what a connection still sends, up to a limit, since closing it at once would discard its responses. */
export function discard(socket: Duplex): void {
  let left = MAX_DISCARDED
  // Without the listener of node:http, its parser gets nothing more.
  socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) socket.pause()
  })
  socket.resume()
}
