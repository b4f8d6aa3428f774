import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../receiver/inbox/database.ts'
import { sqliteInbox } from '../../../receiver/inbox/sqlite.ts'
import { deduplicationKey, InboxError } from '../../../receiver/inbox.ts'
import { sqliteLedger } from '../../../receiver/ledger/sqlite.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'
import { completed, NOW } from '../support.ts'

/** An empty database, made as nobody's. */
async function openBare(path: string): Promise<Database> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  return new DatabaseSync(path)
}

/** As version 0.1.0 of the receiver made it. */
const SCHEMA_1 = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE inbox (
    id          INTEGER PRIMARY KEY,
    key         TEXT    NOT NULL UNIQUE,
    payment_id  TEXT    NOT NULL,
    event       TEXT    NOT NULL,
    body        BLOB    NOT NULL,
    signed_at   INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    state       TEXT    NOT NULL DEFAULT 'pending',
    attempts    INTEGER NOT NULL DEFAULT 0,
    due_at      INTEGER NOT NULL DEFAULT 0,
    last_error  TEXT
  );
  CREATE INDEX inbox_open ON inbox (state, due_at) WHERE state <> 'done';
  CREATE TABLE ledger (
    id         INTEGER PRIMARY KEY,
    payment_id TEXT    NOT NULL,
    livemode   INTEGER NOT NULL,
    effect     TEXT    NOT NULL,
    event      TEXT    NOT NULL,
    amount     TEXT    NOT NULL,
    currency   TEXT    NOT NULL,
    UNIQUE (payment_id, livemode, effect)
  );
  PRAGMA user_version = 1;
`

describe('the file', () => {
  it('is in WAL mode and synced at each commit', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    const { database } = inbox
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
    expect(database.prepare('PRAGMA wal_autocheckpoint').get()).toEqual({ wal_autocheckpoint: 20_000 })
    await inbox.close()
  })

  it.each([
    [
      'what is due',
      `SELECT id FROM inbox WHERE state <> 'done' AND state = 'pending' AND due_at <= 5 ORDER BY due_at, id LIMIT 8`,
      'SEARCH inbox USING COVERING INDEX inbox_open (state=? AND due_at<?)',
    ],
    [
      'how much waits',
      `SELECT state, count(*), min(id) FROM inbox WHERE state <> 'done' GROUP BY state`,
      'SCAN inbox USING COVERING INDEX inbox_open',
    ],
    [
      'what is old',
      `SELECT id FROM inbox WHERE state = 'done' AND received_at < 5 ORDER BY received_at LIMIT 8`,
      'SEARCH inbox USING COVERING INDEX inbox_done (received_at<?)',
    ],
  ])('finds %s by an index of its own, and never scans what was handled', async (_name, query, plan) => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    const steps = inbox.database.prepare(`EXPLAIN QUERY PLAN ${query}`).all()
    expect(steps.map(({ detail }: { detail: string }) => detail)).toEqual([plan])
    await inbox.close()
  })

  it('takes over its log when nothing is written for a moment', async () => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path })
    const before = statSync(path).size
    for (let n = 0; n < 50; n++) await inbox.accept(completed(`tx_${n}`))
    expect(statSync(path).size).toBe(before)
    await until(() => statSync(path).size > before)
    await inbox.close()
  })

  it('may be looked at by another program while a receiver works on it', async () => {
    const path = temporaryFile('inbox.sqlite')
    const receiver = await sqliteInbox({ path })
    await receiver.accept(completed('tx_1'))
    await receiver.claim(1, NOW)
    const onlooker = await sqliteInbox({ path })
    expect(await onlooker.list({ state: 'processing' })).toHaveLength(1)
    await onlooker.close()
    await receiver.close()
  })

  it("is not made in another program's database, which stays as it was", async () => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    inbox.database.exec(`ATTACH '${path}' AS theirs; CREATE TABLE theirs.notes (text); DETACH theirs`)
    await inbox.close()
    const before = readFileSync(path)

    await expect(sqliteInbox({ path })).rejects.toThrow(/is another program's database\. Choose another file/)
    expect(readFileSync(path)).toEqual(before)
  })

  it('is made once when two open it together', async () => {
    const path = temporaryFile('inbox.sqlite')
    const both = await Promise.all([sqliteInbox({ path }), sqliteInbox({ path })])
    for (const inbox of both) await inbox.close()
  })

  it('ends a purge that is under way when it is closed, and keeps what that has not reached', async () => {
    const path = temporaryFile('inbox.sqlite')
    const clock = () => NOW
    const inbox = await sqliteInbox({ path, clock })
    await Promise.all(Array.from({ length: 2000 }, (_, n) => inbox.accept(completed(`tx_${n}`))))
    await Promise.all((await inbox.claim(2000, NOW)).map((entry) => inbox.complete(entry)))
    const [purged] = await Promise.all([inbox.purge(NOW + 1), inbox.close()])
    expect(purged).toBeLessThan(2000)
    const after = await sqliteInbox({ path, clock })
    expect(await after.purge(NOW + 1)).toBe(2000 - purged)
    await after.close()
  })

  it('rejects, rather than throws, once it is closed', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    await inbox.close()
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow()
    await expect(inbox.claim(1, NOW)).rejects.toThrow()
  })
})

describe('a file of the version before', () => {
  it('is taken over with all that is in it', async () => {
    const path = temporaryFile('inbox.sqlite')
    const old = await openBare(path)
    old.exec(SCHEMA_1)
    const insert = old.prepare(
      `INSERT INTO inbox (key, payment_id, event, body, signed_at, received_at, state, attempts, due_at, last_error)
       VALUES (?, ?, 'payment.completed', ?, ?, ?, ?, ?, 0, ?)`,
    )
    const states = ['done', 'pending', 'processing', 'dead']
    const deliveries = states.map((state) => completed(`tx_${state}`))
    for (const [at, given] of deliveries.entries()) {
      const key = deduplicationKey(given)
      insert.run(
        key,
        given.paymentId,
        given.body,
        NOW,
        NOW + at,
        states[at],
        at,
        at === 3 ? 'no goods' : null,
      )
    }
    old.exec(`INSERT INTO ledger VALUES (1, 'tx_done', 0, 'fulfilled', 'payment.completed', '25.00', 'USD')`)
    old.close()

    const inbox = await sqliteInbox({ path })
    expect(inbox.database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
    expect(inbox.database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    for (const given of deliveries) expect(await inbox.accept(given)).toBe('duplicate')
    expect(await inbox.list({ state: 'dead' })).toMatchObject([{ attempts: 3, lastError: 'no goods' }])
    expect(await inbox.depth(NOW + 11)).toEqual({ pending: 1, processing: 1, dead: 1, oldestPendingMs: 10 })
    expect(await sqliteLedger(inbox.database).linesOf('tx_done')).toHaveLength(1)
    expect(await inbox.purge(NOW + 1)).toBe(1)
    await inbox.close()
  })

  it('is taken over once when two open it together', async () => {
    const path = temporaryFile('inbox.sqlite')
    const old = await openBare(path)
    old.exec(SCHEMA_1)
    old.close()
    const both = await Promise.all([sqliteInbox({ path }), sqliteInbox({ path })])
    for (const inbox of both) await inbox.close()
  })
})

describe('a ledger', () => {
  it('takes no line in a transaction of another database, where it would not be taken back', async () => {
    const [one, other] = [
      await openDatabase(temporaryFile('inbox.sqlite')),
      await openDatabase(temporaryFile('inbox.sqlite')),
    ]
    const line = {
      paymentId: 'tx_1',
      livemode: true,
      effect: 'fulfilled',
      event: 'e',
      amount: '1',
      currency: 'USD',
    }
    const add = () => sqliteLedger(one).addUnless(other, [], { ...line, effect: 'fulfilled' })
    expect(add).toThrow(/another database/)
    one.close()
    other.close()
  })
})

describe('a store that can not take a write', () => {
  it('is found out by a write, which a look would not do', async () => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path })
    await inbox.accept(completed('tx_1'))
    const logSize = () => statSync(`${path}-wal`).size
    const before = logSize()
    await inbox.check()
    expect(logSize()).toBeGreaterThan(before)
    await inbox.close()
  })

  it('is read-only', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    inbox.database.exec('PRAGMA query_only = ON')
    await expect(inbox.check()).rejects.toThrow(InboxError)
    await expect(inbox.check()).rejects.toThrow(/read-only\. Make both writable/)
    inbox.database.exec('PRAGMA query_only = OFF')
    await inbox.check()
    await inbox.close()
  })

  it('is held by another program', async () => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path })
    const holder = await openDatabase(path)
    holder.exec('BEGIN IMMEDIATE')
    await expect(inbox.check()).rejects.toThrow(/another program holds the file/)
    holder.exec('ROLLBACK')
    await inbox.check()
    holder.close()
    await inbox.close()
  })

  it('is closed', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    await inbox.close()
    await expect(inbox.check()).rejects.toThrow(InboxError)
  })

  it('never sets back the version that a newer program has given the file', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    inbox.database.exec('PRAGMA user_version = 99')
    await inbox.check()
    expect(inbox.database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 })
    await inbox.close()
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
    const path = temporaryFile('inbox.sqlite')
    await (await sqliteInbox({ path })).close()
    const damaged = readFileSync(path)
    damaged.fill(0xa5, 100, 400)
    writeFileSync(path, damaged)
    await expectRefusal(path, /damaged\. Restore it from a backup/)
    expect(readFileSync(path)).toEqual(damaged)
  })

  it('is left as it was when a newer version made it', async () => {
    const path = temporaryFile('inbox.sqlite')
    const database = await openDatabase(path)
    database.exec('PRAGMA user_version = 99; PRAGMA journal_mode = DELETE')
    database.close()
    const before = readFileSync(path)
    await expectRefusal(path, /newer version .*99.*Update the program/)
    expect(readFileSync(path)).toEqual(before)
  })

  it('is named when it belongs to another program', async () => {
    const path = temporaryFile('inbox.sqlite')
    const database = await openDatabase(path)
    database.exec('DROP TABLE ledger')
    database.close()
    await expectRefusal(path, /no such table: ledger\. Choose another file/)
  })

  it('is named when it is held by another program', async () => {
    const path = temporaryFile('inbox.sqlite')
    const holder = await openDatabase(path)
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; PRAGMA user_version = 0; COMMIT')
    await expectRefusal(path, /another program holds the file/)
    holder.close()
  })

  it('is named when it is a folder, or in none', async () => {
    const path = temporaryFile('inbox.sqlite')
    await expectRefusal(dirname(path), /folder must exist/)
    await expectRefusal(`${path}/in/no/folder.sqlite`, /folder must exist/)
  })
})
