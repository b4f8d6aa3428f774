import type { IncomingMessage } from 'node:http'
import { refusal } from '../refusals.ts'
import type { HeldBytes } from './held.ts'

export interface BodyLimits {
  /** The maximum size of a body, in bytes. */
  limitBytes: number
  /** How long a body may take to arrive, in milliseconds. */
  timeoutMs: number
  /** Counts the bytes in memory. After a successful read they stay reserved until the caller releases them. */
  overload: Pick<HeldBytes, 'hold'>
}

const MAX_CHUNKS = 4096
const BYTES_PER_CHUNK = 32

/** How many chunks a body of so many bytes may have: each takes a microsecond. */
export const chunkLimit = (bytes: number): number => MAX_CHUNKS + bytes / BYTES_PER_CHUNK

/**
 * Reads the bytes as received, whatever the content type and encoding say: the signature covers only the bytes. SPEC.md 4.
 * @throws WebhookError if the body is too large, too slow, too fragmented, truncated or evicted, or if something else has
 * read it.
 */
export async function readBody(
  request: IncomingMessage,
  { limitBytes, timeoutMs, overload }: BodyLimits,
): Promise<Buffer> {
  const { readableDidRead, readableEncoding, readableEnded, destroyed } = request
  if (readableDidRead || readableEnded || readableEncoding !== null) throw refusal('body_already_read')
  if (destroyed) throw refusal('body_truncated')
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  if (length > limitBytes) throw refusal('body_too_large')
  let stop: (reason: unknown) => void = () => {}
  let finish = () => {}
  const arrived = new Promise<void>((resolve, reject) => {
    finish = resolve
    stop = (reason) => {
      // Before the promise settles, thousands of chunks may follow; and a close follows an error.
      request.off('data', receive).off('close', truncated)
      reject(reason)
    }
  })
  const held = overload.hold({ address: () => request.socket.remoteAddress, evict: (reason) => stop(reason) })
  const timer = setTimeout(() => stop(refusal('body_too_slow')), timeoutMs)
  const body = joiner()
  let chunks = 0

  function receive(chunk: Buffer): void {
    chunks += 1
    const size = body.size + chunk.length
    if (size > limitBytes) return stop(refusal('body_too_large'))
    if (chunks > chunkLimit(size)) return stop(refusal('body_too_fragmented'))
    try {
      held.add(chunk.length, size === length)
      body.add(chunk)
    } catch (error) {
      stop(error)
    }
  }
  function truncated(error?: unknown): void {
    // Every body closes at its end, and an error with its stack costs as much time as many bodies.
    if (!request.readableEnded) stop(refusal('body_truncated', error))
  }

  request.on('data', receive).on('end', finish).on('close', truncated)
  // It stays, because a later error event without a listener would end the process.
  request.on('error', truncated)
  try {
    await arrived
    held.complete(body.size)
    return body.bytes()
  } catch (error) {
    held.release()
    throw error
  } finally {
    clearTimeout(timer)
    request.off('data', receive).off('end', finish).off('close', truncated)
  }
}

/** Joins chunks as they arrive, because Node.js needs about 400 bytes of memory for each Buffer. */
export function joiner() {
  // Its first `size` bytes are in use.
  let joined: Buffer | undefined
  let size = 0
  return {
    get size() {
      return size
    },
    add(chunk: Buffer): void {
      const needed = size + chunk.length
      if (joined === undefined) joined = chunk
      else {
        if (needed > joined.length) {
          // Not from the pool of Node.js, which a slow body would keep in memory.
          const larger = Buffer.allocUnsafeSlow(needed * 2)
          joined.copy(larger, 0, 0, size)
          joined = larger
        }
        chunk.copy(joined, size)
      }
      size = needed
    },
    bytes: (): Buffer => (joined ?? Buffer.alloc(0)).subarray(0, size),
  }
}
