import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import { sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
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
  for (let n = 0; n < 20; n += 1) await inbox.accept(completed(`tx_${n}`))
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM inbox').get()
  await inbox.accept(completed('tx_last'))
  // It copies what the reader allows. SQLite counts that as copied, although it has not synced the file.
  const { log, checkpointed } = inbox.database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
  expect([checkpointed > 0, checkpointed < log]).toEqual([true, true])
  reader.exec('COMMIT')
  overwrite(path, before)
  const failing = ((_descriptor: number, end: (error: Error) => void) =>
    end(new Error('EIO: i/o error, fdatasync'))) as typeof fs.fdatasync
  const sync = vi.spyOn(fs, 'fdatasync').mockImplementationOnce(failing)
  onTestFinished(() => sync.mockRestore())
  await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(/EIO/)

  expect(await inbox.accept(completed('tx_1'))).toBe('duplicate')
  const copy = temporaryFile('copy.sqlite')
  fs.writeFileSync(copy, readInOtherProcess(path))
  const saved = await openDatabase(copy)
  expect(saved.prepare('SELECT count(*) AS count FROM inbox').get()).toEqual({ count: 21 })
  expect(saved.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  saved.close()
})

/** @see overwrite */
const readInOtherProcess = (path: string): Buffer =>
  execFileSync('cat', [path], { maxBuffer: 64 * 1024 * 1024 })
