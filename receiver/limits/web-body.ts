import { WebhookError } from '../verify.ts'
import { chunkLimit } from './body/chunk-limit.ts'
import type { HeldBody } from './body/held.ts'
import type { Limits } from './options.ts'
import { refusal } from './refusals.ts'

/** What each further chunk of a body needs, in bytes: a slow client could send one for each byte. */
const CHUNK_BYTES = 512

/**
 * Reads the bytes of a body within limits, never as text, which would drop a byte order mark and replace what is not UTF-8.
 * They stay reserved in `overload`. SPEC.md 4 and 10.
 * @throws WebhookError if the body is too large, too slow, too fragmented, truncated or evicted.
 */
export async function readWebBody(request: Request, limits: Limits): Promise<Uint8Array> {
  const { limitBytes, timeoutMs, overload } = limits
  overload.requireCapacity()
  const reader = request.body?.getReader()
  if (reader === undefined) return new Uint8Array()

  let stop: (reason: WebhookError) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = reject
  })
  const held = overload.hold({ address: () => undefined, evict: stop })
  const timer = setTimeout(() => stop(refusal('body_too_slow')), timeoutMs)
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  try {
    const body = await Promise.race([readAll(reader, held, limitBytes, length), stopped])
    held.complete(body.length)
    return body
  } catch (error) {
    held.release()
    throw error instanceof WebhookError ? error : refusal('body_truncated', error)
  } finally {
    clearTimeout(timer)
    // Not cancel(), with which some servers close the connection before the answer. It rejects a read that is still waiting.
    reader.releaseLock()
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  held: HeldBody,
  limitBytes: number,
  length: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.length
    if (size > limitBytes) throw refusal('body_too_large')
    if (chunks.push(value) > chunkLimit(size)) throw refusal('body_too_fragmented')
    held.add(chunks.length === 1 ? value.length : value.length + CHUNK_BYTES, size === length)
  }
}
