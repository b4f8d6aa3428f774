import type { IncomingMessage } from 'node:http'
import { refusal } from '../refusals.ts'
import { chunkLimit } from './chunk-limit.ts'
import { interceptChunks, skipRestOfRead } from './chunks.ts'
import { coalesce } from './coalesce.ts'
import type { HeldBody } from './held.ts'
import { waitForTurn } from './turns.ts'

/** What a body that is arriving needs. */
export interface Arrival {
  /** The maximum size of the body, in bytes. */
  readonly limit: number
  readonly held: HeldBody
  /** Makes raw-body stop with this error. */
  readonly stop: (reason: unknown) => void
}

/** After this many chunks other requests have their turn. */
const CHUNKS_PER_TURN = 1024

/**
 * Limits the chunks of a body with `Transfer-Encoding: chunked`, of which one read can contain thousands, and joins small
 * ones before the stream of the request gets them. Call it after raw-body has started to listen.
 * @returns a function that ends it
 */
export function limitChunks(request: IncomingMessage, { limit, held, stop }: Arrival): () => void {
  // What arrived before this call, for example during the work of a middleware.
  let arrived = request.readableLength
  let chunks = 0
  let wantsMore = true
  const body = interceptChunks(request, (chunk) => {
    if (chunk === null) {
      if (arrived <= limit) held.complete(arrived)
      pieces.flush()
      return body.pass(null)
    }
    wantsMore = true
    arrived += chunk.length
    chunks += 1
    if (chunks % CHUNKS_PER_TURN === 0) waitForTurn(request)
    if (chunks > chunkLimit(arrived)) {
      skipRestOfRead(request)
      stop(refusal('body_too_fragmented'))
      return true
    }
    try {
      if (arrived <= limit) held.add(chunk.length, false)
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
    if (arrived > 0) held.add(arrived, request.complete)
  } catch (error) {
    stop(error)
  }
  return () => body.end()
}
