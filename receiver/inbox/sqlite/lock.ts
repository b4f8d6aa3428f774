import { InboxError, ProcessingLockedError } from '../../inbox.ts'
import type { Database, Driver } from './driver.ts'
import { isLocked, storeError } from './errors.ts'
import { createPrivate, type FileState, trackFile } from './files.ts'

/** Lets only one inbox at a time process the events of a file, across all processes that have it open. */
export interface Lock {
  /**
   * Acquires the lock, unless this inbox already holds it.
   * @throws ProcessingLockedError if another inbox holds it; InboxError if the lock file cannot be used, or after `release`.
   */
  acquire(): void
  /** Releases the lock permanently. The operating system also releases it when the process dies. */
  release(): void
}

interface Opened {
  readonly database: Database
  readonly stateOf: () => FileState
  held: boolean
}

/**
 * The lock of the inbox at `path`: a SQLite lock, which is a lock of the kernel, on the file `lockPath`. The first `acquire`
 * creates that file, which stays empty and is never deleted: deleting a lock file would let two inboxes hold the lock.
 */
export function createLock({ DatabaseSync }: Driver, path: string, lockPath: string): Lock {
  let opened: Opened | undefined
  let released = false

  function open(): Opened {
    createPrivate(lockPath)
    const database = new DatabaseSync(lockPath)
    return { database, stateOf: trackFile(lockPath), held: false }
  }

  function close(): void {
    opened?.database.close()
    opened = undefined
  }

  return {
    acquire() {
      if (released) throw new InboxError(`inbox ${path}: the inbox is closed.`)
      // The lock file was deleted anyway, so another inbox may hold the lock by now.
      if (opened !== undefined && opened.stateOf() !== 'same') close()
      if (opened?.held) return
      try {
        opened ??= open()
        // The version number is never committed. Without it SQLite would open a read-only file for reading and lock nothing.
        opened.database.exec(
          'PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1',
        )
        opened.held = true
      } catch (error) {
        if (!isLocked(error)) {
          close()
          throw storeError(error, lockPath)
        }
        throw new ProcessingLockedError(
          `inbox ${path}: another process is handling its events. This process takes over when that one ends.`,
        )
      }
    },
    release() {
      released = true
      close()
    },
  }
}
