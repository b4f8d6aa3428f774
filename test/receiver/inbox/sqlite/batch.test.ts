import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writerOf } from '../../../../receiver/inbox/sqlite/batch.ts'
import { closeDatabase, openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import type { Database } from '../../../../receiver/inbox/sqlite/driver.ts'

let folder: string
let database: Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hookproof-batch-'))
  database = await openDatabase(join(folder, 'inbox.sqlite'))
  database.exec('CREATE TABLE numbers (n INTEGER UNIQUE)')
})

afterEach(() => {
  vi.restoreAllMocks()
  closeDatabase(database)
  rmSync(folder, { recursive: true })
})

const insert = (n: number) => () => database.prepare('INSERT INTO numbers VALUES (?)').run(n)
const stored = () => database.prepare('SELECT n FROM numbers ORDER BY n').all()

test('writes of one turn share one commit, and each gets its own result', async () => {
  const write = writerOf(database)
  const exec = vi.spyOn(database, 'exec')
  const results = await Promise.all([1, 2, 3].map((n) => write(() => (insert(n)(), n * 10))))
  expect(results).toEqual([10, 20, 30])
  expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1)
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a single write of a turn is committed without waiting', async () => {
  const write = writerOf(database)
  const exec = vi.spyOn(database, 'exec')
  const alone = write(insert(1))
  await turn()
  expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1)
  await alone
})

test('a write that fails does not affect the others', async () => {
  const write = writerOf(database)
  const results = await Promise.allSettled([write(insert(1)), write(insert(1)), write(insert(2))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(stored()).toHaveLength(2)
})

test('a failed commit rejects all its writes and stores nothing, and the next commit works', async () => {
  const write = writerOf(database)
  const real = database.exec.bind(database)
  const exec = vi.spyOn(database, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw new Error('disk I/O error')
    return real(sql)
  })
  const results = await Promise.allSettled([write(insert(1)), write(insert(2))])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  exec.mockRestore()
  expect(stored()).toEqual([])
  await write(insert(3))
  expect(stored()).toHaveLength(1)
})

test('nothing resolves before the commit', async () => {
  const write = writerOf(database)
  const order: string[] = []
  const real = database.exec.bind(database)
  vi.spyOn(database, 'exec').mockImplementation((sql) => {
    order.push(...sql.split('; ').filter((statement) => !statement.startsWith('PRAGMA busy_timeout')))
    return real(sql)
  })
  await write(insert(1)).then(() => order.push('resolved'))
  expect(order).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'resolved'])
})

/** Intercepts each disk sync, for the test to complete or fail. */
function interceptSync() {
  const ends: ((error: Error | null) => void)[] = []
  const fdatasync = ((_descriptor: number, end: (error: Error | null) => void) => {
    ends.push(end)
  }) as typeof fs.fdatasync
  vi.spyOn(fs, 'fdatasync').mockImplementation(fdatasync)
  return ends
}

const synchronous = () => database.prepare('PRAGMA synchronous').get().synchronous

test('several writes resolve when their log is on disk, and later writes are in the next commit', async () => {
  const syncs = interceptSync()
  const write = writerOf(database)
  const exec = vi.spyOn(database, 'exec')
  const commits = () => exec.mock.calls.filter(([sql]) => sql === 'COMMIT').length
  const resolved: number[] = []
  const writes = [1, 2].map((n) => write(insert(n)).then(() => resolved.push(n)))
  await vi.waitFor(() => expect(syncs).toHaveLength(1), 30_000)
  expect([commits(), stored().length, resolved]).toEqual([1, 2, []])
  // Writes outside the writer are still synced by their commit.
  expect(synchronous()).toBe(2)
  writes.push(...[3, 4].map((n) => write(insert(n)).then(() => resolved.push(n))))
  for (let turns = 0; turns < 5; turns += 1) await turn()
  expect([commits(), resolved]).toEqual([1, []])
  syncs[0]?.(null)
  await vi.waitFor(() => expect(syncs).toHaveLength(2), 30_000)
  expect([commits(), resolved]).toEqual([2, [1, 2]])
  syncs[1]?.(null)
  await Promise.all(writes)
  expect(stored()).toHaveLength(4)
})

test('a failed sync rejects all its writes, and the next write saves the log first', async () => {
  const syncs = interceptSync()
  const write = writerOf(database)
  const prepare = vi.spyOn(database, 'prepare')
  const saves = () => prepare.mock.calls.filter(([sql]) => sql.includes('wal_checkpoint(TRUNCATE)')).length
  const failed = Promise.allSettled([write(insert(1)), write(insert(2))])
  await vi.waitFor(() => expect(syncs).toHaveLength(1), 30_000)
  syncs[0]?.(new Error('EIO: i/o error, fdatasync'))
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(synchronous()).toBe(2)
  await write(insert(3))
  expect(saves()).toBe(1)
  await write(insert(4))
  expect(saves()).toBe(1)
})

test('rejects writes while another program prevents the log from being saved', async () => {
  // Opened first, because opening saves the log.
  const reader = await openDatabase(join(folder, 'inbox.sqlite'))
  const syncs = interceptSync()
  const write = writerOf(database, { lockTimeoutMs: 10 })
  const failed = Promise.allSettled([write(insert(1)), write(insert(2))])
  await vi.waitFor(() => expect(syncs).toHaveLength(1), 30_000)
  syncs[0]?.(new Error('EIO: i/o error, fdatasync'))
  await failed
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM numbers').get()
  await expect(write(insert(3))).rejects.toThrow(/another program is reading it/)
  reader.exec('COMMIT')
  vi.restoreAllMocks()
  await write(insert(3))
  closeDatabase(reader)
})

test('a commit that fails on a disk error makes the next write save the log first', async () => {
  const write = writerOf(database)
  const real = database.exec.bind(database)
  const exec = vi.spyOn(database, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw Object.assign(new Error('disk I/O error'), { errcode: 1034 })
    return real(sql)
  })
  await expect(write(insert(1))).rejects.toThrow('disk I/O error')
  exec.mockRestore()
  const prepare = vi.spyOn(database, 'prepare')
  await write(insert(2))
  expect(prepare.mock.calls.filter(([sql]) => sql.includes('wal_checkpoint(TRUNCATE)'))).toHaveLength(1)
})

test('a database has one writer', () => {
  expect(writerOf(database)).toBe(writerOf(database))
})
