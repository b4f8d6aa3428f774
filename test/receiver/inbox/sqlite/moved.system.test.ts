import { existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { InboxError } from '../../../../receiver/inbox.ts'
import { readConfig } from '../../../../server/config.ts'
import { start } from '../../../../server/server.ts'
import { nowInSeconds } from '../../../support/program.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'
import { completed, NOW, SECRET, signed } from '../../support.ts'

const FILES = ['', '-wal', '-shm']

/** An inbox with one event, closed when the test ends. */
async function opened(path = temporaryFile('inbox.sqlite')) {
  const inbox = await sqliteInbox({ path })
  onTestFinished(() => inbox.close().catch(() => {}))
  expect(await inbox.accept(completed('tx_before'))).toBe('stored')
  return { path, inbox }
}

const paymentsIn = async (path: string): Promise<string[]> => {
  const inbox = await sqliteInbox({ path })
  const entries = await inbox.list({ state: 'pending' })
  await inbox.close()
  return entries.map(({ paymentId }) => paymentId)
}

/** Expects that the inbox rejects every write. */
async function expectRejections({ path, inbox }: Awaited<ReturnType<typeof opened>>): Promise<void> {
  const calls = [() => inbox.accept(completed('tx_during')), () => inbox.claim(1, NOW), () => inbox.check()]
  for (const call of calls) {
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InboxError)
    expect((error as InboxError).message).toMatch(
      /moved or replaced while the receiver was running\. Put it back/,
    )
    expect((error as InboxError).message).toContain(path)
  }
}

describe('a database file that was moved', () => {
  it('keeps the receiver from starting while its log is there alone, which SQLite would delete', async () => {
    const { path, inbox } = await opened()
    const link = temporaryFile('link.sqlite')
    symlinkSync(path, link)
    renameSync(path, `${path}.away`)
    for (const one of [path, link])
      await expect(sqliteInbox({ path: one })).rejects.toThrow(`inbox ${one}: its -wal file is there, which`)
    renameSync(`${path}.away`, path)
    await inbox.close()
    expect(await paymentsIn(path)).toEqual(['tx_before'])
  })

  it.each([
    ['the file', ['']],
    ['the log', ['-wal']],
    ["the log's index", ['-shm']],
    ['all files', FILES],
  ])('rejects writes until it is put back: %s', async (_name, suffixes) => {
    const store = await opened()
    const { path, inbox } = store
    for (const suffix of suffixes) renameSync(path + suffix, `${path}.away${suffix}`)
    await expectRejections(store)
    for (const suffix of suffixes) renameSync(`${path}.away${suffix}`, path + suffix)
    expect(await inbox.accept(completed('tx_after'))).toBe('stored')
    expect(await inbox.accept(completed('tx_before'))).toBe('duplicate')
    await inbox.close()
    expect(await paymentsIn(path)).toEqual(['tx_before', 'tx_after'])
  })

  it('rejects writes when it was deleted, or its folder was moved', async () => {
    const deleted = await opened()
    rmSync(deleted.path)
    await expectRejections(deleted)
    const moved = await opened()
    const folder = dirname(moved.path)
    renameSync(folder, `${folder}.away`)
    onTestFinished(() => rmSync(`${folder}.away`, { recursive: true }))
    await expectRejections(moved)
  })

  it('rejects writes when another file is in its place, and leaves that file unchanged', async () => {
    const store = await opened()
    const { path } = store
    const log = statSync(`${path}-wal`).ino
    for (const suffix of ['', '-wal']) renameSync(path + suffix, `${path}.away${suffix}`)
    const other = await sqliteInbox({ path })
    await other.accept(completed('tx_other'))
    expect(statSync(`${path}-wal`).ino).not.toBe(log)
    await expectRejections(store)
    await store.inbox.close()
    expect(existsSync(`${path}-wal`)).toBe(true)
    expect(await other.accept(completed('tx_more'))).toBe('stored')
    await other.close()
    expect(await paymentsIn(path)).toEqual(['tx_other', 'tx_more'])
  })

  it('rejects writes when the symbolic link to it changes', async () => {
    const [target, otherTarget] = [temporaryFile('inbox.sqlite'), temporaryFile('inbox.sqlite')]
    const link = temporaryFile('link.sqlite')
    await (await opened(otherTarget)).inbox.close()
    writeFileSync(target, '')
    symlinkSync(target, link)
    const store = await opened(link)
    rmSync(link)
    symlinkSync(otherTarget, link)
    await expectRejections(store)
  })

  it.each([
    ['on close', async (inbox: Awaited<ReturnType<typeof opened>>['inbox']) => inbox.close()],
    [
      'when idle',
      async (_: unknown, paymentsInCopy: () => Promise<string[]>) => {
        vi.advanceTimersByTime(2000)
        // A copy that is made meanwhile may hold only some pages of the log.
        await until(async () => (await paymentsInCopy().catch(() => [])).length > 0)
      },
    ],
  ])('keeps acknowledged events after its log was deleted: saved %s', async (_name, save) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { path, inbox } = await opened()
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix)
    await expect(inbox.check()).rejects.toThrow(/its -wal or -shm file/)
    let copies = 0
    // A copy, as after a crash.
    const paymentsInCopy = () => {
      const copy = join(dirname(path), `copy-${(copies += 1)}.sqlite`)
      writeFileSync(copy, readFileSync(path))
      return paymentsIn(copy)
    }
    await save(inbox, paymentsInCopy)
    expect(await paymentsInCopy()).toEqual(['tx_before'])
  })

  it('is complete after the receiver stopped, wherever it is', async () => {
    const { path, inbox } = await opened()
    const away = join(dirname(path), 'away.sqlite')
    renameSync(path, away)
    await inbox.close()
    expect(await paymentsIn(away)).toEqual(['tx_before'])
  })
})

describe('a receiver whose database file was moved', () => {
  it('answers 503 and is not ready until the file is put back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const path = temporaryFile('inbox.sqlite')
    const config = readConfig({ WEBHOOK_SECRET: SECRET, INBOX: path, PORT: '0' })
    const receiver = await start(config, { log: pino({ level: 'silent' }) })
    onTestFinished(() => receiver.stop())
    const deliver = async (id: string): Promise<number> => {
      const { body, header } = signed({ event: 'payment.completed', payment_id: id }, nowInSeconds())
      const headers = { 'X-Service-Signature': header }
      const posted = await fetch(`${receiver.url}/webhooks`, {
        method: 'POST',
        headers,
        body: Uint8Array.from(body),
      })
      return posted.status
    }
    const ready = async (): Promise<number> => {
      // The previous result is cached for a second.
      vi.advanceTimersByTime(1000)
      return (await fetch(`${receiver.url}/readyz`)).status
    }

    expect(await deliver('tx_1')).toBe(200)
    expect(await ready()).toBe(200)
    renameSync(path, `${path}.away`)
    expect(await deliver('tx_2')).toBe(503)
    expect(await ready()).toBe(503)
    renameSync(`${path}.away`, path)
    expect(await deliver('tx_2')).toBe(200)
    expect(await ready()).toBe(200)
    expect(await deliver('tx_1')).toBe(200)
  })
})
