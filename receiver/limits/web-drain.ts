/** Reads the body of a `Request`. */
export type Reader = ReadableStreamDefaultReader<Uint8Array>

/** How many more bytes are read and discarded. */
const MAX_BYTES = 8 * 1024 * 1024
/** For how long, in milliseconds. */
const TIMEOUT_MS = 10_000
/** A chunk counts as at least this many bytes, because even an empty one takes time. */
const MIN_CHUNK_BYTES = 1024
/** How long the answer may take to reach the sender before the body is canceled, in milliseconds. */
const ANSWER_MS = 1000

/**
 * Reads and discards the rest of a refused body, because the sender may not see the answer if the connection closes while it
 * is still sending. Beyond the limits it cancels the body. It never rejects.
 */
export async function drainBody(reader: Reader): Promise<void> {
  const timer = setTimeout(() => void cancel(reader), TIMEOUT_MS)
  try {
    for (let left = MAX_BYTES; left > 0; ) {
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

/** Reads no more of a body, and cancels it after the answer. Immediately, most servers would close the connection before. */
export function cutOffBody(reader: Reader): void {
  setTimeout(() => void cancel(reader), ANSWER_MS)
}

/** Cancels the rest of a body. It never rejects. */
const cancel = (reader: Reader): Promise<void> => reader.cancel().catch(() => {})
