import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryInbox } from '../../receiver/inbox/memory.ts'
import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import { deduplicationKey, type Inbox } from '../../receiver/inbox.ts'
import { clock, delivery, NOW, temporaryFile } from './support.ts'

const stores: Record<string, () => Promise<Inbox>> = {
  memory: async () => memoryInbox({ clock }),
  sqlite: () => sqliteInbox({ path: temporaryFile(), clock }),
}

const completed = (id: string, more: object = {}) =>
  delivery({ event: 'payment.completed', payment_id: id, ...more })

describe.each(Object.entries(stores))('the %s inbox', (_name, open) => {
  /** Opens an inbox for one test, and closes it whatever happens. */
  async function withInbox(use: (inbox: Inbox) => Promise<void>): Promise<void> {
    const inbox = await open()
    try {
      await use(inbox)
    } finally {
      await inbox.close()
    }
  }

  it('keeps an entry with all that is known of it', () =>
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

  it('keeps bytes as bytes', () =>
    withInbox(async (inbox) => {
      const { body, ...rest } = completed('tx_1')
      const odd = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0x00, 0xff]), body])
      await inbox.accept({ ...rest, body: odd })
      expect((await inbox.claim(1, NOW))[0]?.body).toEqual(odd)
    }))

  it('takes a redelivery for what it is, whatever has become of the first', () =>
    withInbox(async (inbox) => {
      await inbox.accept(completed('tx_1'))
      expect(await inbox.accept(completed('tx_1', { timestamp: 'later' }))).toBe('duplicate')
      const [entry] = await inbox.claim(1, NOW)
      expect(await inbox.accept(completed('tx_1'))).toBe('duplicate')
      await inbox.complete(entry?.id ?? '')
      expect(await inbox.accept(completed('tx_1'))).toBe('duplicate')
      expect(await inbox.claim(10, NOW)).toEqual([])
    }))

  it('stores one of many copies that arrive together', () =>
    withInbox(async (inbox) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => inbox.accept(completed('tx_1'))))
      expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1)
      expect(await inbox.list({ state: 'pending' })).toHaveLength(1)
    }))

  it('tells payments apart, whatever their ids are made of', () =>
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

  it('hands out what is due, first due first, once, and counts the attempts', () =>
    withInbox(async (inbox) => {
      for (const id of ['tx_1', 'tx_2', 'tx_3', 'tx_4']) await inbox.accept(completed(id))
      const [first, second] = await inbox.claim(2, NOW)
      expect([first?.paymentId, second?.paymentId]).toEqual(['tx_1', 'tx_2'])
      expect(first).toMatchObject({ state: 'processing', attempts: 1 })
      await inbox.retryLater(first?.id ?? '', NOW + 50, 'later')
      await inbox.retryLater(second?.id ?? '', NOW + 20, 'sooner')

      expect((await inbox.claim(10, NOW + 19)).map(({ paymentId }) => paymentId)).toEqual(['tx_3', 'tx_4'])
      const again = [...(await inbox.claim(1, NOW + 50)), ...(await inbox.claim(1, NOW + 50))]
      expect(again.map(({ paymentId }) => paymentId)).toEqual(['tx_2', 'tx_1'])
      expect(again[1]).toMatchObject({ attempts: 2, dueAt: NOW + 50, lastError: 'later' })
      expect(await inbox.claim(10, NOW + 50)).toEqual([])
    }))

  it('never hands one entry to two who ask together', () =>
    withInbox(async (inbox) => {
      for (let n = 0; n < 30; n++) await inbox.accept(completed(`tx_${n}`))
      const hands = await Promise.all(Array.from({ length: 10 }, () => inbox.claim(5, NOW)))
      const ids = hands.flat().map(({ id }) => id)
      expect(ids).toHaveLength(30)
      expect(new Set(ids).size).toBe(30)
    }))

  it('puts back what was left in processing, and only that', () =>
    withInbox(async (inbox) => {
      for (const id of ['tx_1', 'tx_2', 'tx_3', 'tx_4']) await inbox.accept(completed(id))
      const [done, dead, later, left] = await inbox.claim(4, NOW)
      await inbox.complete(done?.id ?? '')
      await inbox.giveUp(dead?.id ?? '', 'no')
      await inbox.retryLater(later?.id ?? '', NOW + 1000, 'later')
      await inbox.recover()
      expect((await inbox.claim(10, NOW)).map(({ id }) => id)).toEqual([left?.id])
    }))

  it('lists the dead with their reason and retries one when told', () =>
    withInbox(async (inbox) => {
      for (const id of ['tx_1', 'tx_2', 'tx_3']) await inbox.accept(completed(id))
      const entries = await inbox.claim(3, NOW)
      for (const { id, paymentId } of entries) await inbox.giveUp(id, `no use for ${paymentId}\n"at all"`)
      const dead = await inbox.list({ state: 'dead' })
      expect(dead.map(({ lastError }) => lastError)).toEqual(
        ['tx_1', 'tx_2', 'tx_3'].map((id) => `no use for ${id}\n"at all"`),
      )
      expect(await inbox.list({ state: 'dead', limit: 2 })).toHaveLength(2)

      const id = dead[1]?.id ?? ''
      expect(await inbox.retry(id)).toBe(true)
      expect(await inbox.retry(id)).toBe(false)
      expect(await inbox.retry('no such entry')).toBe(false)
      expect(await inbox.claim(10, NOW)).toMatchObject([{ id, attempts: 1 }])
    }))

  it('lists the handled too', () =>
    withInbox(async (inbox) => {
      await inbox.accept(completed('tx_1'))
      const [entry] = await inbox.claim(1, NOW)
      await inbox.retryLater(entry?.id ?? '', NOW, 'once')
      await inbox.claim(1, NOW)
      await inbox.complete(entry?.id ?? '')
      expect(await inbox.list({ state: 'done' })).toMatchObject([{ paymentId: 'tx_1', lastError: undefined }])
      expect(await inbox.list({ state: 'processing' })).toEqual([])
    }))
})

const key = (event: object) => deduplicationKey(delivery({ payment_id: 'tx_1', ...event }))

describe('the deduplication key', () => {
  it.each([
    ['the amount received of a partial', { event: 'payment.partial' }, 'amount_received', '1.00', '2.00'],
    ['the kind of a refund', { event: 'payment.refunded' }, 'type', 'refund', 'chargeback'],
    ['the event', {}, 'event', 'payment.completed', 'payment.failed'],
    ['the payment', { event: 'payment.completed' }, 'payment_id', 'tx_1', 'tx_2'],
  ])('tells %s', (_name, event, field, one, other) => {
    expect(key({ ...event, [field]: one })).toBe(key({ ...event, [field]: one }))
    expect(key({ ...event, [field]: one })).not.toBe(key({ ...event, [field]: other }))
  })

  it.each([
    ['timestamp', 'payment.completed'],
    ['type', 'payment.completed'],
    ['amount_received', 'payment.refunded'],
    ['amount', 'payment.partial'],
    ['livemode', 'payment.completed'],
  ])('leaves %s of %s out', (field, event) => {
    expect(key({ event, [field]: 'a' })).toBe(key({ event, [field]: 'b' }))
  })

  it('is the same only for the same payment and event', () => {
    const part = fc.string({ minLength: 1, unit: 'binary' })
    fc.assert(
      fc.property(part, part, part, part, (id, event, otherId, otherEvent) => {
        const same = id === otherId && event === otherEvent
        expect(key({ payment_id: id, event }) === key({ payment_id: otherId, event: otherEvent })).toBe(same)
      }),
    )
  })

  it('bears a discriminator that is nested without end', () => {
    const depth = 100_000
    const nested = `{"event":"payment.partial","id":"tx_1","amount_received":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const event = JSON.parse(nested)
    const base = delivery({ event: 'payment.partial', payment_id: 'tx_1' })
    expect(deduplicationKey({ ...base, event })).toBe(deduplicationKey(base))
  })
})
