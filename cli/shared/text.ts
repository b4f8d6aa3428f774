/** A text from outside, shortened and on one line so that it fits into a message. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ').slice(0, 200)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'part of the path is not a directory',
  EEXIST: 'part of the path is not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

/** Why a file could not be used, in a few words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}

/** The object without its undefined values, so that defaults apply to them. */
export function defined<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
