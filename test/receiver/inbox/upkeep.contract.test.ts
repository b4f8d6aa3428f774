import { describe, expect, it } from 'vitest'
import { completed, delivery, NOW } from '../support.ts'
import { forEachBackend } from './stores.ts'

forEachBackend((name, backend) => {
  describe(`the ${name} inbox`, () => {
    it('returns an entry by its id, and undefined for an unknown id', async () => {
      const { inbox } = await backend.open()
      await inbox.accept(completed('tx_1'))
      const [entry] = await inbox.list({ state: 'pending' })
      expect(await inbox.get(entry?.id ?? '')).toEqual(entry)
      for (const id of ['no such entry', '', '0', '999999999999']) expect(await inbox.get(id)).toBeUndefined()
    })

    it('finds an entry only by the exact spelling of its id', async () => {
      const { inbox } = await backend.open({ retries: { maxAttempts: 1 } })
      await inbox.accept(completed('tx_1'))
      const [entry] = await inbox.claim(1, NOW)
      if (entry) await inbox.fail(entry, 'no goods')
      const id = entry?.id ?? ''
      const others = [`0${id}`, `+${id}`, ` ${id}`, `${id} `, `${id}\n`, `${id}.0`, `${id}e0`, `-${id}`]
      for (const other of others) {
        expect(await inbox.get(other)).toBeUndefined()
        expect(await inbox.retry(other)).toBe(false)
      }
      expect(await inbox.get(id)).toMatchObject({ state: 'dead' })
      expect(await inbox.retry(id)).toBe(true)
    })

    it('purges old handled entries, and stores their events as new afterwards', async () => {
      let now = NOW
      const retries = { maxAttempts: 1 }
      const { inbox } = await backend.open({ clock: () => now, retries })
      for (const id of ['tx_dead', 'tx_old', 'tx_older']) await inbox.accept(completed(id))
      now = NOW + 10
      await inbox.accept(completed('tx_young'))
      const [dead, ...others] = await inbox.claim(4, now)
      if (dead) await inbox.fail(dead, 'no goods')
      for (const entry of others) await inbox.complete(entry)
      now = NOW - 10
      await inbox.accept(completed('tx_waiting'))

      expect(await inbox.purge(NOW)).toBe(0)
      expect(await inbox.purge(NOW + 10)).toBe(2)
      expect(await inbox.purge(NOW + 10)).toBe(0)
      const left = async (state: 'pending' | 'done' | 'dead') =>
        (await inbox.list({ state })).map(({ paymentId }) => paymentId)
      expect(await left('done')).toEqual(['tx_young'])
      expect(await left('dead')).toEqual(['tx_dead'])
      expect(await left('pending')).toEqual(['tx_waiting'])
      expect(await inbox.accept(completed('tx_young'))).toBe('duplicate')
      expect(await inbox.accept(completed('tx_old'))).toBe('stored')
      // A new entry, even if its number is reused.
      expect(new Set((await inbox.list({ state: 'pending' })).map(({ id }) => id)).size).toBe(2)
    })

    it('purges many entries while others are accepted', async () => {
      const { inbox } = await backend.open({ clock: () => NOW })
      await Promise.all(Array.from({ length: 1201 }, (_, n) => inbox.accept(completed(`tx_${n}`))))
      const entries = await inbox.claim(1201, NOW)
      await Promise.all(entries.slice(1).map((entry) => inbox.complete(entry)))
      const [purged, accepted] = await Promise.all([inbox.purge(NOW + 1), inbox.accept(completed('tx_new'))])
      expect([purged, accepted]).toEqual([1200, 'stored'])
      expect(await inbox.depth(NOW)).toMatchObject({ pending: 1, processing: 1 })
    })

    it('reports the number of entries by state, and the age of the oldest pending one', async () => {
      let now = NOW
      const { inbox } = await backend.open({ clock: () => now, retries: { maxAttempts: 1 } })
      const nothing = { pending: 0, processing: 0, dead: 0, oldestPendingMs: undefined }
      expect(await inbox.depth(now)).toEqual(nothing)
      for (const id of ['tx_1', 'tx_2', 'tx_3', 'tx_4', 'tx_5']) {
        await inbox.accept(completed(id))
        now += 100
      }
      expect(await inbox.depth(now)).toEqual({ ...nothing, pending: 5, oldestPendingMs: 500 })
      const [first, second] = await inbox.claim(3, now)
      expect(await inbox.depth(now)).toEqual({ pending: 2, processing: 3, dead: 0, oldestPendingMs: 200 })
      if (first) await inbox.complete(first)
      if (second) await inbox.fail(second, 'no goods')
      expect(await inbox.depth(now)).toEqual({ pending: 2, processing: 1, dead: 1, oldestPendingMs: 200 })
    })

    it('passes the check without storing anything', async () => {
      const { inbox } = await backend.open()
      await inbox.accept(completed('tx_1'))
      await inbox.check()
      await Promise.all([inbox.check(), inbox.accept(completed('tx_2')), inbox.check()])
      expect(await inbox.list({ state: 'pending' })).toHaveLength(2)
    })

    it('keeps everything when it is closed and reopened', async () => {
      const clock = () => NOW
      const before = await backend.open({ clock, retries: { maxAttempts: 2 } })
      if (!before.reopen) return expect(name).toBe('memory')
      const { inbox } = before
      for (const id of ['tx_1', 'tx_2', 'tx_3', 'tx_4']) await inbox.accept(completed(id))
      await inbox.accept(delivery({ event: 'payment.refunded', payment_id: 'tx_1', type: 'refund' }))
      const [done, later, dead] = await inbox.claim(4, NOW)
      if (done) await inbox.complete(done, (transaction) => before.note(transaction, 'shipped'))
      if (later) await inbox.fail(later, 'later')
      if (dead) await inbox.fail(dead, 'once')
      for (const entry of await inbox.claim(1, NOW + 1000)) await inbox.complete(entry)
      const states = ['pending', 'processing', 'done', 'dead'] as const
      const entries = await Promise.all(states.map((state) => inbox.list({ state })))
      const depth = await inbox.depth(NOW)

      const after = await before.reopen()
      expect(await Promise.all(states.map((state) => after.inbox.list({ state })))).toEqual(entries)
      expect(await after.inbox.depth(NOW)).toEqual(depth)
      expect(await after.notes()).toEqual(['shipped'])
      expect(await after.inbox.accept(completed('tx_1'))).toBe('duplicate')
    })
  })
})
