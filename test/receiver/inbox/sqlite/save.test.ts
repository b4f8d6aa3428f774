import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import type { Database } from '../../../../receiver/inbox/sqlite/driver.ts'
import { type SqliteInbox, sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { completed } from '../../support.ts'

/** Overwrites a file in another process, because closing a file in this one would release the locks of SQLite on it. */
function overwrite(path: string, content: Buffer): void {
  const code = `fs.writeFileSync(process.argv[1], fs.readFileSync(0), { flag: 'r+' })`
  execFileSync(process.execPath, ['-e', code, path], { input: content })
}

it('writes pages again that an earlier checkpoint copied, but the disk lost, after a failed sync', async () => {
  const path = temporaryFile('inbox.sqlite')
  const inbox = await sqliteInbox({ path })
  const reader = await openDatabase(path)
  onTestFinished(async () => {
    reader.close()
    await inbox.close()
  })
  const before = readInOtherProcess(path)
  await copiedInPart(inbox, reader)
  overwrite(path, before)
  failNextSync()
  await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(/EIO/)

  expect(await inbox.accept(completed('tx_1'))).toBe('duplicate')
  expectIntact(path, 21)
})

it('writes them again before it allows another process to start the log again', async () => {
  const path = temporaryFile('inbox.sqlite')
  const inbox = await sqliteInbox({ path })
  const other = await openDatabase(path)
  onTestFinished(async () => {
    other.close()
    await inbox.close()
  })
  await copiedInPart(inbox, other)
  failNextSync()
  await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(/EIO/)
  // The log is on disk again, the file is not.
  const syncs = vi.spyOn(fs, 'fdatasyncSync')
  syncs
    .mockImplementationOnce(() => {})
    .mockImplementationOnce(() => {})
    .mockImplementationOnce(() => {
      throw new Error('EIO: i/o error, fdatasync')
    })
  await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(/EIO/)
  syncs.mockRestore()
  const started = headerOf(path)
  other.exec('CREATE TABLE other (n INTEGER)')
  expect(headerOf(path)).toEqual(started)
})

/** Changes when SQLite starts the log again. */
const headerOf = (path: string): Buffer => fs.readFileSync(`${path}-wal`).subarray(0, 32)

/** Stores 21 events, all but the last of which a checkpoint copies, without a sync, because of a reader. */
async function copiedInPart(inbox: SqliteInbox, reader: Database): Promise<void> {
  for (let n = 0; n < 20; n += 1) await inbox.accept(completed(`tx_${n}`))
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM inbox').get()
  await inbox.accept(completed('tx_last'))
  // It copies what the reader allows. SQLite counts that as copied, although it has not synced the file.
  const { log, checkpointed } = inbox.database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
  expect([checkpointed > 0, checkpointed < log]).toEqual([true, true])
  reader.exec('COMMIT')
}

/** Opens a copy of the file without its log. */
function expectIntact(path: string, events: number): void {
  const copy = temporaryFile('copy.sqlite')
  fs.writeFileSync(copy, readInOtherProcess(path))
  const saved = new DatabaseSync(copy)
  expect(saved.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  expect(saved.prepare('SELECT count(*) AS count FROM inbox').get()).toEqual({ count: events })
  saved.close()
}

/** Fails the next disk sync of the log. */
function failNextSync(): void {
  const failing = ((_descriptor: number, end: (error: Error) => void) =>
    end(new Error('EIO: i/o error, fdatasync'))) as typeof fs.fdatasync
  const sync = vi.spyOn(fs, 'fdatasync').mockImplementationOnce(failing)
  onTestFinished(() => sync.mockRestore())
}

/** @see overwrite */
const readInOtherProcess = (path: string): Buffer =>
  execFileSync('cat', [path], { maxBuffer: 64 * 1024 * 1024 })
