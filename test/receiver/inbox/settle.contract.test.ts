import { describe, expect, it } from 'vitest'
import { type Entry, type Inbox, LostAttemptError } from '../../../receiver/inbox.ts'
import { completed, NOW } from '../support.ts'
import { forEachBackend } from './stores.ts'

/** Accepts events of these payments and claims them all. */
async function claimed(inbox: Inbox, ...ids: string[]): Promise<Entry[]> {
  for (const id of ids) await inbox.accept(completed(id))
  return inbox.claim(ids.length, NOW)
}

async function claimedOne(inbox: Inbox): Promise<Entry> {
  const [entry] = await claimed(inbox, 'tx_1')
  if (entry === undefined) throw new Error('nothing was claimed')
  return entry
}

forEachBackend((name, backend) => {
  describe(`a successful attempt, in the ${name} inbox`, () => {
    it('makes the entry done and clears the last error', async () => {
      const { inbox } = await backend.open({ clock: () => NOW, retries: { firstDelayMs: 1 } })
      await inbox.fail(await claimedOne(inbox), 'once')
      for (const entry of await inbox.claim(1, NOW + 1)) await inbox.complete(entry)
      expect(await inbox.list({ state: 'done' })).toMatchObject([
        { paymentId: 'tx_1', attempts: 2, dueAt: 0, lastError: undefined },
      ])
      expect(await inbox.list({ state: 'processing' })).toEqual([])
      expect(await inbox.claim(10, NOW + 9)).toEqual([])
    })

    it('commits the writes of its transaction', async () => {
      const { inbox, note, notes } = await backend.open()
      await inbox.complete(await claimedOne(inbox), (transaction) => note(transaction, 'shipped'))
      expect(await notes()).toEqual(['shipped'])
      expect(await inbox.list({ state: 'done' })).toHaveLength(1)
    })

    it('records nothing when its transaction fails, and throws the error', async () => {
      const { inbox, note, notes } = await backend.open()
      const entry = await claimedOne(inbox)
      const refused = inbox.complete(entry, (transaction) => {
        note(transaction, 'shipped')
        throw new RangeError('no goods')
      })
      await expect(refused).rejects.toThrow(new RangeError('no goods'))
      expect(await inbox.get(entry.id)).toEqual(entry)
      if (backend.rollsBack) expect(await notes()).toEqual([])
      await inbox.complete(entry, (transaction) => note(transaction, 'shipped later'))
      expect((await notes()).at(-1)).toBe('shipped later')
    })

    it('does not affect concurrent attempts when its transaction fails', async () => {
      const { inbox, note, notes } = await backend.open()
      const entries = await claimed(inbox, 'tx_1', 'tx_2', 'tx_3')
      const ended = await Promise.allSettled([
        ...entries.map((entry) =>
          inbox.complete(entry, (transaction) => {
            note(transaction, entry.paymentId)
            if (entry.paymentId === 'tx_2') throw new Error('no goods')
          }),
        ),
        inbox.accept(completed('tx_4')),
      ])
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
      if (backend.rollsBack) expect((await notes()).toSorted()).toEqual(['tx_1', 'tx_3'])
      expect(await inbox.list({ state: 'done' })).toHaveLength(2)
      expect(await inbox.list({ state: 'processing' })).toMatchObject([{ paymentId: 'tx_2' }])
      expect(await inbox.list({ state: 'pending' })).toMatchObject([{ paymentId: 'tx_4' }])
    })

    it('is recorded once, even if completed several times', async () => {
      const { inbox, note, notes } = await backend.open()
      const entry = await claimedOne(inbox)
      const tries = await Promise.allSettled(
        Array.from({ length: 5 }, () => inbox.complete(entry, (transaction) => note(transaction, 'shipped'))),
      )
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      if (backend.rollsBack) expect(await notes()).toEqual(['shipped'])
      await expect(inbox.complete(entry)).rejects.toThrow(LostAttemptError)
    })

    it(`${backend.isAsync ? 'awaits' : 'rejects'} a promise in its transaction`, async () => {
      const { inbox, note, notes } = await backend.open()
      const entry = await claimedOne(inbox)
      const ending = inbox.complete(entry, async (transaction) => {
        await note(transaction, 'shipped')
        if (!backend.isAsync) throw new Error('an unobserved rejection')
      })
      if (backend.isAsync) {
        await ending
        expect(await notes()).toEqual(['shipped'])
      } else {
        await expect(ending).rejects.toThrow(/^transact: returned a promise.*use handle/)
        await expect(ending).rejects.toThrow(TypeError)
        expect(await notes()).toEqual([])
        expect(await inbox.get(entry.id)).toEqual(entry)
      }
    })
  })

  describe(`an attempt that fails, in the ${name} inbox`, () => {
    it('is made again later, twice as late each time, and never later than the longest wait', async () => {
      let now = NOW
      const retries = { maxAttempts: 6, firstDelayMs: 1000, maxDelayMs: 5000 }
      const { inbox } = await backend.open({ clock: () => now, retries })
      await inbox.accept(completed('tx_1'))
      const waits: number[] = []
      for (let attempt = 1; attempt < 6; attempt++) {
        const [entry] = await inbox.claim(1, now)
        if (entry === undefined) throw new Error(`attempt ${attempt} was not claimed`)
        expect(entry.attempts).toBe(attempt)
        const after = await inbox.fail(entry, `failed ${attempt}`)
        if (after.state !== 'pending') throw new Error(`dead after attempt ${attempt}`)
        expect(await inbox.get(entry.id)).toMatchObject({ ...after, lastError: `failed ${attempt}` })
        waits.push(after.dueAt - now)
        expect(await inbox.claim(1, after.dueAt - 1)).toEqual([])
        now = after.dueAt
      }
      expect(waits).toEqual([1000, 2000, 4000, 5000, 5000])
    })

    it('makes the entry dead after the last attempt; retry makes it pending again', async () => {
      const { inbox } = await backend.open({ retries: { maxAttempts: 1 } })
      const reasons = ['tx_1', 'tx_2', 'tx_3'].map((id) => `no use for ${id} \u0000 "at all"`)
      const entries = await claimed(inbox, 'tx_1', 'tx_2', 'tx_3')
      for (const [at, entry] of entries.entries()) {
        expect(await inbox.fail(entry, reasons[at] ?? '')).toEqual({ state: 'dead' })
      }
      const dead = await inbox.list({ state: 'dead' })
      expect(dead.map(({ lastError }) => lastError)).toEqual(reasons)
      expect(await inbox.list({ state: 'dead', limit: 2 })).toEqual(dead.slice(0, 2))
      expect(await inbox.claim(10, NOW * 2000)).toEqual([])

      const id = dead[1]?.id ?? ''
      expect(await inbox.retry(id)).toBe(true)
      expect(await inbox.retry(id)).toBe(false)
      expect(await inbox.retry('no such entry')).toBe(false)
      expect(await inbox.claim(10, NOW)).toMatchObject([{ id, attempts: 1 }])
    })

    it('is lost, and changes nothing, once the entry is in another attempt or finished', async () => {
      const { inbox, note, notes } = await backend.open({ clock: () => NOW })
      const first = await claimedOne(inbox)
      await inbox.recover()
      const lost = () => [
        () => inbox.fail(first, 'too late'),
        () => inbox.complete(first),
        () => inbox.complete(first, (transaction) => note(transaction, 'shipped')),
      ]
      const expectAllLost = async () => {
        for (const attempt of lost()) await expect(attempt()).rejects.toThrow(LostAttemptError)
      }
      await expectAllLost()
      const [second] = await inbox.claim(1, NOW)
      await expectAllLost()
      expect(await inbox.get(first.id)).toEqual(second)
      if (second) await inbox.complete(second)
      await expectAllLost()
      expect(await inbox.list({ state: 'done' })).toHaveLength(1)
      expect(await notes()).toEqual([])
    })

    it.each(['maxAttempts', 'firstDelayMs', 'maxDelayMs'])(
      'rejects %s that is not a number',
      async (option) => {
        const opening = async () => backend.open({ retries: { [option]: Number.NaN } })
        await expect(opening()).rejects.toThrow(new RegExp(`^${option}: must be`))
      },
    )
  })

  describe(`the ${name} inbox`, () => {
    it('gives each due entry to one claim, earliest due first, and counts the attempts', async () => {
      let now = NOW + 20
      const { inbox } = await backend.open({ clock: () => now, retries: { firstDelayMs: 30 } })
      for (const id of ['tx_1', 'tx_2', 'tx_3', 'tx_4']) await inbox.accept(completed(id))
      const [first, second] = await inbox.claim(2, NOW)
      if (!first || !second) throw new Error('nothing was claimed')
      expect([first.paymentId, second.paymentId]).toEqual(['tx_1', 'tx_2'])
      expect(first).toMatchObject({ state: 'processing', attempts: 1 })
      await inbox.fail(first, 'later')
      now = NOW - 10
      await inbox.fail(second, 'sooner')

      expect((await inbox.claim(10, NOW + 19)).map(({ paymentId }) => paymentId)).toEqual(['tx_3', 'tx_4'])
      const again = [...(await inbox.claim(1, NOW + 50)), ...(await inbox.claim(1, NOW + 50))]
      expect(again.map(({ paymentId }) => paymentId)).toEqual(['tx_2', 'tx_1'])
      expect(again[1]).toMatchObject({ attempts: 2, dueAt: NOW + 50, lastError: 'later' })
      expect(await inbox.claim(10, NOW + 50)).toEqual([])
    })

    it('requeues entries that were left in processing, and only those', async () => {
      const { inbox } = await backend.open({ clock: () => NOW })
      const [done, later, left] = await claimed(inbox, 'tx_1', 'tx_2', 'tx_3')
      if (!done || !later) throw new Error('nothing was claimed')
      await inbox.complete(done)
      await inbox.fail(later, 'later')
      expect(await inbox.recover()).toEqual([])
      expect((await inbox.claim(10, NOW)).map(({ id }) => id)).toEqual([left?.id])
    })

    it('makes entries dead that were left in their last attempt, and returns them', async () => {
      const { inbox } = await backend.open({ clock: () => NOW, retries: { maxAttempts: 2, firstDelayMs: 1 } })
      await inbox.fail(await claimedOne(inbox), 'once')
      await inbox.accept(completed('tx_2'))
      await inbox.claim(2, NOW + 1)
      const dead = await inbox.recover()
      expect(dead).toMatchObject([
        { paymentId: 'tx_1', state: 'dead', lastError: 'The process ended during the last attempt.' },
      ])
      expect(await inbox.list({ state: 'dead' })).toEqual(dead)
      expect(await inbox.claim(10, NOW + 1)).toMatchObject([{ paymentId: 'tx_2', attempts: 2 }])
    })
  })
})
