import http, { type ClientRequest, type IncomingMessage, STATUS_CODES } from 'node:http'
import { Duplex } from 'node:stream'
import type { HeaderLine } from '../delivery.ts'
import type { Answer } from '../exchange.ts'
import { stopwatch } from '../time/awake.ts'

/**
 * How much of a response body is kept, and how much is read before the rest is given up, in bytes: less where it is read byte by
 * byte.
 */
const BODY_BYTES = { kept: 64 * 1024, read: 16 * 1024 * 1024, readSingly: 256 * 1024 }
/** More interim responses, such as 102 Processing, answer nothing any more. */
const MOST_INTERIM = 1_000

/** The response is not one that a client can use. */
class Unusable extends Error {
  readonly code = 'HPE_UNUSABLE'
}

/** Reads the response to a request; only the first call of either function counts. */
export function readResponse(
  request: ClientRequest,
  done: (answer: Answer, response: IncomingMessage) => void,
  fail: (error: unknown) => void,
  taken = stopwatch(),
  mostBytes = BODY_BYTES.read,
): void {
  let interim = 0
  request.on('information', () => {
    interim += 1
    if (interim <= MOST_INTERIM) return
    request.destroy()
    fail(new Unusable(`more than ${MOST_INTERIM} interim responses`))
  })
  request.on('error', fail)
  // What follows 101 is no HTTP.
  request.on('upgrade', (response, socket) => {
    socket.destroy()
    done(answerOf(response, [], false, taken()), response)
  })
  request.on('response', (response) => {
    const time = taken()
    const kept: Buffer[] = []
    let size = 0
    const end = () => done(answerOf(response, kept, size > BODY_BYTES.kept, time), response)
    response.on('data', (chunk: Buffer) => {
      if (size < BODY_BYTES.kept) kept.push(chunk.subarray(0, BODY_BYTES.kept - size))
      size += chunk.length
      if (size <= mostBytes) return
      end()
      request.destroy()
    })
    response.on('end', end)
    response.on('error', fail)
  })
}

function answerOf(
  response: IncomingMessage,
  body: readonly Buffer[],
  truncated: boolean,
  time: Pick<Answer, 'ms' | 'wallMs'>,
): Answer {
  const raw = response.rawHeaders
  const headers: HeaderLine[] = []
  for (let index = 0; index < raw.length; index += 2) headers.push([raw[index] ?? '', raw[index + 1] ?? ''])
  const status = response.statusCode ?? 0
  const { statusMessage: text = '' } = response
  // The usual text says nothing.
  const reason = text === '' || text === STATUS_CODES[status] ? {} : { reason: text }
  return { status, ...reason, headers, body: Buffer.concat(body), truncated, ...time }
}

/** The responses of one connection on which something else than node:http has written the requests. */
export interface ResponseReader {
  /** Takes bytes of the connection. */
  readonly read: (bytes: Buffer) => void
  /** The connection has ended. */
  readonly end: () => void
}

/**
 * Reads the responses of a connection with the parser of node:http, which reads one for each request that it believes it
 * has sent.
 *
 * @param methods those of the requests, in order
 * @param onAnswer called with each response; `isLast` if the receiver closes the connection after it
 */
export function createResponseReader(
  methods: readonly string[],
  onAnswer: (answer: Answer, isLast: boolean) => void,
  onError: (error: unknown) => void,
): ResponseReader {
  const waiting: Buffer[] = []
  let hasEnded = false
  let next = 0
  let current: Lane | undefined

  function advance(): void {
    const method = methods[next]
    if (method === undefined) return
    next += 1
    const isOnly = next === methods.length
    const lane = openLane(
      method === 'HEAD' ? 'HEAD' : 'POST',
      isOnly,
      flush,
      (answer, isLast) => {
        if (current !== lane) return
        current = undefined
        onAnswer(answer, isLast)
        if (!isLast) advance()
      },
      (error) => {
        if (current === lane) onError(error)
      },
    )
    current = lane
  }

  function flush(): void {
    const lane = current
    if (lane === undefined) return
    for (let bytes = waiting.shift(); bytes !== undefined; bytes = waiting.shift()) {
      const taken = lane.take(bytes)
      if (taken === bytes.length) continue
      // Its response is complete, or it does not take bytes yet.
      waiting.unshift(bytes.subarray(taken))
      return
    }
    if (hasEnded) lane.end()
  }

  advance()
  return {
    read(bytes) {
      waiting.push(bytes)
      flush()
    },
    end() {
      hasEnded = true
      flush()
    },
  }
}

/** One response of a connection. */
interface Lane {
  /** @returns how many of the bytes it took: none before it is ready, and none after the end of its response */
  readonly take: (bytes: Buffer) => number
  readonly end: () => void
}

function openLane(
  method: string,
  isOnly: boolean,
  onReady: () => void,
  onAnswer: (answer: Answer, isLast: boolean) => void,
  onError: (error: unknown) => void,
): Lane {
  // Only what it reads matters: the request was sent otherwise.
  const wire = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  let isReady = false
  let isComplete = (): boolean => false
  const request = http.request({ method, createConnection: () => wire })
  request.on('response', (received) => {
    isComplete = () => received.complete
  })
  request.on('socket', () => {
    // Only then does the stream hand on each piece as it is pushed.
    setImmediate(() => {
      isReady = true
      onReady()
    })
  })
  readResponse(
    request,
    // Nothing can follow a response that was given up.
    (answer, received) => onAnswer(answer, closes(received) || !received.complete),
    onError,
    stopwatch(),
    isOnly ? BODY_BYTES.read : BODY_BYTES.readSingly,
  )
  request.end()
  return {
    take(bytes) {
      if (!isReady) return 0
      if (isOnly) {
        wire.push(bytes)
        return bytes.length
      }
      // Byte by byte, because the next response may begin anywhere and belongs to the next request.
      let taken = 0
      while (taken < bytes.length && !isComplete()) {
        wire.push(bytes.subarray(taken, taken + 1))
        taken += 1
      }
      return taken
    },
    end: () => void wire.push(null),
  }
}

function closes({ statusCode, httpVersionMinor, headers }: IncomingMessage): boolean {
  const connection = headers.connection?.toLowerCase() ?? ''
  const isFramed = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  const isBodiless = statusCode === 204 || statusCode === 304
  if (statusCode === 101 || !(isFramed || isBodiless)) return true
  return connection.includes('close') || (httpVersionMinor === 0 && !connection.includes('keep-alive'))
}
