import { WebhookError } from '../verify.ts'
import { chunkLimit } from './body/read.ts'
import type { Limits } from './overload.ts'
import { isCutOff, refusal } from './refusals.ts'

/** Reads the body of a `Request`. */
type Reader = ReadableStreamDefaultReader<Uint8Array>

/** What each further chunk of a body needs, in bytes: a slow client could send one for each byte. */
const CHUNK_BYTES = 512

/**
 * Reads the bytes of a body within limits, never as text, which would drop a byte order mark and replace what is not UTF-8.
 * They stay reserved in `overload`. After a failure it drains the rest of the body or cuts the sender off. SPEC.md 4 and 10.
 * @throws WebhookError if the body is too large, too slow, too fragmented, truncated or evicted.
 */
export async function readWebBody(request: Request, limits: Limits): Promise<Uint8Array> {
  const reader = request.body?.getReader()
  try {
    limits.overload.requireCapacity()
    if (reader === undefined) return new Uint8Array()
    const length = Number(request.headers.get('content-length') ?? Number.NaN)
    if (length > limits.limitBytes) throw refusal('body_too_large')
    return await readWithin(reader, length, limits)
  } catch (error) {
    // Not before the answer is written, with which most servers would close the connection. Until then nothing is read, but a
    // server may keep what arrives, so the time is short.
    if (reader && isCutOff(error)) setTimeout(() => void cancel(reader), 0)
    else if (reader) void drainBody(reader)
    throw error instanceof WebhookError ? error : refusal('body_truncated', error)
  }
}

async function readWithin(
  reader: Reader,
  length: number,
  { limitBytes, timeoutMs, overload }: Limits,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  let ended = false
  let stop: (reason: WebhookError) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = reject
  })
  const held = overload.hold({ address: () => undefined, evict: stop })
  const timer = setTimeout(() => stop(refusal('body_too_slow')), timeoutMs)

  async function collect(): Promise<void> {
    for (let count = 1; ; count++) {
      const { done, value } = await reader.read()
      // A read that was still waiting must not count bytes again.
      if (ended) return
      if (done) return held.complete(size)
      size += value.length
      if (size > limitBytes) throw refusal('body_too_large')
      if (count > chunkLimit(size)) throw refusal('body_too_fragmented')
      held.add(count === 1 ? value.length : value.length + CHUNK_BYTES, size === length)
      chunks.push(value)
    }
  }

  try {
    await Promise.race([collect(), stopped])
    return Buffer.concat(chunks)
  } catch (error) {
    held.release()
    throw error
  } finally {
    ended = true
    // A read that is still waiting would keep them in memory.
    chunks.length = 0
    clearTimeout(timer)
  }
}

/** How many more bytes of a refused body are read and discarded. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024
/** For how long, in milliseconds. */
const DRAIN_MS = 10_000
/** A chunk counts as at least this many bytes, because even an empty one takes time. */
const MIN_CHUNK_BYTES = 1024

/**
 * Reads and discards the rest of a refused body, because the sender may not see the answer if the connection closes while it
 * is still sending. Beyond the limits it cancels the body. It never rejects.
 */
async function drainBody(reader: Reader): Promise<void> {
  const timer = setTimeout(() => void cancel(reader), DRAIN_MS)
  try {
    for (let left = MAX_DRAINED_BYTES; left > 0; ) {
      const { done, value } = await reader.read()
      if (done) return
      left -= Math.max(value.length, MIN_CHUNK_BYTES)
    }
    await cancel(reader)
  } catch {
    // The connection is gone.
  } finally {
    clearTimeout(timer)
  }
}

/** Cancels the rest of a body. It never rejects. */
const cancel = (reader: Reader): Promise<void> => reader.cancel().catch(() => {})
