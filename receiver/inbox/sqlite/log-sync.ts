import fs from 'node:fs'
import { copyLogToFile } from './file-copy.ts'
import { hasFrames, lengthOfLog } from './log-format.ts'

const CHUNK_BYTES = 1024 * 1024

/** Syncs the log of a SQLite database to disk without blocking the process. */
export interface LogSync {
  /**
   * Resolves when everything written to the log before the call is on disk.
   * @throws Error of the file system; the log is then uncertain, and every call is rejected until it is saved.
   */
  sync(): Promise<void>
  /** The error of the failed sync, while commits that can be read may not be on disk. */
  readonly failure: unknown
  /** Makes the log uncertain after a failure of another descriptor. */
  fail(error: unknown): void
  /**
   * Writes the entire log again with the same bytes, and syncs it. Call it while no process can write to the log. It blocks
   * the process.
   * @throws Error of the file system.
   */
  rewrite(): void
  /**
   * Writes what SQLite has copied from the log to the database file there again: see `copyLogToFile`. Call it while no process
   * can write to the log. It blocks the process.
   * @throws Error of the file system.
   */
  copyTo(path: string): void
  /** Everything in the log is on disk. */
  saved(): void
  /** The length of the log in frames. @throws Error of the file system. */
  length(): number
  /** Whether the log has at least some number of frames, which takes less time. @throws Error of the file system. */
  hasFrames(frames: number): boolean
  close(): void
}

/**
 * Opens the log with a separate file descriptor. A sync covers the file, whichever descriptor wrote it. SQLite keeps its
 * locks on other files, so closing this descriptor releases none of them.
 *
 * Open it before the first write to the log that matters: the kernel reports a failure to write to each descriptor that was
 * open at that time, once, and forgets it. A later sync succeeds although the data is not on disk.
 * @throws Error of the file system if the log cannot be opened.
 */
export function openLogSync(path: string): LogSync {
  const descriptor = fs.openSync(path, 'r+')
  let closed = false
  let failure: unknown
  let rewritten = false
  let copied = false
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function fail(error: unknown): void {
    failure = error
    rewritten = false
    copied = false
  }

  function start(): Promise<void> {
    running = syncNow().finally(() => {
      running = undefined
    })
    return running
  }

  async function syncNow(): Promise<void> {
    if (failure !== undefined) throw failure
    try {
      await fdatasync(descriptor)
    } catch (error) {
      fail(error)
      throw error
    }
  }

  /** What was written after the running sync started needs another one, which all that wait share. */
  async function startNext(): Promise<void> {
    await running?.catch(() => {})
    next = undefined
    return start()
  }

  return {
    // One at a time, because only one of two would see the failure.
    sync() {
      if (next !== undefined) return next
      if (running === undefined) return start()
      next = startNext()
      return next
    },
    get failure() {
      return failure
    },
    fail,
    rewrite() {
      // Not again while another program prevents the next step.
      if (rewritten) return
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      let at = 0
      let length: number
      do {
        length = fs.readSync(descriptor, chunk, 0, chunk.length, at)
        if (length > 0) at += fs.writeSync(descriptor, chunk, 0, length, at)
      } while (length > 0)
      // Twice, because some file systems report that a write failed one sync too late.
      fs.fdatasyncSync(descriptor)
      fs.fdatasyncSync(descriptor)
      rewritten = true
    },
    copyTo(path) {
      if (copied) return
      copyLogToFile(descriptor, path)
      copied = true
    },
    length: () => lengthOfLog(descriptor),
    hasFrames: (frames) => hasFrames(descriptor, frames),
    saved() {
      failure = undefined
      rewritten = false
      copied = false
    },
    close() {
      // Closing it twice would close the file that has got its number meanwhile.
      if (closed) return
      closed = true
      if (running === undefined) fs.closeSync(descriptor)
      else void running.catch(() => {}).then(() => fs.closeSync(descriptor))
    },
  }
}

const fdatasync = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) => {
    fs.fdatasync(descriptor, (error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
