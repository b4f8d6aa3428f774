import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { type RefusalCode, refusal } from './errors.ts'
import type { Overload } from './overload.ts'
import { WebhookError } from './verify.ts'

export interface BodyLimits {
  /** The largest body taken, in bytes. */
  limitBytes: number
  /** How long a body may take to arrive, in milliseconds. */
  withinMs: number
  /** Counts the bytes that are held. What has been read is held until the caller releases it. */
  overload: Pick<Overload, 'hold' | 'release'>
}

/** raw-body's error types, as our codes. */
const REFUSALS = new Map<unknown, RefusalCode>([
  ['entity.too.large', 'body_too_large'],
  ['stream.not.readable', 'body_already_read'],
  ['stream.encoding.set', 'body_already_read'],
])

/**
 * Reads the bytes as received: content type and encoding are labels, and the signature covers only the bytes. SPEC.md 4.
 * @throws WebhookError if they are too many, come too slowly, end too early, or were read by somebody else before.
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { limitBytes: limit, withinMs, overload } = limits
  if (request.readableDidRead) throw refusal('body_already_read')
  let held = 0
  // An error that comes when raw-body listens no more, as after too many bytes, would end the process.
  request.on('error', () => {})
  // raw-body stops, and lets go of what it has, at an error of the stream: there is no other way to tell it.
  const stop = (why: unknown) => void request.emit('error', why)
  const count = (chunk: Buffer) => {
    try {
      overload.hold(chunk.length)
      held += chunk.length
    } catch (error) {
      stop(error)
    }
  }
  const timer = setTimeout(() => stop(refusal('body_too_slow')), withinMs)
  try {
    const reading = getRawBody(request, { limit, length: request.headers['content-length'] ?? null })
    request.on('data', count)
    return await reading
  } catch (error) {
    overload.release(held)
    if (error instanceof WebhookError) throw error
    // A connection that broke leaves an unreadable stream too, and that is no parser's doing.
    const broken = request.destroyed && !request.complete
    const code = REFUSALS.get((error as { type?: unknown }).type)
    throw refusal(broken || code === undefined ? 'body_truncated' : code, error)
  } finally {
    clearTimeout(timer)
    request.off('data', count)
  }
}

export interface HearingOut {
  /** How many more bytes are listened to. */
  mostBytes?: number
  /** For how long, in milliseconds. */
  withinMs?: number
}

/**
 * Lets whoever was refused send the rest, since the answer may be lost with the connection: but not without end. The
 * connection is then closed.
 */
export function drainRequest(request: IncomingMessage, options: HearingOut = {}): void {
  const { mostBytes = 8 * 1024 * 1024, withinMs = 10_000 } = options
  request.resume()
  if (request.complete || request.destroyed) return
  let left = mostBytes
  const timer = setTimeout(() => request.destroy(), withinMs)
  request
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) request.destroy()
    })
    .once('close', () => clearTimeout(timer))
}
