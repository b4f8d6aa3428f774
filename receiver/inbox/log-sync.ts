import fs from 'node:fs'

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
  /** Everything in the log is on disk, because it was saved in another way. */
  saved(): void
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
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function start(): Promise<void> {
    running = syncOnce().finally(() => {
      running = undefined
    })
    return running
  }

  async function syncOnce(): Promise<void> {
    if (failure !== undefined) throw failure
    await new Promise<void>((resolve, reject) => {
      fs.fdatasync(descriptor, (error) => (error === null || error === undefined ? resolve() : reject(error)))
    }).catch((error: unknown) => {
      failure = error
      throw error
    })
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
    fail(error) {
      failure = error
    },
    saved() {
      failure = undefined
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
