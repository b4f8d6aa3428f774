import { InboxError } from '../../inbox.ts'

/** SQLite's result codes that the inbox acts on: one that others detail, and two in detail. */
const BUSY = 5
const FAILED_SYNC = 1034
const FAILED_SYNC_OF_FOLDER = 1290

/** Explanations of SQLite's result codes, for the person who has to fix the problem. */
const EXPLANATIONS = new Map([
  [5, 'the file is locked by another program. Stop that program, then start again.'],
  [8, 'the file or its folder is read-only. Make both writable, or choose another file.'],
  [11, 'the file is corrupt. Restore it from a backup, or move it away; nothing was changed.'],
  [13, 'the disk is full. Free some space, then start again.'],
  [14, 'the file cannot be opened. Its folder must exist, and both must be writable.'],
  [26, 'the file is not a SQLite database. Choose another file, or move it away; nothing was changed.'],
])

/** The same for a file that is opened for reading only. */
const EXPLANATIONS_OF_READING = new Map([
  ...EXPLANATIONS,
  [5, 'the file is locked by another program. Try again.'],
  [8, 'it cannot be read before a program that may write it has opened it. Start the receiver.'],
  [
    14,
    'the file cannot be read. Allow this user to read it, and its -wal and -shm files while the receiver is running.',
  ],
])

/** Converts an error of SQLite to one that names the file and the fix. */
export const storeError = (error: unknown, path: string): InboxError => explained(error, path, EXPLANATIONS)

/** The same while reading. */
export const readError = (error: unknown, path: string): InboxError =>
  explained(error, path, EXPLANATIONS_OF_READING)

/** The SQLite result code of an error; 0 if the error is not from SQLite. */
function resultCode(error: unknown): number {
  // The low byte is the primary code; the rest is detail.
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff
}

/** Whether another process holds the lock that a statement needs. */
export const isLocked = (error: unknown): boolean => resultCode(error) === BUSY

/** Whether a sync failed: what was written before may be lost although it can be read. */
export function isDiskFailure(error: unknown): boolean {
  const { errcode } = error as { errcode?: number }
  return errcode === FAILED_SYNC || errcode === FAILED_SYNC_OF_FOLDER
}

function explained(error: unknown, path: string, explanations: ReadonlyMap<number, string>): InboxError {
  if (error instanceof InboxError) return error
  const { message, name } = error as Error
  // Deno says which permission is missing; another file would need it too.
  const advice = name === 'NotCapable' ? '' : ' Choose another file.'
  const reason = explanations.get(resultCode(error)) ?? `${message}.${advice}`
  return new InboxError(`inbox ${path}: ${reason}`, { cause: error })
}
