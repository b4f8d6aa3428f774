import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSqliteInbox, type SqliteInbox, sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { InboxError, NoInboxError } from '../../../../receiver/inbox.ts'
import { temporaryFile, temporaryFolder } from '../../../support/temporary.ts'
import { completed } from '../../support.ts'

/** A receiver's inbox in a folder with an unusual name: tx_done is done, tx_1 waits. */
async function running(
  path = join(temporaryFolder(), 'a b?#%41.sqlite'),
): Promise<{ path: string; inbox: SqliteInbox }> {
  const inbox = await sqliteInbox({ path })
  // Some tests close it earlier.
  onTestFinished(() => inbox.close().catch(() => {}))
  await inbox.accept(completed('tx_done'))
  for (const entry of await inbox.claim(1, Date.now())) await inbox.complete(entry)
  await inbox.accept(completed('tx_1'))
  return { path, inbox }
}

/** The file of an inbox that no process has open. A copy, because the driver of Node.js 20 closes a file late. */
async function stopped(): Promise<string> {
  const { path, inbox } = await running()
  await inbox.close()
  const copy = join(temporaryFolder(), 'a b?#%41.sqlite')
  copyFileSync(path, copy)
  return copy
}

/** The files as after a crash: those of a running receiver, copied. */
async function crashed(suffixes = ['', '-wal', '-shm']): Promise<string> {
  const { path } = await running()
  const copy = temporaryFile('inbox.sqlite')
  for (const suffix of suffixes) copyFileSync(path + suffix, copy + suffix)
  return copy
}

async function reading(path: string) {
  const reader = await readSqliteInbox({ path })
  onTestFinished(() => reader.close())
  return reader
}

/** The files of a folder with their owners, permissions, times and contents, to detect changes. */
function filesBeside(path: string): unknown {
  const folder = dirname(path)
  return readdirSync(folder).map((name) => {
    const file = join(folder, name)
    const { uid, mode, mtimeMs, size } = statSync(file)
    // The locks of a reader are in the content of the index of the log.
    return [name, uid, mode, mtimeMs, size, name.endsWith('-shm') || readFileSync(file).toString('base64')]
  })
}

describe('reading a SQLite inbox', () => {
  it.each([
    ['that a receiver uses', async () => (await running()).path],
    ['whose receiver was stopped', stopped],
    ['whose receiver crashed', crashed],
  ])('%s returns its entries and changes no file', async (_name, make) => {
    const path = await make()
    const before = filesBeside(path)
    const reader = await reading(path)
    expect(await reader.list({ state: 'pending' })).toMatchObject([
      { id: '2', paymentId: 'tx_1', body: completed('tx_1').body },
    ])
    expect(await reader.list({ state: 'done', limit: 1 })).toMatchObject([{ id: '1', attempts: 1 }])
    expect(await reader.get('1')).toMatchObject({ paymentId: 'tx_done' })
    expect([await reader.get('3'), await reader.get('01')]).toEqual([undefined, undefined])
    expect(await reader.depth(Date.now())).toMatchObject({ pending: 1, processing: 0, dead: 0 })
    await reader.close()
    expect(filesBeside(path)).toEqual(before)
  })

  it('returns the entries of a copy without the index of the log', async () => {
    const reader = await reading(await crashed(['', '-wal']))
    expect(await reader.list({ state: 'pending' })).toMatchObject([{ paymentId: 'tx_1' }])
  })

  it('returns what a receiver stores meanwhile, while it starts, runs, stops and starts again', async () => {
    const path = await stopped()
    const reader = await reading(path)
    const read = async () => (await reader.list({ state: 'pending' })).map(({ paymentId }) => paymentId)
    expect(await read()).toEqual(['tx_1'])
    for (const id of ['tx_2', 'tx_3']) {
      const inbox = await sqliteInbox({ path })
      await inbox.accept(completed(id))
      expect((await read()).at(-1)).toBe(id)
      await inbox.close()
      expect((await read()).at(-1)).toBe(id)
    }
  })

  it('does not keep a receiver from writing and from emptying its log', async () => {
    const { path, inbox } = await running()
    const reader = await reading(path)
    await reader.list({ state: 'pending' })
    for (let n = 0; n < 20; n++) await inbox.accept(completed(`tx_more_${n}`))
    await inbox.close()
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
    expect(await reader.depth(0)).toMatchObject({ pending: 21 })
  })

  it('rejects after it is closed', async () => {
    const reader = await reading(await stopped())
    await reader.close()
    await expect(reader.depth(0)).rejects.toThrow(/the inbox is closed/)
  })
})

describe('another user who may only read the files and the folder', () => {
  // Root may write everything, so a user without any files reads for it; others lose their own permission to write.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const program = `
    import { readSqliteInbox } from '@hookproof/receiver/sqlite'
    const reader = await readSqliteInbox({ path: process.env.INBOX })
    for (const { paymentId } of await reader.list({ state: 'pending' })) console.log(paymentId)
    await reader.close()`

  function list(path: string): string {
    const folder = dirname(path)
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444)
    chmodSync(folder, 0o555)
    const before = filesBeside(path)
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      ...user,
      env: { INBOX: path },
      encoding: 'utf8',
    })
    expect(filesBeside(path)).toEqual(before)
    chmodSync(folder, 0o755)
    return output
  }

  it('sees the entries while the receiver is running', async () => {
    const { path, inbox } = await running()
    expect(list(path)).toBe('tx_1\n')
    await inbox.check()
  })

  it.each([
    ['was stopped', stopped],
    ['crashed', crashed],
  ])('sees the entries after the receiver %s', async (_name, make) => {
    expect(list(await make())).toBe('tx_1\n')
  })
})

describe('refuses, and creates nothing:', () => {
  const made: readonly (readonly [string, (path: string) => void | Promise<void>, RegExp, boolean])[] = [
    ['a missing file', () => {}, /: no such file\. Choose/, true],
    ['a folder', (path) => mkdirSync(path), /: it is not a file\. Choose/, true],
    [
      'the database of another program',
      (path) => {
        const database = new DatabaseSync(path)
        database.exec('CREATE TABLE inbox (id); CREATE TABLE ledger (id)')
        database.close()
      },
      /: the file does not hold an inbox\. Choose/,
      true,
    ],
    [
      'a log that was deleted',
      async (path) => {
        const copy = await crashed(['', '-shm'])
        for (const suffix of ['', '-shm']) copyFileSync(copy + suffix, path + suffix)
      },
      /: its -wal file is missing\. Put it back/,
      false,
    ],
  ]

  it.each(made)('%s', async (_name, make, message, isNoInbox) => {
    const path = temporaryFile('inbox.sqlite')
    await make(path)
    const before = readdirSync(dirname(path))
    const error: unknown = await readSqliteInbox({ path }).catch((refused: unknown) => refused)
    expect(error).toBeInstanceOf(InboxError)
    expect(error instanceof NoInboxError).toBe(isNoInbox)
    expect(String(error)).toMatch(message)
    expect(readdirSync(dirname(path))).toEqual(before)
  })
})
