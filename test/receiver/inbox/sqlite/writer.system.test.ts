import { copyFileSync, statSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import { type Database, realPath } from '../../../../receiver/inbox/sqlite/driver.ts'
import { trackFiles } from '../../../../receiver/inbox/sqlite/files.ts'
import { startWriter, type Writer } from '../../../../receiver/inbox/sqlite/writer.ts'
import { sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { clock, completed, NOW } from '../../support.ts'

interface Request {
  readonly name: string
  /** Lets the thread answer. */
  readonly pass: () => void
  readonly fail: (failure: { message: string; errcode: number }) => void
}

/** What happens to the next requests to threads; then the threads answer. Not a mock of a module, which test files share. */
const answers: ((request: Request) => void)[] = []
let endThread = async (): Promise<unknown> => undefined

function interceptRequests(): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its worker
  const post = Worker.prototype.postMessage
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, name: string) {
    endThread = () => this.terminate()
    const pass = () => post.call(this, name)
    const answer = name === 'close' ? undefined : answers.shift()
    if (answer === undefined) pass()
    else answer({ name, pass, fail: (failure) => void this.emit('message', { failure }) })
  })
}

let path: string
let database: Database
let writer: Writer

beforeEach(async () => {
  interceptRequests()
  path = temporaryFile('inbox.sqlite')
  database = await openDatabase(path)
  database.exec('CREATE TABLE numbers (n INTEGER UNIQUE)')
  writer = await startWriter({
    database,
    path,
    files: trackFiles(path, realPath(database)),
    lockTimeoutMs: 50,
  })
})

afterEach(async () => {
  vi.restoreAllMocks()
  answers.length = 0
  await writer.close().catch(() => {})
})

const insert = (n: number) => () => database.prepare('INSERT INTO numbers VALUES (?)').run(n)
const stored = () => database.prepare('SELECT n FROM numbers ORDER BY n').all()
const write: Writer['write'] = (work, bytes) => writer.write(work, bytes)

/** Holds the next sync until the test ends it. */
function holdSync() {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const began = new Promise<void>((resolve) => {
    answers.push(({ pass }) => {
      resolve()
      void ended.then(pass)
    })
  })
  return { began, end }
}

/** As SQLite reports them. */
const FAILED_SYNC = { message: 'disk I/O error', errcode: 1034 }
const FULL = { message: 'database or disk is full', errcode: 13 }
const LOCKED = { message: 'database is locked', errcode: 5 }

const failNext = (failure = FAILED_SYNC) => void answers.push(({ fail }) => fail(failure))

const commits = (exec: { mock: { calls: string[][] } }) =>
  exec.mock.calls.filter(([sql]) => sql === 'COMMIT').length

test('writes of one turn share one commit, and each gets its own result', async () => {
  const exec = vi.spyOn(database, 'exec')
  const results = await Promise.all([1, 2, 3].map((n) => write(() => (insert(n)(), n * 10))))
  expect(results).toEqual([10, 20, 30])
  expect(commits(exec)).toBe(1)
})

test('a write that fails does not affect the others', async () => {
  const results = await Promise.allSettled([write(insert(1)), write(insert(1)), write(insert(2))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(stored()).toHaveLength(2)
})

test('a failed commit rejects all its writes and stores nothing, and the next commit works', async () => {
  const real = database.exec.bind(database)
  const exec = vi.spyOn(database, 'exec').mockImplementation((sql) => {
    if (sql === 'COMMIT') throw new Error('database or disk is full')
    return real(sql)
  })
  const results = await Promise.allSettled([write(insert(1)), write(insert(2))])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  exec.mockRestore()
  expect(stored()).toEqual([])
  await write(insert(3))
  expect(stored()).toHaveLength(1)
})

test('writes resolve when they are synced, and later writes are in the next commit', async () => {
  const exec = vi.spyOn(database, 'exec')
  const [first, second] = [holdSync(), holdSync()]
  const resolved: number[] = []
  const writes = [1, 2].map((n) => write(insert(n)).then(() => resolved.push(n)))
  await first.began
  expect([commits(exec), stored().length, resolved]).toEqual([1, 2, []])
  // Statements outside the writer are synced by their own commit.
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  writes.push(...[3, 4].map((n) => write(insert(n)).then(() => resolved.push(n))))
  for (let turns = 0; turns < 5; turns += 1) await turn()
  expect([commits(exec), resolved]).toEqual([1, []])
  first.end()
  await second.began
  expect([commits(exec), resolved]).toEqual([2, [1, 2]])
  second.end()
  await Promise.all(writes)
  expect(stored()).toHaveLength(4)
})

test('the commit waits for no disk: the thread syncs it', async () => {
  const executed: string[] = []
  const real = database.exec.bind(database)
  vi.spyOn(database, 'exec').mockImplementation((sql) => {
    executed.push(...sql.split('; ').filter((statement) => !statement.startsWith('PRAGMA busy_timeout')))
    return real(sql)
  })
  answers.push(({ name, pass }) => {
    executed.push(name)
    pass()
  })
  await write(insert(1)).then(() => executed.push('resolved'))
  expect(executed).toEqual([
    'PRAGMA synchronous = NORMAL',
    'BEGIN IMMEDIATE',
    'COMMIT',
    'PRAGMA synchronous = FULL',
    'sync',
    'resolved',
  ])
})

test('after a failed sync every write is rejected, until the file is opened again', async () => {
  failNext()
  const results = await Promise.allSettled([write(insert(1)), write(insert(1)), write(insert(2))])
  const refused = expect.objectContaining({
    name: 'InboxError',
    message: `inbox ${path}: the disk failed (disk I/O error). Nothing is stored until the receiver is restarted. Check the disk, stop every program that uses the file, then start again.`,
  })
  expect(results).toEqual(results.map(() => ({ status: 'rejected', reason: refused })))
  const exec = vi.spyOn(database, 'exec')
  await expect(write(insert(3))).rejects.toThrow(/the disk failed/)
  expect(exec).not.toHaveBeenCalled()
})

test('a sync that another failure prevents rejects its writes only', async () => {
  failNext(FULL)
  await expect(write(insert(1))).rejects.toThrow(/is full/)
  await write(insert(2))
  expect(stored()).toHaveLength(2)
})

test('a commit that cannot be synced, because of another process, is synced once that is possible', async () => {
  const exec = vi.spyOn(database, 'exec')
  failNext(LOCKED)
  await write(insert(1))
  expect(commits(exec)).toBe(1)
})

test('writes are rejected when the thread has ended', async () => {
  await write(insert(0))
  await endThread()
  await expect(write(insert(1))).rejects.toThrow(
    `inbox ${path}: one of its threads ended: it was stopped. Nothing is`,
  )
})

test('more writes than memory should hold are rejected while the disk does not answer', async () => {
  const { began, end } = holdSync()
  const large = 40 * 1024 * 1024
  const first = write(insert(1), large)
  await began
  await expect(write(insert(2), large)).rejects.toThrow(/too many writes wait for the disk/)
  const second = write(insert(2))
  end()
  await Promise.all([first, second])
  await write(insert(3), 2 * large)
})

test('the log is copied into the file during a steady load, so that it stays short', async () => {
  const requests: string[] = []
  const copies = () => requests.filter((request) => request === 'copy').length
  // Once during further writes, and then the rest in two steps.
  for (let n = 0; copies() < 3; n += 1) {
    answers.push(({ name, pass }) => {
      requests.push(name)
      pass()
    })
    await write(insert(n), 8 * 1024 * 1024)
  }
  expect(requests.indexOf('copy')).toBe(8)
  await write(insert(-1))
  expect(copies()).toBe(3)
})

test('a failed sync while the log is copied rejects the next writes', async () => {
  answers.push(({ pass }) => pass())
  failNext()
  await write(insert(1), 80 * 1024 * 1024)
  await turn()
  await expect(write(insert(2))).rejects.toThrow(/the disk failed/)
})

test('closing moves the log into the file', async () => {
  await write(insert(1))
  await writer.close()
  // The last connection removes the log; one that is not collected yet leaves it empty.
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  await expect(write(insert(2))).rejects.toThrow(/the inbox is closed/)
})

test('closing names the file when its disk is full', async () => {
  const file = temporaryFile('inbox.sqlite')
  const inbox = await sqliteInbox({ path: file })
  failNext(FULL)
  failNext(FULL)
  await expect(inbox.close()).rejects.toThrow(`inbox ${file}: the disk is full`)
})

test('an inbox whose sync failed accepts nothing, not even a duplicate, and a restart finds everything', async () => {
  const file = temporaryFile('inbox.sqlite')
  const inbox = await sqliteInbox({ path: file, clock })
  expect(await inbox.accept(completed('tx_1'))).toBe('stored')
  failNext()
  for (const id of ['tx_2', 'tx_1', 'tx_2']) {
    await expect(inbox.accept(completed(id))).rejects.toThrow(/Nothing is stored until/)
  }
  await expect(inbox.check()).rejects.toThrow(/Nothing is stored until/)
  // It leaves the files to SQLite's recovery.
  await expect(inbox.close()).rejects.toThrow(/Nothing is stored until/)
  const copy = temporaryFile('inbox.sqlite')
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix)
  const again = await sqliteInbox({ path: copy, clock })
  onTestFinished(() => again.close())
  expect(await again.accept(completed('tx_1'))).toBe('duplicate')
  expect(await again.list({ state: 'pending' })).toHaveLength(2)
})

test('a duplicate of what another process has stored is acknowledged once that is synced', async () => {
  const file = temporaryFile('inbox.sqlite')
  const [first, other] = [await sqliteInbox({ path: file, clock }), await sqliteInbox({ path: file, clock })]
  onTestFinished(async () => {
    await first.close()
    await other.close()
  })
  await first.accept(completed('tx_1'))
  const { began, end } = holdSync()
  let outcome: string | undefined
  const repeated = other.accept(completed('tx_1')).then((result) => {
    outcome = result
    return result
  })
  await began
  expect(outcome).toBeUndefined()
  end()
  await repeated
  expect(outcome).toBe('duplicate')
})

test('the next claim gets the entries of a claim that was committed but not synced', async () => {
  const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite'), clock })
  onTestFinished(() => inbox.close())
  await inbox.accept(completed('tx_1'))
  failNext(FULL)
  await expect(inbox.claim(1, NOW * 1000)).rejects.toThrow(/is full/)
  expect(await inbox.list({ state: 'processing' })).toHaveLength(1)
  expect(await inbox.claim(1, NOW * 1000)).toMatchObject([{ paymentId: 'tx_1', attempts: 2 }])
})
