import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { integrityProblems, storedStateOf } from '../shared/sqlite.ts'
import type { SentEvent } from '../shared/traffic.ts'
import type { Survivors } from './disk.ts'

/** The name of the SQLite file. */
export const INBOX = 'inbox.sqlite'

/** What is wrong with the files that a power cut left behind. */
export interface Damage {
  /** The acknowledged events that are not in the inbox. */
  readonly lost: readonly SentEvent[]
  /** What SQLite reports about the file. */
  readonly problems: readonly string[]
}

/**
 * Opens a copy of the files, because opening them changes them.
 * @param folder does not exist yet
 */
export function inspect(files: Survivors['files'], sent: readonly SentEvent[], folder: string): Damage {
  const acknowledged = sent.filter((event) => event.acknowledged)
  mkdirSync(folder)
  try {
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
    const path = join(folder, INBOX)
    if (!existsSync(path)) return { lost: acknowledged, problems: [] }
    const stored = new Set(storedStateOf(path).events.map(keyOf))
    const lost = acknowledged.filter((event) => !stored.has(keyOf(event)))
    return { lost, problems: integrityProblems(path) }
  } catch (error) {
    return { lost: acknowledged, problems: [String(error)] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const keyOf = ({ paymentId, event }: { readonly paymentId: string; readonly event: string }): string =>
  `${paymentId} ${event}`
