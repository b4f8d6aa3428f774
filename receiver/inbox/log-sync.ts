import fs from 'node:fs'

/** Syncs the log of a SQLite database to disk without blocking the process. */
export interface LogSync {
  /** Resolves when everything written to the log before the call is on disk. @throws Error of the file system */
  sync(): Promise<void>
  close(): void
}

/**
 * Opens the log with a separate file descriptor. A sync covers the file, whichever descriptor wrote it. SQLite keeps its
 * locks on other files, so closing this descriptor releases none of them.
 * @throws Error of the file system if the log cannot be opened.
 */
export function openLog(path: string): LogSync {
  const descriptor = fs.openSync(path, 'r+')
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        fs.fdatasync(descriptor, (error) =>
          error === null || error === undefined ? resolve() : reject(error),
        )
      }),
    close: () => fs.closeSync(descriptor),
  }
}
