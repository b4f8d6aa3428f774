import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { ConfigError, MAX_SECRETS, withoutCredentials } from '../config.ts'

/** What a secret file contains, and who can read it. */
export interface SecretFile {
  readonly secrets: readonly string[]
  /** Whether every user of the machine can read it. */
  readonly isPublic: boolean
}

/** Far more than 16 secrets need, and quick to read. */
const MAX_BYTES = 65_536

/**
 * Reads one secret per line, ignoring blank lines and whitespace around a secret.
 * @throws ConfigError that names the file and the fix, and shows nothing of its content.
 */
export function readSecretFile(file: string): SecretFile {
  const invalid = (problem: string, fix: string) =>
    new ConfigError(`WEBHOOK_SECRET_FILE ${withoutCredentials(file)}: ${problem}. ${fix}`)
  const { bytes, isPublic } = readRegularFile(file, invalid)
  if (bytes.length > MAX_BYTES) throw invalid('is too large', 'Write one signing secret per line.')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('is not text in UTF-8', 'Write one signing secret per line.')
  }
  const secrets = text.split('\n').flatMap((line) => line.trim() || [])
  if (secrets.length === 0) throw invalid('contains no secret', 'Write one signing secret per line.')
  if (secrets.length > MAX_SECRETS) {
    throw invalid(`contains more than ${MAX_SECRETS} secrets`, 'Remove those that are no longer used.')
  }
  // A comment read as a secret would be a key that anyone could guess.
  if (secrets.some((secret) => /^[#;]|\s/.test(secret))) {
    throw invalid(
      'contains a comment, or a secret with a space in it',
      'Write one signing secret per line, and nothing else.',
    )
  }
  // A sign of another encoding or a binary file.
  if (secrets.some((secret) => /\p{Cc}/u.test(secret))) {
    throw invalid('contains control characters', 'Write one signing secret per line, as plain text.')
  }
  return { secrets, isPublic }
}

/** Whether every user may read a file. On Windows Node.js reports permissions that it makes up. */
export const isReadableByAll = ({ mode }: Pick<Stats, 'mode'>, platform = process.platform): boolean =>
  platform !== 'win32' && (mode & 0o004) !== 0

/** Reads up to one byte more than the limit. A pipe or a device is not read, because it may never end. */
function readRegularFile(
  file: string,
  invalid: (problem: string, fix: string) => ConfigError,
): { bytes: Buffer; isPublic: boolean } {
  let fd: number | undefined
  try {
    // Without O_NONBLOCK, opening a pipe waits for its writer.
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw invalid('is not a regular file', 'Use a text file with the signing secrets.')
    const buffer = Buffer.alloc(MAX_BYTES + 1)
    let length = 0
    // The size may be unknown, or the file may be growing: read until the end.
    for (let count = 1; count > 0 && length < buffer.length; length += count) {
      count = readSync(fd, buffer, length, buffer.length - length, null)
    }
    return { bytes: buffer.subarray(0, length), isPublic: isReadableByAll(stat) }
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw invalid(`cannot be read (${code})`, 'Use a file that the receiver can read.')
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
