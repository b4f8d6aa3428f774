import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as driver from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLock } from '../../../../receiver/inbox/sqlite/lock.ts'
import { sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { type Entry, InboxError } from '../../../../receiver/inbox.ts'
import { type AttemptOutcome, startProcessing } from '../../../../receiver/processing.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'
import { completed, NOW } from '../../support.ts'

const ANOTHER = /another process is handling its events\. This process takes over when that one ends\.$/

/** Two inboxes on one file; the first holds the lock. */
async function two() {
  const path = temporaryFile('inbox.sqlite')
  const [first, second] = [await sqliteInbox({ path }), await sqliteInbox({ path })]
  onTestFinished(async () => {
    for (const inbox of [first, second]) await inbox.close().catch(() => {})
  })
  await first.recover()
  return { path, first, second }
}

describe('two inboxes on one file', () => {
  it('never both process events: the second does when the first is closed', async () => {
    const { path, first, second } = await two()
    await first.accept(completed('tx_1'))
    const [entry] = await first.claim(1, NOW)
    for (const call of [() => second.recover(), () => second.claim(1, NOW)]) {
      await expect(call()).rejects.toThrow(InboxError)
      await expect(call()).rejects.toThrow(ANOTHER)
      await expect(call()).rejects.toThrow(path)
    }
    expect(await second.list({ state: 'processing' })).toEqual([entry])
    await first.close()
    await second.recover()
    expect(await second.claim(1, NOW)).toMatchObject([{ paymentId: 'tx_1', attempts: 2 }])
  })

  it('both do everything except process events', async () => {
    const { first, second } = await two()
    expect(await second.accept(completed('tx_1'))).toBe('stored')
    expect(await second.accept(completed('tx_2'))).toBe('stored')
    const [entry, other] = await first.claim(2, NOW)
    if (entry) await first.complete(entry)
    if (other)
      for (let n = 0; n < 12; n++) await first.fail({ ...other, attempts: 1 + n }, 'no').catch(() => {})
    expect(await second.depth(NOW)).toMatchObject({ pending: 1 })
    expect(await second.get('1')).toMatchObject({ state: 'done' })
    expect(await second.retry('2')).toBe(false)
    expect(await second.purge(Date.now() + 1)).toBe(1)
    await second.check()
  })

  it('share the lock when one opens it through a symbolic link', async () => {
    const { path } = await two()
    const link = temporaryFile('link.sqlite')
    symlinkSync(path, link)
    const third = await sqliteInbox({ path: link })
    await expect(third.claim(1, NOW)).rejects.toThrow(ANOTHER)
    await third.close()
  })

  it('never both hold the lock when the lock file is deleted', async () => {
    const { path, first, second } = await two()
    rmSync(`${path}-lock`)
    await second.recover()
    await expect(first.claim(1, NOW)).rejects.toThrow(ANOTHER)
  })

  it('keep the lock file when one of them is closed', async () => {
    const { path, first, second } = await two()
    await second.close()
    expect(existsSync(`${path}-lock`)).toBe(true)
    await first.claim(1, NOW)
    await first.close()
    await expect(first.claim(1, NOW)).rejects.toThrow(/is closed/)
  })

  it('handle each event once, and the second reports once that it waits', async () => {
    const { first, second } = await two()
    const handled: string[] = []
    const waiting: AttemptOutcome[] = []
    const handle = (_event: unknown, { paymentId }: Entry) => void handled.push(paymentId)
    const firstProcessing = startProcessing({ inbox: first, handle, pollMs: 5 })
    const other = startProcessing({
      inbox: second,
      handle,
      pollMs: 5,
      onOutcome: (result) => void (result.outcome === 'another_process' && waiting.push(result)),
    })
    onTestFinished(() => other.stop())
    for (let n = 0; n < 20; n++) await (n % 2 ? first : second).accept(completed(`tx_${n}`))
    await until(() => handled.length === 20)
    await firstProcessing.stop()
    await second.accept(completed('tx_last'))
    await first.close()
    await until(() => handled.includes('tx_last'))
    expect(handled).toHaveLength(21)
    expect(waiting).toMatchObject([{ error: { message: expect.stringMatching(ANOTHER) } }])
  })
})

/** Starts a process with an inbox that holds the lock and is handling one event. */
async function lockInProcess(path: string) {
  const module = fileURLToPath(new URL('../../../../receiver/dist/inbox/sqlite.js', import.meta.url))
  const code = `
    const { sqliteInbox } = await import(${JSON.stringify(module)})
    const inbox = await sqliteInbox({ path: ${JSON.stringify(path)} })
    await inbox.recover()
    console.log((await inbox.claim(1, Date.now())).length)
    setInterval(() => inbox, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(String((await once(child.stdout, 'data'))[0])).toBe('1\n')
  return child
}

describe('a process that holds the lock', () => {
  it('excludes others, and releases it when it is killed', async () => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path })
    onTestFinished(() => inbox.close())
    await inbox.accept(completed('tx_1'))
    const child = await lockInProcess(path)
    await expect(inbox.recover()).rejects.toThrow(ANOTHER)
    expect(await inbox.accept(completed('tx_2'))).toBe('stored')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await inbox.recover()
    expect(await inbox.claim(5, Date.now())).toMatchObject([
      { paymentId: 'tx_1', attempts: 2 },
      { paymentId: 'tx_2', attempts: 1 },
    ])
  })
})

describe('a lock file that cannot be used', () => {
  it.each([
    ['a folder', (lock: string) => mkdirSync(lock), /cannot be opened/],
    ['not a database', (lock: string) => writeFileSync(lock, 'notes\n'.repeat(999)), /not a SQLite database/],
  ])('is named, and the lock is acquired once that is fixed: %s', async (_name, change, message) => {
    const path = temporaryFile('inbox.sqlite')
    const inbox = await sqliteInbox({ path })
    onTestFinished(() => inbox.close())
    change(`${path}-lock`)
    await expect(inbox.claim(1, NOW)).rejects.toThrow(InboxError)
    await expect(inbox.claim(1, NOW)).rejects.toThrow(`${path}-lock`)
    await expect(inbox.claim(1, NOW)).rejects.toThrow(message)
    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
    renameSync(`${path}-lock`, `${path}-other`)
    expect(await inbox.claim(1, NOW)).toHaveLength(1)
  })
})

describe('a read-only lock file', () => {
  it('does not grant the lock until it is writable', () => {
    const path = temporaryFile('inbox.sqlite-lock')
    writeFileSync(path, '')
    let readOnly = true
    class AsPermitted extends driver.DatabaseSync {
      constructor(...[file]: ConstructorParameters<typeof driver.DatabaseSync>) {
        super(file, { readOnly })
      }
    }
    const lock = createLock({ ...driver, DatabaseSync: AsPermitted }, 'inbox.sqlite', path)
    const other = createLock(driver, 'inbox.sqlite', path)
    expect(() => lock.acquire()).toThrow(`inbox ${path}: the file or its folder is read-only`)
    readOnly = false
    lock.acquire()
    lock.acquire()
    expect(() => other.acquire()).toThrow(ANOTHER)
    lock.release()
    other.acquire()
    other.release()
    expect(() => other.acquire()).toThrow(/is closed/)
  })
})
