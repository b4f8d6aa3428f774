import fs from 'node:fs'

/** Puts the log of a SQLite database onto the disk while the process does other things. */
export interface LogSync {
  /** Resolves when all that was written to the log before the call is on the disk. @throws Error of the disk */
  sync(): Promise<void>
  close(): void
}

/**
 * Opens the log by a descriptor of our own. What it syncs is the file, whoever wrote into it; SQLite holds its locks on
 * other files, and so loses none of them when this one is closed.
 * @throws Error of the file system if it can not be opened.
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
