import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { InboxError } from '../../inbox.ts'
import { type Database, realPath } from './driver.ts'

/** Whether a path still leads to the file it led to at first, to another file, or to no file. */
export type FileState = 'same' | 'replaced' | 'missing'

/** The files of an open SQLite database, which silently keeps using them after they are moved. */
interface Files {
  requireInPlace(): void
  logIsOurs(): boolean
}

const tracked = new WeakMap<Database, Files>()

/**
 * Remembers which file a path leads to.
 * @returns a function that checks, in a few microseconds, whether it still leads there
 * @throws Error of the file system, also from the returned function, if the folder cannot be searched.
 */
export function trackFile(path: string): () => FileState {
  const first = statOf(path)
  return () => {
    const now = statOf(path)
    if (now === undefined) return 'missing'
    return now.ino === first?.ino && now.dev === first.dev ? 'same' : 'replaced'
  }
}

/**
 * Tracks the files of a database that was just opened: the database, its log and the index of the log.
 * @param path as the operator gave it, also for messages; the names of the log files derive from the real path
 */
export function trackFiles(database: Database, path: string): void {
  tracked.set(database, filesOf(path, realPath(database)))
}

/**
 * Call this before a write: SQLite keeps writing to a file that was moved or deleted, and a restart would not find what it
 * wrote.
 * @throws InboxError if the files of the database are no longer where they were when it was opened.
 */
export const requireInPlace = (database: Database): void => tracked.get(database)?.requireInPlace()

/** Whether a write may be made: `requireInPlace` would not throw. */
export function isInPlace(database: Database): boolean {
  try {
    requireInPlace(database)
    return true
  } catch {
    return false
  }
}

/** Whether the log has not been replaced (it may be deleted), so that this database may checkpoint it. */
export const logIsOurs = (database: Database): boolean => tracked.get(database)?.logIsOurs() ?? true

function filesOf(path: string, real: string): Files {
  // SQLite also accepts URLs.
  const given = path.startsWith('file:') ? real : resolve(path)
  const main = [...new Set([given, real])].map(trackFile)
  const log = [`${real}-wal`, `${real}-shm`].map(trackFile)
  const isSame = (stateOf: () => FileState): boolean => stateOf() === 'same'

  return {
    requireInPlace() {
      if (!main.every(isSame)) {
        throw new InboxError(
          `inbox ${path}: the file was moved or replaced while the receiver was running. Put it back, or restart the receiver.`,
        )
      }
      if (!log.every(isSame)) {
        throw new InboxError(
          `inbox ${path}: its -wal or -shm file was moved or replaced while the receiver was running. Put it back, or restart the receiver.`,
        )
      }
    },
    logIsOurs: () => log.every((stateOf) => stateOf() !== 'replaced'),
  }
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })
