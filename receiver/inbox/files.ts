import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { InboxError } from '../inbox.ts'

/** What a path leads to: the file that it led to at first, another one, or none. */
export type Found = 'same' | 'another' | 'none'

/** The files of an open SQLite database, which goes on in them wherever they are moved, and tells nobody. */
export interface Files {
  /** @throws InboxError if what is written now would not be there after a restart. */
  requireInPlace(): void
  /** Whether the log, which may be gone, has not been replaced: it is then this database's to carry over. */
  logIsOurs(): boolean
}

/**
 * Remembers which file a path leads to, and tells what has become of that, in a few microseconds.
 * @throws Error of the file system, also later, if its folder can not be searched.
 */
export function follow(path: string): () => Found {
  const first = identityOf(path)
  return () => {
    const now = identityOf(path)
    if (now === undefined) return 'none'
    return now === first ? 'same' : 'another'
  }
}

/**
 * Follows a database that was just opened, its log and the log's index.
 * @param path as the operator gave it, for the message too
 * @param real as SQLite resolved it: the log is named after that
 */
export function filesOf(path: string, real: string): Files {
  // SQLite takes URLs as well.
  const given = path.startsWith('file:') ? real : resolve(path)
  const main = [...new Set([given, real])].map(follow)
  const log = [`${real}-wal`, `${real}-shm`].map(follow)
  const isSame = (look: () => Found): boolean => look() === 'same'

  return {
    requireInPlace() {
      if (!main.every(isSame)) {
        throw new InboxError(
          `inbox ${path}: the file was moved or replaced while it was open. Put it back, or restart the receiver.`,
        )
      }
      if (!log.every(isSame)) {
        throw new InboxError(
          `inbox ${path}: its -wal or -shm file was moved or replaced while it was open. Put it back, or restart the receiver.`,
        )
      }
    },
    logIsOurs: () => log.every((look) => look() !== 'another'),
  }
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}
