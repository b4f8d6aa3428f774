import { randomBytes } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteInbox } from '@hookproof/receiver/sqlite'
import { createGenerator, serialize } from '../../fixtures/index.ts'
import { createTemporaryFolder } from '../shared/temporary-folder.ts'

const ROWS = 200_000

/** Copies of one inbox with 200,000 events, since an empty one would be unrealistically fast. */
export interface FilledDatabases {
  /** Makes a new copy. @returns the arguments that pass it to a server; none for a server without a database */
  copyFor(variant: string): string[]
  remove(): void
}

export async function filledDatabases(): Promise<FilledDatabases> {
  const folder = createTemporaryFolder()
  const filled = join(folder.path, 'filled.sqlite')
  const inbox = await sqliteInbox({ path: filled })
  const insert = inbox.database.prepare(
    `INSERT INTO inbox (key, payment_id, event, body, signed_at, received_at, state) VALUES (?, ?, ?, ?, ?, ?, 'done')`,
  )
  const body = serialize(createGenerator('filled').event('completed'))
  inbox.database.exec('BEGIN')
  for (let count = 0; count < ROWS; count += 1) {
    const id = `tx_${randomBytes(15).toString('base64url')}`
    const key = JSON.stringify([id, 'payment.completed'])
    insert.run(key, id, 'payment.completed', body, 1_750_000_000, 1_750_000_000_000)
  }
  inbox.database.exec('COMMIT')
  await inbox.close()

  const copy = join(folder.path, 'inbox.sqlite')
  return {
    copyFor(variant) {
      if (variant === 'bare Express') return []
      for (const suffix of ['-wal', '-shm']) rmSync(copy + suffix, { force: true })
      copyFileSync(filled, copy)
      return [copy]
    },
    remove: () => folder.remove(),
  }
}
