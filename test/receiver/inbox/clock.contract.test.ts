import { describe, expect, it } from 'vitest'
import type { Inbox } from '../../../receiver/inbox.ts'
import { completed, NOW } from '../support.ts'
import { forEachBackend } from './stores.ts'

const YEAR_MS = 31_536_000_000
const retries = { firstDelayMs: 1000, maxDelayMs: 5000 }

/** Claims an event at a time and fails its attempt. */
async function failAt(inbox: Inbox, now: number): Promise<void> {
  const [entry] = await inbox.claim(1, now)
  if (entry === undefined) throw new Error('nothing was claimed')
  await inbox.fail(entry, 'not yet')
}

/** The payments of the entries that are claimed at one of these times. */
async function claimedAt(inbox: Inbox, ...times: number[]): Promise<string[]> {
  const payments: string[] = []
  for (const now of times) payments.push(...(await inbox.claim(10, now)).map(({ paymentId }) => paymentId))
  return payments
}

forEachBackend((name, backend) => {
  it(`a clock that throws fails the delivery, which the ${name} inbox stores when it is sent again`, async () => {
    let works = false
    const clock = () => {
      if (!works) throw new Error('no clock')
      return NOW
    }
    const { inbox } = await backend.open({ clock, retries })
    await expect(inbox.accept(completed('tx_1'))).rejects.toThrow('no clock')
    works = true
    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
  })

  // Its receivers may have different clocks, so it decides by the clock of the database.
  if (name === 'postgres') return

  describe(`a retry that was scheduled while the clock was wrong, in the ${name} inbox`, () => {
    it('is due no later than the longest delay after the clock is right again', async () => {
      let now = NOW
      const { inbox } = await backend.open({ clock: () => now, retries })
      await inbox.accept(completed('tx_1'))
      now += YEAR_MS
      await failAt(inbox, now)
      now = NOW
      expect(await claimedAt(inbox, now, now + 5000)).toEqual(['tx_1'])
    })

    it('is due in time when the clock was only wrong between two claims', async () => {
      let now = NOW
      const { inbox } = await backend.open({ clock: () => now, retries })
      await inbox.accept(completed('tx_1'))
      const [entry] = await inbox.claim(1, now)
      now += YEAR_MS
      if (entry) await inbox.fail(entry, 'not yet')
      now = NOW + 10
      expect(await claimedAt(inbox, now, now + 5000)).toEqual(['tx_1'])
    })

    it('is due in time after a restart', async () => {
      const wrong = NOW + YEAR_MS
      const before = await backend.open({ clock: () => wrong, retries })
      if (!before.reopen) return expect(name).toBe('memory')
      await before.inbox.accept(completed('tx_1'))
      await failAt(before.inbox, wrong)
      const { inbox } = await before.reopen({ clock: () => NOW, retries })
      expect(await claimedAt(inbox, NOW, NOW + 5000)).toEqual(['tx_1'])
    })

    it('does not change when other retries are due', async () => {
      let now = NOW
      const { inbox } = await backend.open({ clock: () => now, retries })
      for (const id of ['tx_wrong', 'tx_right']) await inbox.accept(completed(id))
      now += YEAR_MS
      await failAt(inbox, now)
      now = NOW
      await failAt(inbox, now)
      expect(await claimedAt(inbox, NOW, NOW + 999)).not.toContain('tx_right')
      expect(await claimedAt(inbox, NOW + 1000)).toContain('tx_right')
    })
  })
})
