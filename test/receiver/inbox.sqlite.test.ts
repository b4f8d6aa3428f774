import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../receiver/inbox/database.ts'
import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import { InboxError } from '../../receiver/inbox.ts'
import { delivery, NOW, temporaryFile } from './support.ts'

const completed = (id: string) => delivery({ event: 'payment.completed', payment_id: id })

describe('the file', () => {
  it('is in WAL mode and synced at each commit', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile() })
    const { database } = inbox
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
    await inbox.close()
  })

  it('finds what is due by its index, and never scans what was handled', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile() })
    const { database } = inbox
    const plan = database
      .prepare(
        `EXPLAIN QUERY PLAN SELECT id FROM inbox
         WHERE state <> 'done' AND state = 'pending' AND due_at <= 5 ORDER BY due_at, id LIMIT 8`,
      )
      .all()
    expect(JSON.stringify(plan)).toContain('USING COVERING INDEX inbox_open (state=? AND due_at<?)')
    await inbox.close()
  })

  it('holds every state when it is opened again', async () => {
    const path = temporaryFile()
    const before = await sqliteInbox({ path })
    for (const id of ['tx_1', 'tx_2', 'tx_3', 'tx_4', 'tx_5']) await before.accept(completed(id))
    const [done, dead, later] = await before.claim(4, NOW)
    await before.complete(done?.id ?? '')
    await before.giveUp(dead?.id ?? '', 'no')
    await before.retryLater(later?.id ?? '', NOW + 9, 'later')
    const states = ['pending', 'processing', 'done', 'dead'] as const
    const entries = await Promise.all(states.map((state) => before.list({ state })))
    await before.close()

    const after = await sqliteInbox({ path })
    expect(await Promise.all(states.map((state) => after.list({ state })))).toEqual(entries)
    expect(await after.accept(completed('tx_1'))).toBe('duplicate')
    await after.close()
  })

  it('may be looked at by another program while a receiver works on it', async () => {
    const path = temporaryFile()
    const receiver = await sqliteInbox({ path })
    await receiver.accept(completed('tx_1'))
    await receiver.claim(1, NOW)
    const onlooker = await sqliteInbox({ path })
    expect(await onlooker.list({ state: 'processing' })).toHaveLength(1)
    await onlooker.close()
    await receiver.close()
  })

  it('is made once when two open it together', async () => {
    const path = temporaryFile()
    const both = await Promise.all([sqliteInbox({ path }), sqliteInbox({ path })])
    for (const inbox of both) await inbox.close()
  })

  it('rejects, rather than throws, once it is closed', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile() })
    await inbox.close()
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow()
    await expect(inbox.claim(1, NOW)).rejects.toThrow()
  })
})

async function expectRefusal(path: string, mend: RegExp): Promise<void> {
  const error: unknown = await sqliteInbox({ path }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InboxError)
  const { message } = error as InboxError
  expect(message).toContain(path)
  expect(message).toMatch(mend)
  expect(message).not.toContain('\n')
}

describe('a file that can not be used', () => {
  it('is left as it was when it is no database', async () => {
    const path = temporaryFile('notes.txt')
    writeFileSync(path, 'These are my notes.\n'.repeat(300))
    const before = readFileSync(path)
    await expectRefusal(path, /not a SQLite database\..*move it away/)
    expect(readFileSync(path)).toEqual(before)
  })

  it('is left as it was when its schema is damaged', async () => {
    const path = temporaryFile()
    await (await sqliteInbox({ path })).close()
    const damaged = readFileSync(path)
    damaged.fill(0xa5, 100, 400)
    writeFileSync(path, damaged)
    await expectRefusal(path, /damaged\. Restore it from a backup/)
    expect(readFileSync(path)).toEqual(damaged)
  })

  it('is left as it was when a newer version made it', async () => {
    const path = temporaryFile()
    const database = await openDatabase(path)
    database.exec('PRAGMA user_version = 99; PRAGMA journal_mode = DELETE')
    database.close()
    const before = readFileSync(path)
    await expectRefusal(path, /newer version .*99.*Update the program/)
    expect(readFileSync(path)).toEqual(before)
  })

  it('is named when it belongs to another program', async () => {
    const path = temporaryFile()
    const database = await openDatabase(path)
    database.exec('DROP TABLE ledger')
    database.close()
    await expectRefusal(path, /no such table: ledger\. Choose another file/)
  })

  it('is named when it is held by another program', async () => {
    const path = temporaryFile()
    const holder = await openDatabase(path)
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; PRAGMA user_version = 0; COMMIT')
    await expectRefusal(path, /another program holds the file/)
    holder.close()
  })

  it('is named when it is a folder, or in none', async () => {
    const path = temporaryFile()
    await expectRefusal(dirname(path), /folder must exist/)
    await expectRefusal(`${path}/in/no/folder.sqlite`, /folder must exist/)
  })
})
