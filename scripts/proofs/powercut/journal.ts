/** An operation on a file, which its inode identifies, or on the folder. */
export type Operation =
  | { readonly kind: 'create'; readonly inode: number; readonly name: string }
  | { readonly kind: 'write'; readonly inode: number; readonly at: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly inode: number; readonly size: number }
  | { readonly kind: 'unlink'; readonly name: string }
  /** Covers the operations on the file before `until`, a position in the journal. */
  | { readonly kind: 'sync'; readonly inode: number; readonly until: number }
  /** Covers creations and deletions before `until`. */
  | { readonly kind: 'sync-folder'; readonly until: number }

const HEADER_BYTES = 32

/**
 * Reads what recorder.c wrote.
 * @returns the operations in the order in which they happened, each with its position in the journal
 * @throws RangeError if the bytes are not a journal
 */
export function* readJournal(bytes: Buffer): Generator<[position: number, operation: Operation]> {
  for (let position = 0; position < bytes.length; ) {
    const [kind, inode, at, length] = [0, 8, 16, 24].map((field) =>
      Number(bytes.readBigUInt64LE(position + field)),
    ) as [number, number, number, number]
    const start = position + HEADER_BYTES
    const data = bytes.subarray(start, start + length)
    if (data.length !== length) throw new RangeError(`the journal ends within its record at ${position}`)
    yield [position, operationOf(kind, inode, at, data)]
    position = start + length
  }
}

function operationOf(kind: number, inode: number, at: number, data: Buffer): Operation {
  switch (kind) {
    case 1:
      return { kind: 'create', inode, name: data.toString() }
    case 2:
      return { kind: 'write', inode, at, data }
    case 3:
      return { kind: 'truncate', inode, size: at }
    case 4:
      return { kind: 'unlink', name: data.toString() }
    case 5:
      return { kind: 'sync', inode, until: at }
    case 6:
      return { kind: 'sync-folder', until: at }
    default:
      throw new RangeError(`the journal contains the unknown kind ${kind}`)
  }
}
