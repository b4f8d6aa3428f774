import { readFileSync, statSync } from 'node:fs'
import { inOneLine } from '../receiver/errors.ts'
import type { Verify } from '../receiver/verify.ts'
import { ConfigError, MAX_SECRETS } from './config.ts'

/** The outcome of reading a changed secret file. Contains no secret. */
export type ReloadOutcome = { outcome: 'replaced'; count: number } | { outcome: 'kept'; error: ConfigError }

export interface ReloadingVerifierOptions {
  /** The path of a text file with one signing secret per line: the current one, and those being replaced. */
  file: string
  /** Creates a verifier for the secrets of the file. */
  verifierFor: (secrets: readonly string[]) => Verify
  onReload?: (outcome: ReloadOutcome) => void
  /** How often to check whether the file has changed, in milliseconds. */
  everyMs?: number
}

export interface ReloadingVerifier {
  /** Verifies with the current secrets; one delivery is always checked against one version of the file. */
  readonly verify: Verify
  /** Reads the file immediately. If it is not valid, the previous secrets stay in use. */
  reload(): void
  /** Starts to check regularly whether the file has changed. */
  watch(): void
  close(): void
}

/** Far more than 16 secrets need, and quick to read. */
const MAX_BYTES = 65_536

/**
 * Creates a verifier whose secrets can be replaced while it runs. To replace them, write a new file and rename it over the
 * old one, so that a reader sees either the old or the new content.
 * @throws ConfigError if the file is not valid at the start.
 */
export function reloadingVerifier(options: ReloadingVerifierOptions): ReloadingVerifier {
  const { file, verifierFor, onReload = () => {}, everyMs = 1000 } = options
  // Before the file is read, so that the next check detects a change in between.
  let version = versionOf(file)
  let secrets = readSecretFile(file)
  let current = verifierFor(secrets)
  let timer: NodeJS.Timeout | undefined

  function reload(): void {
    version = versionOf(file)
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
        if (versionOf(file) !== version) reload()
      }, everyMs).unref()
    },
    close() {
      clearInterval(timer)
    },
  }
}

/** A text that changes when the file is written, replaced or deleted. */
function versionOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file)
    return [ino, size, mtimeMs, ctimeMs].join()
  } catch (error) {
    return inOneLine(error)
  }
}

/**
 * Reads one secret per line, ignoring blank lines and whitespace around a secret.
 * @throws ConfigError that names the file and the fix, and shows nothing of its content.
 */
function readSecretFile(file: string): string[] {
  const invalid = (problem: string, fix: string) =>
    new ConfigError(`WEBHOOK_SECRET_FILE ${file}: ${problem}. ${fix}`)
  let text: string
  try {
    if (statSync(file).size > MAX_BYTES) throw invalid('is too large', 'Write one signing secret per line.')
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw invalid('is not text in UTF-8', 'Write one signing secret per line.')
    }
    throw invalid(`cannot be read (${code})`, 'Use a file that the receiver can read.')
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
  return secrets
}
