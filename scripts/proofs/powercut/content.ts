type Change =
  | { readonly kind: 'write'; readonly at: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }

/** The bytes of a file, which grow in place. */
export class Content {
  #buffer: Buffer
  #size: number

  /** @param bytes are copied */
  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#buffer = Buffer.from(bytes)
    this.#size = bytes.length
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }

  /** Bytes that were never written are zero. */
  change(change: Change): void {
    if (change.kind === 'truncate') this.#resize(change.size)
    else {
      this.#resize(Math.max(this.#size, change.at + change.data.length))
      change.data.copy(this.#buffer, change.at)
    }
  }

  #resize(size: number): void {
    if (size > this.#buffer.length) {
      const larger = Buffer.alloc(2 * size)
      this.bytes.copy(larger)
      this.#buffer = larger
    }
    // What is beyond the end must be zero when the file grows again.
    if (size < this.#size) this.#buffer.fill(0, size, this.#size)
    this.#size = size
  }
}
