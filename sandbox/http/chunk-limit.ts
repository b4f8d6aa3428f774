import type { RequestHandler } from 'express'

/** How many chunks any body may have, however short. */
const FREE_CHUNKS = 256

/** The least that further chunks must have on average, in bytes. */
const LEAST_BYTES = 64

/**
 * Closes the connection of a request whose body comes in chunks of a few bytes: each is an object that needs far more
 * memory than it holds. Mount it directly in front of the body parser.
 */
export const limitChunks: RequestHandler = (request, _response, next) => {
  let chunks = 0
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    chunks += 1
    bytes += chunk.length
    if (chunks > FREE_CHUNKS + bytes / LEAST_BYTES) request.destroy()
  })
  next()
}
