import fs from 'node:fs'
import { FRAME_HEADER_BYTES, HEADER_BYTES, pageBytesOf } from './log-format.ts'

/** Where the index of a log, the -shm file, says how many frames SQLite has copied into the database file; 4 bytes. */
const BACKFILLED_AT = 96

/**
 * A descriptor of each file of a database that was opened without SQLite, by device and inode. They stay open, because closing
 * one would release all locks of this process on the file.
 */
const descriptors = new Map<string, number>()

/**
 * Writes the pages that SQLite has copied from the log of a database to the file again, and syncs it. Call it while no process
 * can write to the log. It blocks the process.
 * @param log a descriptor of the log
 * @param path the file
 * @throws Error of the file system.
 */
export function copyLogToFile(log: number, path: string): void {
  const frames = backfilled(path)
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

function backfilled(path: string): number {
  const number = new Uint32Array(1)
  fs.readSync(descriptorOf(`${path}-shm`), number, 0, 4, BACKFILLED_AT)
  return number[0] ?? 0
}

function descriptorOf(path: string): number {
  const { dev, ino } = fs.statSync(path)
  const key = `${dev}:${ino}`
  const descriptor = descriptors.get(key) ?? fs.openSync(path, 'r+')
  descriptors.set(key, descriptor)
  return descriptor
}
