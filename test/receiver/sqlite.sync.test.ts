import fs from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import { clock, completed, NOW, temporaryFile } from './support.ts'

it('what was committed by a sync that failed is refused, and what that claim took was given to nobody', async () => {
  const inbox = await sqliteInbox({ path: temporaryFile(), clock })
  onTestFinished(() => inbox.close())
  await inbox.accept(completed('tx_before'))
  const failing = ((_descriptor: number, end: (error: Error) => void) => {
    end(new Error('EIO: i/o error, fdatasync'))
  }) as typeof fs.fdatasync
  const sync = vi.spyOn(fs, 'fdatasync').mockImplementationOnce(failing)
  onTestFinished(() => sync.mockRestore())

  const asked = await Promise.allSettled([inbox.accept(completed('tx_2')), inbox.claim(1, NOW * 1000)])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await inbox.accept(completed('tx_2'))).toBe('duplicate')
  expect(await inbox.list({ state: 'processing' })).toHaveLength(1)
  expect(await inbox.claim(1, NOW * 1000)).toMatchObject([{ paymentId: 'tx_before', attempts: 2 }])
  expect(await inbox.claim(5, NOW * 1000)).toMatchObject([{ paymentId: 'tx_2', attempts: 1 }])
})
