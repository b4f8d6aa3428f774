import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writerOf } from '../../receiver/inbox/batch.ts'
import { closeDatabase, type Database, openDatabase } from '../../receiver/inbox/database.ts'

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

test('a write that is alone at the end of its turn waits for no other', async () => {
  const write = writerOf(database)
  const exec = vi.spyOn(database, 'exec')
  const alone = write(insert(1))
  await turn()
  expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1)
  await alone
})

test('several of one turn share their commit with those of the next, until a turn brings none', async () => {
  const write = writerOf(database)
  const exec = vi.spyOn(database, 'exec')
  const commits = () => exec.mock.calls.filter(([sql]) => sql === 'COMMIT').length
  const writes: Promise<unknown>[] = [write(insert(0))]
  for (let n = 1; n <= 3; n += 1) {
    writes.push(write(insert(n)))
    await turn()
    expect(commits()).toBe(0)
  }
  await Promise.all(writes)
  expect(commits()).toBe(1)
})

test('a stream of writes without a gap is committed in portions', async () => {
  const write = writerOf(database)
  const exec = vi.spyOn(database, 'exec')
  const writes: Promise<unknown>[] = []
  for (let n = 1; n <= 200; n += 2) {
    writes.push(write(insert(n)), write(insert(n + 1)))
    await turn()
  }
  await Promise.all(writes)
  expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(4)
  expect(stored()).toHaveLength(200)
})

test('a write that fails fails alone', async () => {
  const write = writerOf(database)
  const results = await Promise.allSettled([write(insert(1)), write(insert(1)), write(insert(2))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(stored()).toHaveLength(2)
})

test('a commit that fails fails them all, stores nothing, and the next one works', async () => {
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
    order.push(sql)
    return real(sql)
  })
  await write(insert(1)).then(() => order.push('resolved'))
  expect(order).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'resolved'])
})

test('a database has one writer, whoever asks for it', () => {
  expect(writerOf(database)).toBe(writerOf(database))
})
