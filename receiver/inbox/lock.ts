import { InboxError } from '../inbox.ts'
import { type Database, type Driver, resultCode, storeError } from './database.ts'
import { type Found, follow } from './files.ts'

/** Lets one inbox at a time hand out the events of a file, whichever processes have it open. */
export interface Lock {
  /**
   * Takes it, unless it is held already.
   * @throws InboxError if another inbox has it, if its file can not be used, or after `release`.
   */
  take(): void
  /** Gives it up for good. A process that dies has given it up too, however it died. */
  release(): void
}

interface Opened {
  readonly database: Database
  readonly look: () => Found
  held: boolean
}

const BUSY = 5

/**
 * The lock of the inbox at `path`: SQLite's own, which is the kernel's, on the file `lockPath`. That is made at the
 * first `take` and stays, empty: whoever deletes the file of a lock lets two hold it.
 */
export function createLock({ DatabaseSync }: Driver, path: string, lockPath: string): Lock {
  let opened: Opened | undefined
  let released = false

  function open(): Opened {
    const database = new DatabaseSync(lockPath)
    return { database, look: follow(lockPath), held: false }
  }

  function drop(): void {
    opened?.database.close()
    opened = undefined
  }

  return {
    take() {
      if (released) throw new InboxError(`inbox ${path}: is closed.`)
      // Deleted after all: it may be held by another by now.
      if (opened !== undefined && opened.look() !== 'same') drop()
      if (opened?.held) return
      try {
        opened ??= open()
        // The number is never written; without it SQLite begins to read where it can not write, and holds nothing.
        opened.database.exec(
          'PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1',
        )
        opened.held = true
      } catch (error) {
        if (resultCode(error) !== BUSY) {
          drop()
          throw storeError(error, lockPath)
        }
        throw new InboxError(
          `inbox ${path}: another process handles its events. This one takes over when that ends.`,
        )
      }
    },
    release() {
      released = true
      drop()
    },
  }
}
