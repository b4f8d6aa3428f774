import { describe, expect, it } from 'vitest'
import { deduplicationKey, type Inbox } from '../../../receiver/inbox.ts'
import { clock, completed, delivery, NOW } from '../support.ts'
import { forEachBackend } from './stores.ts'

forEachBackend((name, backend) => {
  describe(`the ${name} inbox`, () => {
    const withInbox = async (use: (inbox: Inbox) => Promise<void>) =>
      use((await backend.open({ clock })).inbox)

    it('stores an entry with all its fields', () =>
      withInbox(async (inbox) => {
        const first = delivery({ event: 'payment.refunded', payment_id: 'tx_1', type: 'refund' }, NOW - 7)
        expect(await inbox.accept(first)).toBe('stored')
        expect(await inbox.list({ state: 'pending' })).toEqual([
          {
            id: expect.any(String),
            idempotencyKey: deduplicationKey(first),
            paymentId: 'tx_1',
            name: 'payment.refunded',
            body: first.body,
            signedAt: NOW - 7,
            receivedAt: NOW * 1000,
            state: 'pending',
            attempts: 0,
            dueAt: 0,
            lastError: undefined,
          },
        ])
      }))

    it('stores the exact bytes', () =>
      withInbox(async (inbox) => {
        const { body, ...rest } = completed('tx_1')
        const odd = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0x00, 0xff]), body])
        await inbox.accept({ ...rest, body: odd })
        expect((await inbox.claim(1, NOW))[0]?.body).toEqual(odd)
      }))

    it('recognizes a redelivery in every state of the entry', () =>
      withInbox(async (inbox) => {
        await inbox.accept(completed('tx_1'))
        expect(await inbox.accept(completed('tx_1', { timestamp: 'later' }))).toBe('duplicate')
        const claimed = await inbox.claim(1, NOW)
        expect(await inbox.accept(completed('tx_1'))).toBe('duplicate')
        for (const entry of claimed) await inbox.complete(entry)
        expect(await inbox.accept(completed('tx_1'))).toBe('duplicate')
        expect(await inbox.claim(10, NOW)).toEqual([])
      }))

    it('stores one of many copies that arrive at the same time', () =>
      withInbox(async (inbox) => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => inbox.accept(completed('tx_1'))))
        expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1)
        expect(await inbox.list({ state: 'pending' })).toHaveLength(1)
      }))

    it('distinguishes payments, whatever their ids contain', () =>
      withInbox(async (inbox) => {
        const ids = [
          'tx_1',
          'TX_1',
          'tx_1 ',
          'tx',
          'tx\u0000a',
          'tx\u0000b',
          'x\ud800',
          'x\ud801',
          '"',
          '\\"',
          'é',
          'e\u0301',
        ]
        for (const id of ids) expect(await inbox.accept(completed(id))).toBe('stored')
        expect((await inbox.list({ state: 'pending' })).map(({ paymentId }) => paymentId)).toEqual(ids)
      }))

    it('never gives one entry to two concurrent claims', () =>
      withInbox(async (inbox) => {
        for (let n = 0; n < 30; n++) await inbox.accept(completed(`tx_${n}`))
        const hands = await Promise.all(Array.from({ length: 10 }, () => inbox.claim(5, NOW)))
        const ids = hands.flat().map(({ id }) => id)
        expect(ids).toHaveLength(30)
        expect(new Set(ids).size).toBe(30)
      }))
  })
})
