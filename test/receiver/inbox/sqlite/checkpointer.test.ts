import { closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Write, writerOf } from '../../../../receiver/inbox/sqlite/batch.ts'
import {
  type CheckpointThread,
  type Progress,
  startCheckpointThread,
} from '../../../../receiver/inbox/sqlite/checkpoint-thread.ts'
import {
  type Checkpointer,
  type CheckpointerOptions,
  createCheckpointer,
} from '../../../../receiver/inbox/sqlite/checkpointer.ts'
import { closeDatabase, openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import { type Database, realPath } from '../../../../receiver/inbox/sqlite/driver.ts'
import { isUncertain, logLength } from '../../../../receiver/inbox/sqlite/log.ts'
import { hasFrames, lengthOfLog } from '../../../../receiver/inbox/sqlite/log-format.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'

interface Opened {
  readonly path: string
  readonly database: Database
  readonly checkpointer: Checkpointer
  readonly write: Write
  /** Commits one row of about one page. */
  readonly insert: () => Promise<unknown>
}

/** A database whose log is checkpointed when it is a few frames long. */
async function opened(options: CheckpointerOptions = {}): Promise<Opened> {
  const path = temporaryFile('inbox.sqlite')
  const database = await openDatabase(path)
  database.exec('CREATE TABLE rows (bytes BLOB); PRAGMA wal_checkpoint(TRUNCATE)')
  const checkpointer = createCheckpointer(database, path, {
    startFrames: 10,
    everyFrames: 20,
    restartFrames: 20,
    checkMs: 0,
    ...options,
  })
  const write = writerOf(database, { checkpointer })
  onTestFinished(async () => {
    await checkpointer.close()
    closeDatabase(database)
  })
  const statement = database.prepare('INSERT INTO rows VALUES (zeroblob(4000))')
  return { path, database, checkpointer, write, insert: () => write(() => statement.run()) }
}

/** A thread whose checkpoints the test ends. */
function fakeThread() {
  const calls: { resolve: (progress: Progress) => void; reject: (error: Error) => void }[] = []
  const over = new Error('the test is over')
  let isOver = false
  const thread: CheckpointThread = {
    checkpoint: () =>
      new Promise((resolve, reject) => {
        if (isOver) reject(over)
        else calls.push({ resolve, reject })
      }),
    ended: new Promise(() => {}),
    close: async () => {},
  }
  const start = vi.fn(async () => thread)
  /** From now on its checkpoints fail. */
  function finish(): void {
    isOver = true
    for (const { reject } of calls) reject(over)
  }
  return { calls, start, finish }
}

/** The warnings of the process from now on. */
function collectWarnings(): string[] {
  const warnings: string[] = []
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    warnings.push(String(warning))
  })
  onTestFinished(() => emit.mockRestore())
  return warnings
}

/** Commits until SQLite starts the log again, which it does once a checkpoint has copied all of it. */
async function insertUntilRestart(insert: Opened['insert'], database: Database): Promise<void> {
  for (let before = 0, length = 0; length >= before; length = logLength(database)) {
    before = length
    await insert()
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
}

describe('a log under a steady load', () => {
  it('is checkpointed by a thread, and SQLite starts it again, so that it stays short', async () => {
    const { path, database, insert } = await opened()
    let frames = 0
    let before = 0
    let restarts = 0
    const insertOften = async (): Promise<void> => {
      while (restarts < 5 || frames <= 100) {
        await insert()
        const length = logLength(database)
        frames += Math.max(0, length - before)
        if (length < before) restarts += 1
        before = length
      }
    }
    await Promise.all([insertOften(), insertOften(), insertOften()])
    expect(frames).toBeGreaterThan(100)
    // It has never been as long as all of that.
    expect(statSync(`${path}-wal`).size / 4120).toBeLessThan(frames)
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  })

  it('is truncated after a long read has made it long', async () => {
    const { path, database, insert } = await opened()
    database.exec('PRAGMA journal_size_limit = 400000')
    const reader = await openDatabase(path)
    onTestFinished(() => closeDatabase(reader))
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM rows').get()
    const size = () => statSync(`${path}-wal`).size
    while (size() < 1_000_000) await insert()
    reader.exec('COMMIT')
    while (size() > 400_000) await insert()
  })
})

describe('commits', () => {
  it('wait while the thread completes the log, but not longer than the limit', async () => {
    const { calls, start } = fakeThread()
    const { insert, database, checkpointer } = await opened({ start, pauseMs: 1000 })
    while (calls.length === 0) await insert()
    // The log was short when the thread started.
    calls[0]?.resolve({ log: 1, checkpointed: 1 })
    while (calls.length === 1) await insert()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(checkpointer.pause).toBeUndefined()
    await insert()
    const log = logLength(database)
    const checkpointed = (checkpointed: number) => calls.at(-1)?.resolve({ log, checkpointed })
    let stored = 0
    const insertNext = () => insert().then(() => (stored += 1))

    checkpointed(log)
    await vi.waitFor(() => expect(calls).toHaveLength(3), 30_000)
    const first = insertNext()
    await turns()
    expect([stored, checkpointer.pause !== undefined]).toEqual([0, true])
    vi.advanceTimersByTime(1000)
    await first

    // The second pause ends with its checkpoint, and no third one follows.
    checkpointed(log)
    await vi.waitFor(() => expect(calls).toHaveLength(4), 30_000)
    const second = insertNext()
    await turns()
    expect(stored).toBe(1)
    checkpointed(log + 1)
    await second
    await insert()
    expect(calls).toHaveLength(4)
  })

  it('wait for a running checkpoint when the log is far too long', async () => {
    const { calls, start, finish } = fakeThread()
    const { insert, checkpointer } = await opened({ start, mostFrames: 40 })
    while (checkpointer.pause === undefined) await insert()
    await vi.waitFor(() => expect(calls).toHaveLength(1), 30_000)
    let stored = false
    const next = insert().then(() => (stored = true))
    await turns()
    expect(stored).toBe(false)
    finish()
    await next
  })
})

describe('a thread that fails', () => {
  it('is reported once, and commits checkpoint the log again: it cannot start', async () => {
    const warnings = collectWarnings()
    const start = vi.fn(async () => {
      throw new Error('Cannot find module checkpoint-worker.mjs')
    })
    const { path, insert, database } = await opened({ start, limitFrames: 30 })
    await insertUntilRestart(insert, database)
    expect(start).toHaveBeenCalledOnce()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/failed: Cannot find module checkpoint-worker\.mjs\. Nothing is lost/)
    expect(warnings[0]).toContain(path)
  })

  it('is reported once, and commits checkpoint the log again: it ends', async () => {
    const warnings = collectWarnings()
    const threads: CheckpointThread[] = []
    const checkpoints: Promise<Progress>[] = []
    const { insert, database } = await opened({
      limitFrames: 30,
      async start(of) {
        const thread = await startCheckpointThread(of)
        threads.push(thread)
        const checkpoint = (): Promise<Progress> => {
          const running = thread.checkpoint()
          void running.finally(() => checkpoints.push(running))
          return running
        }
        return { ...thread, checkpoint }
      },
    })
    while (checkpoints.length === 0) await insert()
    await threads[0]?.close()
    await until(() => warnings.length === 1)
    expect(warnings[0]).toMatch(/failed: the thread has ended/)
    await insertUntilRestart(insert, database)
    expect([threads.length, warnings.length]).toEqual([1, 1])
  })

  it('is reported when it ended before its first checkpoint', async () => {
    const warnings = collectWarnings()
    const start = vi.fn(async (): Promise<CheckpointThread> => {
      const reason = new Error('the thread has ended')
      return {
        checkpoint: () => Promise.reject(reason),
        ended: Promise.resolve(reason),
        close: async () => {},
      }
    })
    const { insert, database } = await opened({ start, limitFrames: 30 })
    while (start.mock.calls.length === 0) await insert()
    await until(() => warnings.length === 1)
    await insertUntilRestart(insert, database)
    expect(start).toHaveBeenCalledOnce()
  })

  it('leaves no failure of the disk unnoticed, which the system reports once', async () => {
    collectWarnings()
    const start = vi.fn(async () => {
      throw new Error('Cannot find module checkpoint-worker.mjs')
    })
    const { insert, database } = await opened({ start, limitFrames: 30 })
    const prepare = database.prepare.bind(database)
    const spy = vi.spyOn(database, 'prepare').mockImplementation((sql) => {
      if (sql.includes('wal_checkpoint')) throw Object.assign(new Error('disk I/O error'), { errcode: 1034 })
      return prepare(sql)
    })
    onTestFinished(() => spy.mockRestore())
    while (!isUncertain(database)) await insert()
    spy.mockRestore()
    await insert()
    expect(isUncertain(database)).toBe(false)
  })

  it('ends a running checkpoint, and the commits that wait for it', async () => {
    collectWarnings()
    const { insert, checkpointer } = await opened({
      mostFrames: 20,
      async start(of) {
        const thread = await startCheckpointThread(of)
        return { ...thread, checkpoint: () => thread.close().then(() => thread.checkpoint()) }
      },
    })
    for (let n = 0; n < 60; n += 1) await insert()
    await until(() => checkpointer.pause === undefined)
  })

  it('makes the log uncertain if the disk fails, and another thread checkpoints it later', async () => {
    const { calls, start, finish } = fakeThread()
    const { insert, database } = await opened({ start })
    while (calls.length === 0) await insert()
    calls[0]?.reject(Object.assign(new Error('disk I/O error'), { errcode: 1034 }))
    await vi.waitFor(() => expect(isUncertain(database)).toBe(true), 30_000)
    await insert()
    expect(isUncertain(database)).toBe(false)
    while (start.mock.calls.length < 2) await insert()
    finish()
  })
})

describe('the thread', () => {
  it('is used after the older connection has synced both files, because it may not see an earlier failure', async () => {
    const { calls, start, finish } = fakeThread()
    const { insert, database } = await opened({ start })
    const reader = await openDatabase(realPath(database))
    onTestFinished(() => closeDatabase(reader))
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM rows').get()
    const prepare = vi.spyOn(database, 'prepare')
    onTestFinished(() => prepare.mockRestore())
    while (start.mock.calls.length < 2) await insert()
    expect(calls).toHaveLength(0)
    reader.exec('COMMIT')
    while (calls.length === 0) await insert()
    const checkpoints = prepare.mock.calls.filter(([sql]) => sql.includes('wal_checkpoint(PASSIVE)'))
    expect(checkpoints).toHaveLength(start.mock.calls.length)
    finish()
  })

  it('opens no other file than that of the inbox, and creates none', async () => {
    const { path, database } = await opened()
    renameSync(path, `${path}.away`)
    await expect(startCheckpointThread(database)).rejects.toThrow(/unable to open database file/)
    expect(existsSync(path)).toBe(false)
    renameSync(`${path}.away`, path)
  })

  it('does not checkpoint files that were moved', async () => {
    const { calls, start, finish } = fakeThread()
    const { path, insert, checkpointer } = await opened({ start, startFrames: 2000 })
    for (let n = 0; n < 600; n += 10) await Promise.all(Array.from({ length: 20 }, insert))
    renameSync(`${path}-wal`, `${path}-wal.away`)
    expect(checkpointer.startIfLong()).toBe(false)
    renameSync(`${path}-wal.away`, `${path}-wal`)
    expect(checkpointer.startIfLong()).toBe(true)
    await vi.waitFor(() => expect(calls).toHaveLength(1), 30_000)
    finish()
  })

  it('is not used for a URL with parameters, which may choose another way to lock the file', async () => {
    const path = temporaryFile('inbox.sqlite')
    const database = await openDatabase(path)
    const { start } = fakeThread()
    const checkpointer = createCheckpointer(database, `file:${path}?vfs=unix-dotfile`, { start })
    expect(checkpointer.startIfLong()).toBe(false)
    checkpointer.committed()
    expect(start).not.toHaveBeenCalled()
    closeDatabase(database)
  })

  it('ends when the inbox is closed, which empties the log', async () => {
    const path = temporaryFile('inbox.sqlite')
    const database = await openDatabase(path)
    const checkpointer = createCheckpointer(database, path, { startFrames: 1, checkMs: 0 })
    const write = writerOf(database, { checkpointer })
    for (let n = 0; n < 10; n += 1) await write(() => database.exec('CREATE TABLE t (n); DROP TABLE t'))
    await checkpointer.close()
    closeDatabase(database)
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  })
})

describe('the length of a log', () => {
  it('is what SQLite reports, also when the log was started again', async () => {
    const path = temporaryFile('inbox.sqlite')
    const database = await openDatabase(path)
    database.exec('CREATE TABLE rows (bytes BLOB)')
    const descriptor = openSync(`${path}-wal`, 'r')
    onTestFinished(() => {
      closeSync(descriptor)
      closeDatabase(database)
    })
    const lengths: number[] = []
    for (const rows of [9, 3, 0, 1, 30, 2]) {
      for (let n = 0; n < rows; n += 1) database.exec('INSERT INTO rows VALUES (zeroblob(4000))')
      const length = lengthOfLog(descriptor)
      // Completes the log, so that the next commit starts it again.
      const { log } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
      expect(length).toBe(log)
      expect([hasFrames(descriptor, length), hasFrames(descriptor, length + 1)]).toEqual([true, false])
      lengths.push(length)
    }
    expect(lengths.indexOf(Math.max(...lengths))).toBe(4)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(lengthOfLog(descriptor)).toBe(0)
  })
})
