import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import type { Database } from '../../../../receiver/inbox/sqlite/driver.ts'
import { sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { deduplicationKey, InboxError } from '../../../../receiver/inbox.ts'
import { sqliteLedger } from '../../../../receiver/ledger/sqlite.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'
import { completed, NOW } from '../../support.ts'

/** Opens a database without creating our tables. */
async function openBare(path: string): Promise<Database> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  return new DatabaseSync(path)
}

/** The schema of version 0.1.0 of the receiver. */
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
    expect(database.prepare('PRAGMA wal_autocheckpoint').get()).toEqual({ wal_autocheckpoint: 0 })
    expect(database.prepare('PRAGMA journal_size_limit').get()).toEqual({ journal_size_limit: 104_857_600 })
    await inbox.close()
  })

  it.each([
    [
      'due entries',
      `SELECT id FROM inbox WHERE state <> 'done' AND state = 'pending' AND due_at <= 5 ORDER BY due_at, id LIMIT 8`,
      'SEARCH inbox USING COVERING INDEX inbox_open (state=? AND due_at<?)',
    ],
    [
      'entries that are due too late',
      `SELECT id FROM inbox WHERE state <> 'done' AND state = 'pending' AND due_at > 5`,
      'SEARCH inbox USING COVERING INDEX inbox_open (state=? AND due_at>?)',
    ],
    [
      'the number of unfinished entries',
      `SELECT state, count(*), min(id) FROM inbox WHERE state <> 'done' GROUP BY state`,
      'SCAN inbox USING COVERING INDEX inbox_open',
    ],
    [
      'old entries',
      `SELECT id FROM inbox WHERE state = 'done' AND received_at < 5 ORDER BY received_at LIMIT 8`,
      'SEARCH inbox USING COVERING INDEX inbox_done (received_at<?)',
    ],
  ])('finds %s with an index, without scanning handled entries', async (_name, query, plan) => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    const steps = inbox.database.prepare(`EXPLAIN QUERY PLAN ${query}`).all()
    expect(steps.map(({ detail }: { detail: string }) => detail)).toEqual([plan])
    await inbox.close()
  })

  it('checkpoints its log when idle', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path })
    const before = statSync(path).size
    for (let n = 0; n < 50; n++) await inbox.accept(completed(`tx_${n}`))
    // Not idle yet: there were writes since the previous check.
    vi.advanceTimersByTime(1000)
    expect(statSync(path).size).toBe(before)
    await until(() => {
      vi.advanceTimersByTime(1000)
      return statSync(path).size > before
    })
    await inbox.close()
  })

  it('truncates its log when a read that made it long has ended', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path })
    inbox.database.exec('PRAGMA journal_size_limit = 100000')
    const reader = await openDatabase(path)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM inbox').get()
    for (let n = 0; n < 50; n++) await inbox.accept(completed(`tx_${n}`))
    const logSize = () => statSync(`${path}-wal`).size
    vi.advanceTimersByTime(5000)
    expect(logSize()).toBeGreaterThan(200_000)
    reader.exec('COMMIT')
    await until(() => {
      vi.advanceTimersByTime(1000)
      return logSize() <= 100_000
    })
    reader.close()
    await inbox.close()
  })

  it('can be read by another program while a receiver uses it', async () => {
    const path = temporaryFile('inbox.sqlite')
    const receiver = await sqliteInbox({ path })
    await receiver.accept(completed('tx_1'))
    await receiver.claim(1, NOW)
    const reader = await sqliteInbox({ path })
    expect(await reader.list({ state: 'processing' })).toHaveLength(1)
    await reader.close()
    await receiver.close()
  })

  it('is not created in the database of another program, which stays unchanged', async () => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    inbox.database.exec(`ATTACH '${path}' AS theirs; CREATE TABLE theirs.notes (text); DETACH theirs`)
    await inbox.close()
    const before = readFileSync(path)

    await expect(sqliteInbox({ path })).rejects.toThrow(
      /the file is the database of another program\. Choose another file/,
    )
    expect(readFileSync(path)).toEqual(before)
  })

  it('is created once when two processes open it at the same time', async () => {
    const path = temporaryFile('inbox.sqlite')
    const both = await Promise.all([sqliteInbox({ path }), sqliteInbox({ path })])
    for (const inbox of both) await inbox.close()
  })

  it('ends a running purge on close, and keeps what was not purged yet', async () => {
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

  it('purges large bodies in small transactions', async () => {
    const clock = () => NOW
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite'), clock })
    const body = Buffer.alloc(3 * 1024 * 1024)
    for (let n = 0; n < 5; n++) await inbox.accept({ ...completed(`tx_${n}`), body })
    for (const entry of await inbox.claim(5, NOW)) await inbox.complete(entry)
    const purged: number[] = []
    const write = vi.spyOn(inbox.database, 'exec')
    write.mockImplementation((sql) => {
      if (sql === 'COMMIT') purged.push(inbox.database.prepare('SELECT changes() AS count').get().count)
      return Object.getPrototypeOf(inbox.database).exec.call(inbox.database, sql)
    })
    expect(await inbox.purge(NOW + 1)).toBe(5)
    expect(purged).toEqual([3, 2, 0])
    write.mockRestore()
    await inbox.close()
  })

  it('rejects instead of throwing once it is closed', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    await inbox.close()
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow()
    await expect(inbox.claim(1, NOW)).rejects.toThrow()
  })
})

describe('a file of the previous version', () => {
  it('is migrated with all its data', async () => {
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
        states[at] ?? '',
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

  it('is migrated once when two inboxes open it at the same time', async () => {
    const path = temporaryFile('inbox.sqlite')
    const old = await openBare(path)
    old.exec(SCHEMA_1)
    old.close()
    const both = await Promise.all([sqliteInbox({ path }), sqliteInbox({ path })])
    for (const inbox of both) await inbox.close()
  })
})

describe('a ledger', () => {
  it('rejects a transaction of another database, which could not roll it back', async () => {
    const [first, other] = [
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
    const add = () => sqliteLedger(first).addUnless(other, [], { ...line, effect: 'fulfilled' })
    expect(add).toThrow(/another database/)
    first.close()
    other.close()
  })
})

describe('the check of the store', () => {
  it('writes to the log', async () => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path })
    await inbox.accept(completed('tx_1'))
    const logSize = () => statSync(`${path}-wal`).size
    const before = logSize()
    await inbox.check()
    expect(logSize()).toBeGreaterThan(before)
    await inbox.close()
  })

  it('fails when the file is read-only', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    inbox.database.exec('PRAGMA query_only = ON')
    await expect(inbox.check()).rejects.toThrow(InboxError)
    await expect(inbox.check()).rejects.toThrow(/read-only\. Make both writable/)
    inbox.database.exec('PRAGMA query_only = OFF')
    await inbox.check()
    await inbox.close()
  })

  it('fails when the file is locked by another program', async () => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path, lockTimeoutMs: 10 })
    const holder = await openDatabase(path)
    holder.exec('BEGIN IMMEDIATE')
    await expect(inbox.check()).rejects.toThrow(/locked by another program/)
    holder.exec('ROLLBACK')
    await inbox.check()
    holder.close()
    await inbox.close()
  })

  it('fails when the inbox is closed', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    await inbox.close()
    await expect(inbox.check()).rejects.toThrow(InboxError)
  })

  it('keeps the version number of a newer program', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    inbox.database.exec('PRAGMA user_version = 99')
    await inbox.check()
    expect(inbox.database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 })
    await inbox.close()
  })
})

async function expectOpenError(path: string, fix: RegExp): Promise<void> {
  const error: unknown = await sqliteInbox({ path, lockTimeoutMs: 10 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InboxError)
  const { message } = error as InboxError
  expect(message).toContain(path)
  expect(message).toMatch(fix)
  expect(message).not.toContain('\n')
}

describe('a file that cannot be used', () => {
  it('stays unchanged when it is not a database', async () => {
    const path = temporaryFile('notes.txt')
    writeFileSync(path, 'These are my notes.\n'.repeat(300))
    const before = readFileSync(path)
    await expectOpenError(path, /not a SQLite database\..*move it away/)
    expect(readFileSync(path)).toEqual(before)
  })

  it('stays unchanged when it is corrupt', async () => {
    const path = temporaryFile('inbox.sqlite')
    await (await sqliteInbox({ path })).close()
    const damaged = readFileSync(path)
    damaged.fill(0xa5, 100, 400)
    writeFileSync(path, damaged)
    await expectOpenError(path, /corrupt\. Restore it from a backup/)
    expect(readFileSync(path)).toEqual(damaged)
  })

  it('stays unchanged when a newer version created it', async () => {
    const path = temporaryFile('inbox.sqlite')
    const database = await openDatabase(path)
    database.exec('PRAGMA user_version = 99; PRAGMA journal_mode = DELETE')
    database.close()
    const before = readFileSync(path)
    await expectOpenError(path, /newer version .*99.*Update the program/)
    expect(readFileSync(path)).toEqual(before)
  })

  it('is named when it belongs to another program', async () => {
    const path = temporaryFile('inbox.sqlite')
    const database = await openDatabase(path)
    database.exec('DROP TABLE ledger')
    database.close()
    await expectOpenError(path, /no such table: ledger\. Choose another file/)
  })

  it('is named when it is locked by another program', async () => {
    const path = temporaryFile('inbox.sqlite')
    const holder = await openDatabase(path)
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; PRAGMA user_version = 0; COMMIT')
    await expectOpenError(path, /locked by another program/)
    holder.close()
  })

  it('is named when it is a folder, or its folder does not exist', async () => {
    const path = temporaryFile('inbox.sqlite')
    await expectOpenError(dirname(path), /folder must exist/)
    await expectOpenError(`${path}/in/no/folder.sqlite`, /folder must exist/)
  })
})
