import fs from 'node:fs'

// The format of a write-ahead log of SQLite: https://www.sqlite.org/fileformat2.html#walformat

/** The log starts with a header, and each frame consists of a header and a page. */
export const HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24

/** SQLite allows no smaller pages. */
const SMALLEST_PAGE_BYTES = 512

/** Both headers contain two random numbers, which change when SQLite starts to write the log from its beginning again. */
const SALT_BYTES = 8
const SALT_IN_HEADER = 16
const SALT_IN_FRAME = 8
const PAGE_SIZE_IN_HEADER = 8

/** The size of the pages in a log that is not empty. @throws Error of the file system. */
export function pageBytesOf(descriptor: number): number {
  const header = Buffer.alloc(HEADER_BYTES)
  fs.readSync(descriptor, header, 0, HEADER_BYTES, 0)
  return header.readUInt32BE(PAGE_SIZE_IN_HEADER)
}

/**
 * The length of a log in frames, without those that are left from before SQLite last started it again. It takes about 30 µs.
 * The last frames may belong to a transaction that was rolled back.
 * @throws Error of the file system.
 */
export function lengthOfLog(descriptor: number): number {
  const isInUse = framesOf(descriptor)
  if (isInUse === undefined) return 0
  // The frames in use come first, so a binary search finds their end.
  let used = 0
  let unused = Math.ceil(fs.fstatSync(descriptor).size / SMALLEST_PAGE_BYTES)
  while (used < unused) {
    const middle = Math.floor((used + unused) / 2)
    if (isInUse(middle)) used = middle + 1
    else unused = middle
  }
  return used
}

/** Whether `lengthOfLog` is at least some number above 0. It takes about 5 µs. @throws Error of the file system. */
export const hasFrames = (descriptor: number, frames: number): boolean =>
  framesOf(descriptor)?.(frames - 1) ?? false

/** @returns whether the frame at an index is in use; undefined if the log is empty */
function framesOf(descriptor: number): ((index: number) => boolean) | undefined {
  const header = Buffer.alloc(HEADER_BYTES)
  if (fs.readSync(descriptor, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined
  const salt = header.subarray(SALT_IN_HEADER, SALT_IN_HEADER + SALT_BYTES)
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(PAGE_SIZE_IN_HEADER)
  const found = Buffer.alloc(SALT_BYTES)
  return (index) => {
    const at = HEADER_BYTES + index * frameBytes + SALT_IN_FRAME
    return fs.readSync(descriptor, found, 0, SALT_BYTES, at) === SALT_BYTES && found.equals(salt)
  }
}
