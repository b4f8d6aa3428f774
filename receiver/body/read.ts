import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { type RefusalCode, refusal } from '../errors.ts'
import { WebhookError } from '../verify.ts'
import { interceptChunks, skipRestOfRead } from './chunks.ts'
import { coalesce } from './coalesce.ts'
import type { HeldBytes } from './held.ts'
import { waitForTurn } from './turns.ts'

export interface BodyLimits {
  /** The maximum size of a body, in bytes. */
  limitBytes: number
  /** How long a body may take to arrive, in milliseconds. */
  timeoutMs: number
  /** Counts the bytes in memory. After a successful read they stay reserved until the caller releases them. */
  overload: Pick<HeldBytes, 'hold'>
}

/** Maps raw-body's error types to our codes. */
const REFUSALS = new Map<unknown, RefusalCode>([
  ['entity.too.large', 'body_too_large'],
  ['stream.not.readable', 'body_already_read'],
  ['stream.encoding.set', 'body_already_read'],
])

/** A body may have this many chunks, and one more for each `BYTES_PER_CHUNK`: each takes a microsecond. */
const MAX_CHUNKS = 4096
const BYTES_PER_CHUNK = 32

/** After this many chunks other requests have their turn. */
const CHUNKS_PER_TURN = 1024

/**
 * Reads the bytes as received, whatever the content type and encoding say: the signature covers only the bytes. SPEC.md 4.
 * @throws WebhookError if the body is too large, too slow, too fragmented, truncated or evicted, or if something else has
 * read it.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { limitBytes: limit, timeoutMs, overload } = limits
  if (request.readableDidRead) throw refusal('body_already_read')
  // raw-body removes its listener after a failure; a later error event would then crash the process.
  request.on('error', () => {})
  // An error event is the only way to make raw-body stop and drop what it has read.
  const stop = (reason: unknown) => void request.emit('error', reason)
  const held = overload.hold({ address: () => request.socket.remoteAddress, evict: stop })
  const timer = setTimeout(() => stop(refusal('body_too_slow')), timeoutMs)
  const length = Number(request.headers['content-length'])
  let arrived = 0
  let chunks = 0
  let wantsMore = true
  const body = interceptChunks(request, (chunk) => {
    if (chunk === null) {
      held.complete()
      pieces.flush()
      return body.pass(null)
    }
    wantsMore = true
    arrived += chunk.length
    chunks += 1
    if (chunks % CHUNKS_PER_TURN === 0) waitForTurn(request)
    if (chunks > MAX_CHUNKS + arrived / BYTES_PER_CHUNK) {
      skipRestOfRead(request)
      stop(refusal('body_too_fragmented'))
      return true
    }
    try {
      if (arrived <= limit) held.add(chunk.length, arrived === length)
      pieces.add(chunk)
      // raw-body refuses it as soon as it sees all of it.
      if (arrived > limit) pieces.flush()
    } catch (error) {
      stop(error)
    }
    return wantsMore
  })
  // raw-body keeps every Buffer until the end, so it gets them joined.
  const pieces = coalesce((piece) => {
    wantsMore = body.pass(piece)
  })
  try {
    // What arrived before this call, for example during the work of a middleware.
    arrived = request.readableLength
    if (arrived > 0) held.add(arrived, request.complete)
    return await getRawBody(request, { limit, length: request.headers['content-length'] ?? null })
  } catch (error) {
    held.release()
    if (error instanceof WebhookError) throw error
    // A broken connection also leaves an unreadable stream, and that is not the fault of a body parser.
    const broken = request.destroyed && !request.complete
    const code = REFUSALS.get((error as { type?: unknown }).type)
    throw refusal(broken || code === undefined ? 'body_truncated' : code, error)
  } finally {
    clearTimeout(timer)
    body.end()
  }
}
