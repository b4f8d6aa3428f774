import { statSync } from 'node:fs'
import { inOneLine, type Verify } from '@hookproof/receiver'
import { ConfigError } from '../config.ts'
import { readSecretFile } from './secret-file.ts'

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
  /** Whether every user of the machine could read the file at the start. */
  readonly isPublic: boolean
  /** Reads the file immediately. If it is not valid, the previous secrets stay in use. */
  reload(): void
  /** Starts to check regularly whether the file has changed. A file that could not be read is tried again each time. */
  watch(): void
  close(): void
}

/**
 * Creates a verifier whose secrets can be replaced while it runs. To replace them, write a new file and rename it over the
 * old one, so that a reader sees either the old or the new content.
 * @throws ConfigError if the file is not valid at the start.
 */
export function reloadingVerifier(options: ReloadingVerifierOptions): ReloadingVerifier {
  const { file, verifierFor, onReload = () => {}, everyMs = 1000 } = options
  // Before the file is read, so that the next check detects a change in between.
  /** The version that was read; undefined if the file could not be read. */
  let version: string | undefined = versionOf(file)
  const { isPublic, ...first } = readSecretFile(file)
  let { secrets } = first
  let current = verifierFor(secrets)
  /** The failure that was reported last. */
  let reported = ''
  let timer: NodeJS.Timeout | undefined

  function reload(): void {
    const found = versionOf(file)
    version = undefined
    try {
      const { secrets: read } = readSecretFile(file)
      version = found
      reported = ''
      if (JSON.stringify(read) === JSON.stringify(secrets)) return
      current = verifierFor(read)
      secrets = read
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const failure = `${found} ${error.message}`
      if (failure !== reported) onReload({ outcome: 'kept', error })
      reported = failure
      return
    }
    onReload({ outcome: 'replaced', count: secrets.length })
  }

  return {
    verify: (rawBody, header) => current(rawBody, header),
    isPublic,
    reload() {
      reported = ''
      reload()
    },
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
