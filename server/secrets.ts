import { readFileSync, statSync } from 'node:fs'
import { inOneLine } from '../receiver/errors.ts'
import type { Verify } from '../receiver/verify.ts'
import { ConfigError, MOST_SECRETS } from './config.ts'

/** What became of a look at a secret file that had changed. Contains no secret. */
export type ReloadOutcome = { outcome: 'replaced'; count: number } | { outcome: 'kept'; error: ConfigError }

export interface ReloadingVerifierOptions {
  /** The path of a text file with one signing secret in each line: the current one, and those being replaced. */
  file: string
  /** Makes a verifier for what the file holds. */
  verifierFor: (secrets: readonly string[]) => Verify
  onReload?: (outcome: ReloadOutcome) => void
  /** How often to look whether the file has changed, in milliseconds. */
  everyMs?: number
}

export interface ReloadingVerifier {
  /** Verifies with the secrets of the moment; a delivery is judged by one set of them, never by a mixture. */
  readonly verify: Verify
  /** Reads the file at once. If it can not be used, the secrets in use stay. */
  reload(): void
  /** Begins to look whether the file has changed. */
  watch(): void
  close(): void
}

/** Far more than 16 secrets need, and little enough to be read in no time. */
const MOST_BYTES = 65_536

/**
 * A verifier whose secrets can be replaced while it works. Write the new file beside the old one and rename it: whoever
 * reads it then sees the one or the other.
 * @throws ConfigError if the file can not be used at the start.
 */
export function reloadingVerifier(options: ReloadingVerifierOptions): ReloadingVerifier {
  const { file, verifierFor, onReload = () => {}, everyMs = 1000 } = options
  // Taken before the file is read, so that a change in between is seen at the next look.
  let mark = markOf(file)
  let secrets = readSecretFile(file)
  let current = verifierFor(secrets)
  let timer: NodeJS.Timeout | undefined

  function reload(): void {
    mark = markOf(file)
    try {
      const read = readSecretFile(file)
      if (JSON.stringify(read) === JSON.stringify(secrets)) return
      current = verifierFor(read)
      secrets = read
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      onReload({ outcome: 'kept', error })
      return
    }
    onReload({ outcome: 'replaced', count: secrets.length })
  }

  return {
    verify: (rawBody, header) => current(rawBody, header),
    reload,
    watch() {
      timer ??= setInterval(() => {
        if (markOf(file) !== mark) reload()
      }, everyMs).unref()
    },
    close() {
      clearInterval(timer)
    },
  }
}

/** Differs when the file has been written or replaced. A file that is not there has a mark too. */
function markOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file)
    return [ino, size, mtimeMs, ctimeMs].join()
  } catch (error) {
    return inOneLine(error)
  }
}

/**
 * Reads one secret from each line; blank lines and white space around a secret are left out.
 * @throws ConfigError that names the file and the mend, and shows nothing of what is in it.
 */
function readSecretFile(file: string): string[] {
  const refuse = (problem: string, mend: string) =>
    new ConfigError(`WEBHOOK_SECRET_FILE ${file}: ${problem}. ${mend}`)
  let text: string
  try {
    if (statSync(file).size > MOST_BYTES)
      throw refuse('is too large', 'Give one signing secret in each line.')
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw refuse('is not text in UTF-8', 'Give one signing secret in each line.')
    }
    throw refuse(`can not be read (${code})`, 'Give a file that this program may read.')
  }
  const secrets = text.split('\n').flatMap((line) => line.trim() || [])
  if (secrets.length === 0) throw refuse('holds no secret', 'Give one signing secret in each line.')
  if (secrets.length > MOST_SECRETS) {
    throw refuse(`holds more than ${MOST_SECRETS} secrets`, 'Leave out those that are no longer used.')
  }
  // A remark that was taken for a secret would be a key that anyone can guess.
  if (secrets.some((secret) => /^[#;]|\s/.test(secret))) {
    throw refuse(
      'holds a remark, or a secret with a space in it',
      'Give one signing secret in each line, and nothing else.',
    )
  }
  // Text in another encoding looks like this, and so does a file that is no text.
  if (secrets.some((secret) => /\p{Cc}/u.test(secret))) {
    throw refuse('holds control characters', 'Give one signing secret in each line, as plain text.')
  }
  return secrets
}
