import type { IncomingMessage } from 'node:http'
import type { Arrival } from './chunked.ts'

/** What Node.js needs for each further Buffer of a body, in bytes: a slow client could send one for each byte. */
const BUFFER_BYTES = 512

/**
 * Counts the memory of a body of known length, of which each read from the connection contains one part.
 * @returns a function that ends it
 */
export function countPackets(
  request: IncomingMessage,
  length: number,
  { limit, held, stop }: Arrival,
): () => void {
  let received = 0
  const count = (part: Buffer) => {
    const bytes = received === 0 ? part.length : part.length + BUFFER_BYTES
    received += part.length
    if (received > limit) return
    try {
      held.add(bytes, received === length)
    } catch (error) {
      stop(error)
    }
  }
  request.on('data', count)
  return () => void request.off('data', count)
}
