import fs from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sqliteInbox } from '../../../receiver/inbox/sqlite.ts'
import { temporaryFile } from '../../support/temporary.ts'
import { clock, completed, NOW } from '../support.ts'

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
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  expect(outcome).toBeUndefined()
  ends[0]?.(null)
  expect(await repeated).toBe('duplicate')
})
