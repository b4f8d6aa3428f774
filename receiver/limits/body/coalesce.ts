/** Joins small chunks, because Node.js needs about 400 bytes of memory for each Buffer. */
export interface ChunkJoiner {
  readonly add: (chunk: Buffer) => void
  /** Passes on what is left. */
  readonly flush: () => void
}

/** Chunks of at least this size are passed on as they are, in bytes. */
const LARGE = 1024
/** The maximum size of the joined chunks, in bytes. */
const MAX_PIECE = 16 * 1024

/** Joins the chunks of one body. A body in one chunk is not copied. */
export function coalesce(pass: (piece: Buffer) => void): ChunkJoiner {
  // The first `used` bytes of `piece` wait to be passed on.
  let piece: Buffer | undefined
  let used = 0

  function flush(): void {
    if (piece === undefined) return
    const full = piece.subarray(0, used)
    piece = undefined
    pass(full)
  }

  return {
    add(chunk) {
      const size = used + chunk.length
      if (piece !== undefined && size > MAX_PIECE) flush()
      if (piece === undefined) {
        if (chunk.length >= LARGE) return pass(chunk)
        piece = chunk
        used = chunk.length
        return
      }
      if (size > piece.length) {
        // Not from the pool of Node.js, which a slow body would keep in memory.
        const larger = Buffer.allocUnsafeSlow(Math.min(MAX_PIECE, size * 2))
        piece.copy(larger, 0, 0, used)
        piece = larger
      }
      chunk.copy(piece, used)
      used = size
    },
    flush,
  }
}
