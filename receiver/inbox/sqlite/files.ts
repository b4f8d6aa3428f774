import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InboxError } from '../../inbox.ts'

/** Whether a path still leads to the file it led to at first, to another file, or to no file. */
export type FileState = 'same' | 'replaced' | 'missing'

/** The files of an open SQLite database, which silently keeps using them after they are moved. */
export interface Files {
  /**
   * Call this before a write: SQLite keeps writing to a file that was moved or deleted, and a restart would not find what it
   * wrote.
   * @throws InboxError if the files are no longer where they were when the database was opened.
   */
  requireInPlace(): void
  /** Whether the log has not been replaced (it may be deleted), so that this database may checkpoint it. */
  logIsOurs(): boolean
  /** The size of the log. */
  logBytes(): number
}

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
 * @param path as the operator gave it, also for messages
 * @param real the path of the file as SQLite resolved it, from which the names of the log files derive
 */
export function trackFiles(path: string, real: string): Files {
  // SQLite also accepts URLs.
  const given = path.startsWith('file:') ? real : resolve(path)
  const main = [...new Set([given, real])].map(trackFile)
  const log = [`${real}-wal`, `${real}-shm`].map(trackFile)
  const isSame = (stateOf: () => FileState): boolean => stateOf() === 'same'

  return {
    requireInPlace() {
      if (!main.every(isSame)) {
        throw new InboxError(
          `inbox ${path}: the file was moved or replaced while the receiver was running. Put it back: after a restart without it, the events in it are lost.`,
        )
      }
      if (!log.every(isSame)) {
        throw new InboxError(
          `inbox ${path}: its -wal or -shm file was moved or replaced while the receiver was running. Put it back, or restart the receiver.`,
        )
      }
    },
    logIsOurs: () => log.every((stateOf) => stateOf() !== 'replaced'),
    logBytes: () => sizeOf(`${real}-wal`),
  }
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/** A file that others than its owner may read or write. */
export interface ExposedFile {
  readonly path: string
  /** The permissions, for example 0o644. */
  readonly mode: number
}

/**
 * A log is all that is left of the newest events if its database was deleted or moved. SQLite would delete it for a database
 * that is new.
 * @param path a path, or a `file:` URL of SQLite
 * @throws InboxError if there is a log, but no database.
 */
export function requireNoLogAlone(path: string): void {
  const file = pathOf(path)
  if (file === undefined || sizeOf(file) > 0 || sizeOf(`${targetOf(file)}-wal`) === 0) return
  throw new InboxError(
    `inbox ${path}: its -wal file is there, which may hold acknowledged events, but the database is not. Put the database back, or move the -wal file away to start without those events.`,
  )
}

const sizeOf = (path: string): number => statOf(path)?.size ?? 0

/**
 * Creates the file that SQLite would create, if it does not exist, so that only its owner can read it: the events in it
 * contain data of customers, and who can read a file can also lock it. SQLite gives the -wal and -shm files the same
 * permissions. If this fails, SQLite reports the reason better.
 * @param path a path, or a `file:` URL of SQLite
 */
export function createPrivate(path: string): void {
  const file = pathOf(path)
  try {
    // A file that exists is never opened: closing it would release the locks of this process on it.
    if (file !== undefined && !existsSync(file)) closeSync(openSync(targetOf(file), 'wx', 0o600))
  } catch {
    // Without the file, SQLite tries the same.
  }
}

/** As many as Linux follows. */
const MAX_LINKS = 40

/** The file that a path leads to through symbolic links, also one that does not exist. SQLite names the log after it. */
function targetOf(path: string, links = MAX_LINKS): string {
  if (links === 0 || lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path
  return targetOf(resolve(realpathSync(dirname(path)), readlinkSync(path)), links - 1)
}

/** The file that SQLite creates for a path; undefined if it creates none. */
function pathOf(path: string): string | undefined {
  const file = path.startsWith('file:') ? pathOfUrl(path) : path
  return file === '' || file === ':memory:' ? undefined : file
}

function pathOfUrl(path: string): string | undefined {
  const [, encoded, query = ''] = /^file:(?:\/\/(?:localhost)?(?=\/))?([^?#]*)(\?[^#]*)?/.exec(path) ?? []
  const mode = new URLSearchParams(query).get('mode') ?? 'rwc'
  try {
    return encoded !== undefined && mode === 'rwc' ? decodeURIComponent(encoded) : undefined
  } catch {
    // Not valid percent-encoding; SQLite decodes it in its own way.
    return undefined
  }
}

/** Those of the given files that exist and that others than their owner may read or write. */
export function exposedFiles(paths: readonly string[]): ExposedFile[] {
  // Windows has other permissions, which Node.js does not report.
  if (process.platform === 'win32') return []
  return paths.flatMap((path) => {
    const file = statSync(path, { throwIfNoEntry: false })
    return file !== undefined && (file.mode & 0o077) !== 0 ? { path, mode: file.mode & 0o777 } : []
  })
}
