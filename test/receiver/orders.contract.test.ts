import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryLedger } from '../../receiver/ledger/memory.ts'
import {
  type Advice,
  createOrders,
  type Ledger,
  type Observation,
  type Orders,
} from '../../receiver/orders.ts'
import { forEachBackend } from './inbox/stores.ts'
import { type Fields, parsedEvent } from './support.ts'

const payment = { paymentId: 'tx_1' }
const money = { amount: '25.00', currency: 'USD', livemode: true }
const completed: Fields = { event: 'payment.completed', ...money }
const refunded: Fields = { event: 'payment.refunded', type: 'refund', ...money }

forEachBackend((name, backend) => {
  describe(`orders on the ${name} ledger`, () => {
    let orders: Pick<Orders, 'observe'>
    let linesOf: Ledger['linesOf']
    /** Does what processing does with an event. */
    let record: (event: Fields, paymentId: string) => Promise<boolean>
    const cleanups: (() => void | Promise<void>)[] = []

    beforeAll(async () => {
      const { ledger, within } = await backend.open({}, (clear) => void cleanups.unshift(clear))
      const created = createOrders({ ledger })
      orders = created
      linesOf = (paymentId) => ledger.linesOf(paymentId)
      record = (event, paymentId) =>
        within((transaction) => created.transact(parsedEvent(event), { paymentId }, transaction))
    })
    afterAll(async () => {
      for (const clear of cleanups) await clear()
    })

    let payments = 0
    const newPayment = () => `tx_new_${++payments}`

    /** Records events of a new payment one after the other, and observes it. */
    async function after(...sequence: Fields[]): Promise<Observation> {
      const paymentId = newPayment()
      for (const event of sequence) await record(event, paymentId)
      return orders.observe(paymentId)
    }

    it('fulfills a completed payment once', async () => {
      expect(await after(completed, completed)).toEqual({
        effects: [
          {
            event: 'payment.completed',
            effect: 'fulfilled',
            amount: '25.00',
            currency: 'USD',
            livemode: true,
          },
        ],
      })
    })

    it('fulfills an underpayment with the amount received, in its currency', async () => {
      const short = { ...completed, amount: '9.990', amount_requested: '25.00' }
      const mixed = { ...short, settled_via: { rail: 'PIX', amount: '54.00', currency: 'BRL' } }
      expect((await after(mixed)).effects).toMatchObject([{ amount: '9.990', currency: 'USD' }])
    })

    it('credits nothing for partial, expired, failed and unknown events', async () => {
      const names = [
        'payment.partial',
        'payment.expired',
        'payment.failed',
        'payment.disputed',
        'Payment.Completed',
      ]
      expect(
        await after(...names.map((event) => ({ ...completed, event, amount_received: '3.00' }))),
      ).toEqual({
        effects: [],
      })
    })

    it('reverses once after a refund, a chargeback or both', async () => {
      const { effects } = await after(completed, refunded, { ...refunded, type: 'chargeback' }, refunded)
      expect(effects.map(({ effect }) => effect)).toEqual(['fulfilled', 'reversed'])
    })

    it('does not fulfill when the reversal arrives first', async () => {
      const { effects } = await after(refunded, completed)
      expect(effects).toMatchObject([{ effect: 'reversed', event: 'payment.refunded' }])
    })

    it('separates test and live', async () => {
      const test = { ...completed, livemode: false, amount: '1.00' }
      const { effects } = await after(test, completed, { ...refunded, livemode: false })
      expect(effects.map(({ effect, livemode, amount }) => [effect, livemode, amount])).toEqual([
        ['fulfilled', false, '1.00'],
        ['fulfilled', true, '25.00'],
        ['reversed', false, '25.00'],
      ])
    })

    it('separates payments, and shows no effects for an unknown payment', async () => {
      const ids = ['tx_1', 'tx', 'tx\u0000a', 'tx\u0000b']
      const amountOf = (paymentId: string) => `${ids.indexOf(paymentId) + 1}.00`
      for (const paymentId of ids) await record({ ...completed, amount: amountOf(paymentId) }, paymentId)
      for (const paymentId of ids) {
        expect((await orders.observe(paymentId)).effects).toMatchObject([{ amount: amountOf(paymentId) }])
      }
      expect(await orders.observe('tx_2')).toEqual({ effects: [] })
    })

    it('adds one of several conflicting lines that are recorded at the same time', async () => {
      const paymentId = newPayment()
      const added = await Promise.all(Array.from({ length: 6 }, () => record(completed, paymentId)))
      expect(added.filter(Boolean)).toHaveLength(1)
      expect((await orders.observe(paymentId)).effects).toHaveLength(1)
    })

    const odd: Record<string, unknown>[] = [
      ...[
        undefined,
        null,
        25,
        ['25.00'],
        '',
        '0',
        '0.00',
        '-1',
        '1e3',
        '1,00',
        'NaN',
        '1.',
        '.5',
        '25.00\n',
        '\u0000',
      ].map((amount) => ({ amount })),
      ...[undefined, null, 840, ''].map((currency) => ({ currency })),
      // String() throws for both.
      { amount: { toString: 1 } },
      { currency: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) },
    ]

    it('records a completion without a positive decimal amount and a currency as an anomaly, and fulfills nothing', async () => {
      for (const fields of odd) {
        const paymentId = newPayment()
        expect(await record({ ...completed, ...fields }, paymentId)).toBe(true)
        expect(await record(completed, paymentId)).toBe(false)
        expect(await orders.observe(paymentId)).toEqual({ effects: [] })
        expect(await linesOf(paymentId)).toMatchObject([{ effect: 'anomaly', event: 'payment.completed' }])
      }
    })

    it('reverses a refund whatever its amount and currency', async () => {
      for (const fields of odd) {
        const { effects } = await after(completed, { ...refunded, ...fields }, refunded)
        expect(effects.map(({ effect }) => effect)).toEqual(['fulfilled', 'reversed'])
      }
    })

    it('keeps every digit of an amount that does not fit a number', async () => {
      const amount = '123456789012345678901234567890.123456789012345678'
      expect((await after({ ...completed, amount })).effects).toMatchObject([{ amount }])
    })
  })
})

describe('the mode of a payment', () => {
  it.each([
    [{}, true],
    [{ livemode: true }, true],
    [{ livemode: false }, false],
    [{ test: true }, false],
    [{ livemode: true, test: true }, false],
    [{ livemode: 'true' }, false],
    [{ livemode: null }, false],
  ])('of %j is live: %s', async (marks, live) => {
    const orders = createOrders({ ledger: memoryLedger() })
    const event = parsedEvent({ event: 'payment.completed', amount: '25.00', currency: 'USD', ...marks })
    await orders.transact(event, payment, undefined)
    expect((await orders.observe('tx_1')).effects).toMatchObject([{ livemode: live }])
  })
})

describe('a failed payment', () => {
  it.each([
    ['card_declined', 'try-another-method'],
    ['provider_unavailable', 'try-again'],
    ['invoice_expired', 'start-over'],
    ['cancelled_by_customer', 'none'],
    ['future_code', 'try-again'],
    [undefined, 'try-again'],
  ])('with the code %s leads to the advice %s', async (code, advice) => {
    const calls: [string, Advice][] = []
    const orders = createOrders({ ledger: memoryLedger(), onFailure: (...args) => void calls.push(args) })
    const event = parsedEvent({
      event: 'payment.failed',
      ...(code === undefined ? {} : { failure_code: code }),
    })
    await orders.handle(event, payment)
    expect(calls).toEqual([['tx_1', advice]])
  })

  it('is the only event that calls onFailure', async () => {
    const calls: unknown[] = []
    const orders = createOrders({ ledger: memoryLedger(), onFailure: (...args) => void calls.push(args) })
    for (const event of [completed, refunded, { event: 'payment.partial' }])
      await orders.handle(parsedEvent(event), payment)
    expect(calls).toEqual([])
    expect(await orders.observe('tx_1')).toEqual({ effects: [] })
  })
})
