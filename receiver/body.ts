import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { type RefusalCode, refusal } from './errors.ts'
import type { Overload } from './overload.ts'
import { WebhookError } from './verify.ts'

export interface BodyLimits {
  /** The maximum size of a body, in bytes. */
  limitBytes: number
  /** How long a body may take to arrive, in milliseconds. */
  timeoutMs: number
  /** Counts the bytes in memory. After a successful read they stay reserved until the caller releases them. */
  overload: Pick<Overload, 'reserve' | 'release'>
}

/** Maps raw-body's error types to our codes. */
const REFUSALS = new Map<unknown, RefusalCode>([
  ['entity.too.large', 'body_too_large'],
  ['stream.not.readable', 'body_already_read'],
  ['stream.encoding.set', 'body_already_read'],
])

/**
 * Reads the bytes as received, whatever the content type and encoding say: the signature covers only the bytes. SPEC.md 4.
 * @throws WebhookError if the body is too large, too slow or truncated, or if something else has read it.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { limitBytes: limit, timeoutMs, overload } = limits
  if (request.readableDidRead) throw refusal('body_already_read')
  let reserved = 0
  // raw-body removes its listener after a failure; a later error event would then crash the process.
  request.on('error', () => {})
  // An error event is the only way to make raw-body stop and drop what it has read.
  const stop = (reason: unknown) => void request.emit('error', reason)
  const count = (chunk: Buffer) => {
    try {
      overload.reserve(chunk.length)
      reserved += chunk.length
    } catch (error) {
      stop(error)
    }
  }
  const timer = setTimeout(() => stop(refusal('body_too_slow')), timeoutMs)
  try {
    const reading = getRawBody(request, { limit, length: request.headers['content-length'] ?? null })
    request.on('data', count)
    return await reading
  } catch (error) {
    overload.release(reserved)
    if (error instanceof WebhookError) throw error
    // A broken connection also leaves an unreadable stream, and that is not the fault of a body parser.
    const broken = request.destroyed && !request.complete
    const code = REFUSALS.get((error as { type?: unknown }).type)
    throw refusal(broken || code === undefined ? 'body_truncated' : code, error)
  } finally {
    clearTimeout(timer)
    request.off('data', count)
  }
}

export interface DrainOptions {
  /** How many more bytes are read and discarded. */
  maxBytes?: number
  /** For how long, in milliseconds. */
  timeoutMs?: number
}

/**
 * Reads and discards the rest of a refused request, because the sender may not see the answer if the connection closes
 * while it is still sending. Beyond the limits it closes the connection.
 */
export function drainRequest(request: IncomingMessage, options: DrainOptions = {}): void {
  const { maxBytes = 8 * 1024 * 1024, timeoutMs = 10_000 } = options
  request.resume()
  if (request.complete || request.destroyed) return
  let left = maxBytes
  const timer = setTimeout(() => request.destroy(), timeoutMs)
  request
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) request.destroy()
    })
    .once('close', () => clearTimeout(timer))
}
