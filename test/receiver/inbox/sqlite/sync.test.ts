import fs, { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import { realPath } from '../../../../receiver/inbox/sqlite/driver.ts'
import { sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { clock, completed, NOW } from '../../support.ts'

it('rejects writes whose sync failed, and gives the entries of that claim to the next one', async () => {
  const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite'), clock })
  onTestFinished(() => inbox.close())
  await inbox.accept(completed('tx_before'))
  const failing = ((_descriptor: number, end: (error: Error) => void) => {
    end(new Error('EIO: i/o error, fdatasync'))
  }) as typeof fs.fdatasync
  const sync = vi.spyOn(fs, 'fdatasync').mockImplementationOnce(failing)
  onTestFinished(() => sync.mockRestore())

  const results = await Promise.allSettled([inbox.accept(completed('tx_2')), inbox.claim(1, NOW * 1000)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await inbox.accept(completed('tx_2'))).toBe('duplicate')
  expect(await inbox.list({ state: 'processing' })).toHaveLength(1)
  expect(await inbox.claim(1, NOW * 1000)).toMatchObject([{ paymentId: 'tx_before', attempts: 2 }])
  expect(await inbox.claim(5, NOW * 1000)).toMatchObject([{ paymentId: 'tx_2', attempts: 1 }])
})

it('acknowledges a duplicate of what another process stored once that is on disk', async () => {
  const path = temporaryFile('inbox.sqlite')
  const [first, other] = [await sqliteInbox({ path, clock }), await sqliteInbox({ path, clock })]
  onTestFinished(async () => {
    await first.close()
    await other.close()
  })
  await first.accept(completed('tx_1'))
  const ends: ((error: null) => void)[] = []
  const held = ((_descriptor: number, end: (error: null) => void) =>
    void ends.push(end)) as typeof fs.fdatasync
  const sync = vi.spyOn(fs, 'fdatasync').mockImplementation(held)
  onTestFinished(() => sync.mockRestore())

  let outcome: string | undefined
  const repeated = other.accept(completed('tx_1')).then((result) => {
    outcome = result
    return result
  })
  await vi.waitFor(() => expect(ends).toHaveLength(1), 30_000)
  expect(outcome).toBeUndefined()
  ends[0]?.(null)
  expect(await repeated).toBe('duplicate')
})

/** Fails the next disk sync. As with the kernel, later syncs succeed although the data may not be on disk. */
function failNextSync(): void {
  const failing = ((_descriptor: number, end: (error: Error) => void) =>
    end(new Error('EIO: i/o error, fdatasync'))) as typeof fs.fdatasync
  const sync = vi.spyOn(fs, 'fdatasync').mockImplementationOnce(failing)
  onTestFinished(() => sync.mockRestore())
}

/** Two inboxes on one file with one event that the first has stored, and another program that has read the file. */
async function storedByAnother() {
  const path = temporaryFile('inbox.sqlite')
  const first = await sqliteInbox({ path, clock, lockTimeoutMs: 10 })
  const other = await sqliteInbox({ path, clock, lockTimeoutMs: 10 })
  const reader = await openDatabase(path)
  onTestFinished(async () => {
    reader.close()
    await first.close()
    await other.close()
  })
  await first.accept(completed('tx_1'))
  return { first, other, reader }
}

it('does not acknowledge a duplicate after a failed sync until the log is saved, in any process', async () => {
  const { first, other, reader } = await storedByAnother()
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM inbox').get()
  for (const inbox of [first, other]) {
    failNextSync()
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(/EIO/)
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow(/the log cannot be saved/)
    await expect(inbox.accept(completed('tx_2'))).rejects.toThrow(/the log cannot be saved/)
  }
  reader.exec('COMMIT')
  for (const inbox of [first, other]) expect(await inbox.accept(completed('tx_1'))).toBe('duplicate')
  expect(await other.accept(completed('tx_2'))).toBe('stored')
})

it('acknowledges none of two duplicates if the sync fails meanwhile, which the kernel reports once', async () => {
  const { other } = await storedByAnother()
  const ends: ((error: Error | null) => void)[] = []
  const held = ((_descriptor: number, end: (error: Error | null) => void) =>
    void ends.push(end)) as typeof fs.fdatasync
  const sync = vi.spyOn(fs, 'fdatasync').mockImplementation(held)
  onTestFinished(() => sync.mockRestore())
  const first = other.accept(completed('tx_1')).catch(() => 'rejected')
  await vi.waitFor(() => expect(ends).toHaveLength(1), 30_000)
  const second = other.accept(completed('tx_1')).catch(() => 'rejected')
  for (let turns = 0; turns < 5; turns += 1) await turn()
  sync.mockRestore()
  ends[0]?.(new Error('EIO: i/o error, fdatasync'))
  ends[1]?.(null)
  expect(await Promise.all([first, second])).toEqual(['rejected', 'rejected'])
  expect(await other.accept(completed('tx_1'))).toBe('duplicate')
})

it('opens its log at the start, because the kernel reports a failure to open descriptors only', async () => {
  const open = vi.spyOn(fs, 'openSync')
  const close = vi.spyOn(fs, 'closeSync')
  onTestFinished(() => void vi.restoreAllMocks())
  const path = temporaryFile('inbox.sqlite')
  const inbox = await sqliteInbox({ path })
  expect(open.mock.calls.map(([file]) => file)).toContain(`${path}-wal`)
  const descriptor: unknown = open.mock.results.at(-1)?.value
  await inbox.close()
  await inbox.close().catch(() => {})
  // Twice would close another file.
  expect(close.mock.calls.filter(([closed]) => closed === descriptor)).toHaveLength(1)
})

it('writes the entire log to disk again after a failed sync, because the kernel has given up what it could not write', async () => {
  const { other } = await storedByAnother()
  const log = readFileSync(`${realPath(other.database)}-wal`)
  failNextSync()
  await expect(other.accept(completed('tx_1'))).rejects.toThrow(/EIO/)
  const rewrite = vi.spyOn(fs, 'writeSync').mockImplementationOnce(() => {
    throw new Error('ENOSPC: no space left on device, write')
  })
  const sync = vi.spyOn(fs, 'fdatasyncSync').mockImplementationOnce(() => {
    throw new Error('EIO: i/o error, fdatasync')
  })
  onTestFinished(() => void vi.restoreAllMocks())
  await expect(other.accept(completed('tx_1'))).rejects.toThrow(/ENOSPC/)
  await expect(other.accept(completed('tx_1'))).rejects.toThrow(/EIO/)
  expect(sync).toHaveBeenCalledOnce()
  expect(await other.accept(completed('tx_1'))).toBe('duplicate')
  expect(rewrite.mock.results.at(-1)?.value).toBe(log.length)
})
