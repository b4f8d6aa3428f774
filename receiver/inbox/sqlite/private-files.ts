import { closeSync, existsSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A file that others than its owner may read or write. */
export interface ExposedFile {
  readonly path: string
  /** The permissions, for example 0o644. */
  readonly mode: number
}

/**
 * Creates the file that SQLite would create, if it does not exist, so that only its owner can read it: the events in it
 * contain data of customers, and who can read a file can also lock it. SQLite gives the -wal and -shm files the same
 * permissions. If this fails, SQLite reports the reason better.
 * @param path a path, or a `file:` URL of SQLite
 */
export function createPrivate(path: string): void {
  const file = pathOf(path)
  if (file === undefined) return
  try {
    createMissing(file, MAX_LINKS)
  } catch {
    // Without the file, SQLite tries the same.
  }
}

/** As many as Linux follows. */
const MAX_LINKS = 40

function createMissing(path: string, links: number): void {
  // A file that exists is never opened: closing it would release the locks of this process on it.
  if (links === 0 || existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // A symbolic link to a file that does not exist, which SQLite follows.
    createMissing(resolve(realpathSync(dirname(path)), readlinkSync(path)), links - 1)
  }
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
