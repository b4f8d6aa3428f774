import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { WebhookError } from '../../verify.ts'
import { type RefusalCode, refusal } from '../refusals.ts'
import { limitChunks } from './chunked.ts'
import type { HeldBytes } from './held.ts'
import { countPackets } from './packets.ts'

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
  const arrival = { limit, held, stop }
  const { 'content-length': length = null, 'transfer-encoding': encoding } = request.headers
  let end = () => {}
  try {
    // First, because it must be listening when one of the others stops it.
    const reading = getRawBody(request, { limit, length })
    end =
      encoding === undefined ? countPackets(request, Number(length), arrival) : limitChunks(request, arrival)
    const body = await reading
    held.complete(body.length)
    return body
  } catch (error) {
    held.release()
    if (error instanceof WebhookError) throw error
    // A broken connection also leaves an unreadable stream, and that is not the fault of a body parser.
    const broken = request.destroyed && !request.complete
    const code = REFUSALS.get((error as { type?: unknown }).type)
    throw refusal(broken || code === undefined ? 'body_truncated' : code, error)
  } finally {
    clearTimeout(timer)
    end()
  }
}
