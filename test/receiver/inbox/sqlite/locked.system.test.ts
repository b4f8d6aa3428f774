import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import { sqliteInbox } from '../../../../receiver/inbox/sqlite.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { completed } from '../../support.ts'

/** An inbox whose write lock another program holds. */
async function locked({ lockTimeoutMs = 10_000 } = {}) {
  const path = temporaryFile('inbox.sqlite')
  const inbox = await sqliteInbox({ path, lockTimeoutMs })
  const holder = (await openDatabase(path)) as DatabaseSyncInstance
  onTestFinished(async () => {
    if (holder.isTransaction) holder.exec('ROLLBACK')
    holder.close()
    await inbox.close()
  })
  holder.exec('BEGIN EXCLUSIVE')
  return { inbox, holder, path }
}

describe('while another program holds the write lock', () => {
  it('a write is rejected after a while, and does not block the process meanwhile', async () => {
    const { inbox, holder } = await locked({ lockTimeoutMs: 50 })
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let result = 'none yet'
    void inbox.accept(completed('tx_1')).catch((error: unknown) => {
      result = String(error)
    })
    for (const _ of [1, 2, 3]) await turn()
    await vi.advanceTimersByTimeAsync(40)
    expect(result).toBe('none yet')
    await vi.advanceTimersByTimeAsync(20)
    vi.useRealTimers()
    expect(result).toMatch(/locked/)
    holder.exec('ROLLBACK')
    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
  })

  it('writes wait, and are stored once the lock is free', async () => {
    const { inbox, holder } = await locked()
    const writes = [inbox.accept(completed('tx_1'))]
    await pause(10)
    writes.push(inbox.accept(completed('tx_2')), inbox.accept(completed('tx_2')))
    await pause(10)
    holder.exec('ROLLBACK')
    expect(await Promise.all(writes)).toEqual(['stored', 'stored', 'duplicate'])
  })

  it('each write waits for its own time', async () => {
    const { inbox, holder } = await locked({ lockTimeoutMs: 1000 })
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const first = inbox.accept(completed('tx_1')).catch(() => 'rejected')
    await turn()
    await vi.advanceTimersByTimeAsync(600)
    const second = inbox.accept(completed('tx_2'))
    await vi.advanceTimersByTimeAsync(500)
    expect(await first).toBe('rejected')
    holder.exec('ROLLBACK')
    await vi.advanceTimersByTimeAsync(10)
    expect(await second).toBe('stored')
  })

  it('entries can be read', async () => {
    const { inbox } = await locked()
    expect(await inbox.list({ state: 'pending' })).toEqual([])
    expect(await inbox.depth(0)).toMatchObject({ pending: 0 })
  })

  it('the inbox can be opened once the lock is free', async () => {
    const { holder, path } = await locked()
    const opening = sqliteInbox({ path, lockTimeoutMs: 10_000 })
    await pause(10)
    holder.exec('ROLLBACK')
    await (await opening).close()
  })
})

/** Starts a process that opens an inbox and stores events, one after another. */
function writeInProcess(path: string, count: number) {
  const module = fileURLToPath(new URL('../../../../receiver/dist/inbox/sqlite.js', import.meta.url))
  const code = `
    const { sqliteInbox } = await import(${JSON.stringify(module)})
    const inbox = await sqliteInbox({ path: ${JSON.stringify(path)} })
    const delivery = (n) => ({ paymentId: 'other_' + n, name: 'e', event: {}, body: Buffer.from('{}'), signedAt: 1 })
    for (let n = 0; n < ${count}; n++) await inbox.accept(delivery(n))
    await inbox.close()`
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

describe('two processes that write to a new file at the same time', () => {
  it('both store everything', async () => {
    const path = temporaryFile('inbox.sqlite')
    const child = writeInProcess(path, 200)
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const inbox = await sqliteInbox({ path, lockTimeoutMs: 10_000 })
    onTestFinished(() => inbox.close())
    let stored = 0
    while (child.exitCode === null) {
      await inbox.accept(completed(`tx_${stored}`))
      stored += 1
    }
    expect(await ended).toEqual([0, null])
    expect(await inbox.depth(0)).toMatchObject({ pending: 200 + stored })
  })
})
