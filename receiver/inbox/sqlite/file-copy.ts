import fs from 'node:fs'
import { FRAME_HEADER_BYTES, HEADER_BYTES, pageBytesOf } from './log-format.ts'

/**
 * A descriptor of each database file that was written to without SQLite, by device and inode. They stay open, because closing
 * one would release all locks of this process on the file.
 */
const descriptors = new Map<string, number>()

/**
 * Writes the pages in the log of a database to the file again, although SQLite may count them as being there, and syncs it.
 * Call it while no process can write to the log or has anything left to copy from it. It blocks the process.
 * @param log a descriptor of the log
 * @param frames the length of the log
 * @param path the file
 * @throws Error of the file system.
 */
export function copyLogToFile(log: number, frames: number, path: string): void {
  if (frames === 0) return
  const descriptor = descriptorOf(path)
  const { size } = fs.fstatSync(descriptor)
  const pageBytes = pageBytesOf(log)
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + pageBytes)
  for (let index = 0; index < frames; index += 1) {
    if (fs.readSync(log, frame, 0, frame.length, HEADER_BYTES + index * frame.length) < frame.length) break
    const at = (frame.readUInt32BE(0) - 1) * pageBytes
    // Later pages were removed from the file.
    if (at < size) fs.writevSync(descriptor, [frame.subarray(FRAME_HEADER_BYTES)], at)
  }
  // Twice, because some file systems report that a write failed one sync too late.
  fs.fdatasyncSync(descriptor)
  fs.fdatasyncSync(descriptor)
}

function descriptorOf(path: string): number {
  const { dev, ino } = fs.statSync(path)
  const key = `${dev}:${ino}`
  const descriptor = descriptors.get(key) ?? fs.openSync(path, 'r+')
  descriptors.set(key, descriptor)
  return descriptor
}
