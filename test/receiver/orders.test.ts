import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serialise } from '../../fixtures/index.ts'
import { openDatabase } from '../../receiver/inbox/database.ts'
import { memoryLedger } from '../../receiver/ledger/memory.ts'
import { sqliteLedger } from '../../receiver/ledger/sqlite.ts'
import { type Advice, createOrders, type Ledger } from '../../receiver/orders.ts'
import { readEvent, type WebhookEvent } from '../../receiver/verify.ts'
import type { Observation } from '../../schemas/types.ts'
import { events, temporaryFile } from './support.ts'

/** What the merchant is left with: the amounts that stay fulfilled, test and live apart. */
function balanceOf({ effects }: Observation): string[] {
  const reversed = new Set(
    effects.filter(({ effect }) => effect === 'reversed').map(({ livemode }) => livemode),
  )
  return effects
    .filter(({ effect, livemode }) => effect === 'fulfilled' && !reversed.has(livemode))
    .map(({ amount, currency, livemode }) => `${amount} ${currency} ${livemode ? 'live' : 'test'}`)
    .toSorted()
}

type Fields = Partial<WebhookEvent> & { event: string }
const payment = { paymentId: 'tx_1' }
const money = { amount: '25.00', currency: 'USD', livemode: true }
const completed: Fields = { event: 'payment.completed', ...money }
const refunded: Fields = { event: 'payment.refunded', type: 'refund', ...money }

const ledgers: Record<string, () => Promise<{ ledger: Ledger; close: () => void }>> = {
  memory: async () => ({ ledger: memoryLedger(), close: () => {} }),
  sqlite: async () => {
    const database = await openDatabase(temporaryFile())
    return { ledger: sqliteLedger(database), close: () => database.close() }
  },
}

describe.each(Object.entries(ledgers))('orders on the %s ledger', (_name, open) => {
  /** Handles events one after the other, and observes. */
  async function after(...sequence: Fields[]): Promise<Observation> {
    const { ledger, close } = await open()
    try {
      const orders = createOrders({ ledger })
      for (const event of sequence) await orders.handle(event, payment)
      return await orders.observe('tx_1')
    } finally {
      close()
    }
  }

  it('fulfils a completed payment once', async () => {
    expect(await after(completed, completed)).toEqual({
      effects: [
        { event: 'payment.completed', effect: 'fulfilled', amount: '25.00', currency: 'USD', livemode: true },
      ],
    })
  })

  it('fulfils a short payment for what came in, in its own currency', async () => {
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
    expect(await after(...names.map((event) => ({ ...completed, event, amount_received: '3.00' })))).toEqual({
      effects: [],
    })
  })

  it('reverses once, be it refunded or charged back or both', async () => {
    const { effects } = await after(completed, refunded, { ...refunded, type: 'chargeback' }, refunded)
    expect(effects.map(({ effect }) => effect)).toEqual(['fulfilled', 'reversed'])
  })

  it('does not fulfil after a reversal that came first', async () => {
    const { effects } = await after(refunded, completed)
    expect(effects).toMatchObject([{ effect: 'reversed', event: 'payment.refunded' }])
  })

  it('keeps test and live apart', async () => {
    const test = { ...completed, livemode: false, amount: '1.00' }
    const { effects } = await after(test, completed, { ...refunded, livemode: false })
    expect(effects.map(({ effect, livemode, amount }) => [effect, livemode, amount])).toEqual([
      ['fulfilled', false, '1.00'],
      ['fulfilled', true, '25.00'],
      ['reversed', false, '25.00'],
    ])
  })

  it('keeps payments apart, and knows nothing of one it never met', async () => {
    const { ledger, close } = await open()
    const orders = createOrders({ ledger })
    const ids = ['tx_1', 'tx', 'tx\u0000a', 'tx\u0000b']
    const amountOf = (paymentId: string) => `${ids.indexOf(paymentId)}.00`
    for (const paymentId of ids) {
      await orders.handle({ ...completed, amount: amountOf(paymentId) }, { paymentId })
    }
    for (const paymentId of ids) {
      expect((await orders.observe(paymentId)).effects).toMatchObject([{ amount: amountOf(paymentId) }])
    }
    expect(await orders.observe('tx_2')).toEqual({ effects: [] })
    close()
  })

  it('ends the same for every order and number of the same events, handled together or in turn', async () => {
    const sparse = events('sparse').event('simulated-sparse-completed', { id: 'tx_1' })
    const shared: Fields[] = [
      completed,
      refunded,
      { ...refunded, type: 'chargeback' },
      { event: 'payment.partial', ...money, amount_received: '3.00' },
      { event: 'payment.partial', ...money, amount_received: '4.00' },
      { event: 'payment.failed', ...money, failure_code: 'of_tomorrow' },
      { event: 'payment.expired', ...money },
      { event: 'payment.tomorrow', ...money },
      readEvent(serialise(sparse)).event,
    ]
    const { ledger, close } = await open()
    const orders = createOrders({ ledger })
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(shared, { minLength: 1 }).chain((chosen) =>
          fc.record({
            chosen: fc.constant(chosen),
            repeats: fc.array(fc.constantFrom(...chosen), { maxLength: 6 }),
            order: fc.array(fc.nat(), { minLength: 15, maxLength: 15 }),
            together: fc.boolean(),
          }),
        ),
        async ({ chosen, repeats, order, together }) => {
          const shuffled = [...chosen, ...repeats]
            .map((event, index) => ({ event, place: order[index] ?? 0 }))
            .toSorted((a, b) => a.place - b.place)
          const [inTurn, mixed] = [`tx_${++run}`, `tx_${++run}`]
          for (const event of chosen) await orders.handle(event, { paymentId: inTurn })
          if (together)
            await Promise.all(shuffled.map(({ event }) => orders.handle(event, { paymentId: mixed })))
          else for (const { event } of shuffled) await orders.handle(event, { paymentId: mixed })
          expect(balanceOf(await orders.observe(mixed))).toEqual(balanceOf(await orders.observe(inTurn)))
        },
      ),
      { numRuns: 150 },
    )
    close()
  })

  it('refuses to book what is no amount, so that a person sees it', async () => {
    for (const amount of [undefined, 25, '', '-1', '1e3', '1,00', 'NaN', '1.', '.5']) {
      await expect(after({ ...completed, amount })).rejects.toThrow('amount is not decimal text')
      await expect(after({ ...refunded, amount })).rejects.toThrow('amount is not decimal text')
    }
    await expect(after({ ...completed, currency: '' })).rejects.toThrow('currency is missing')
  })

  it('keeps the digits of an amount that no number holds', async () => {
    const amount = '123456789012345678901234567890.123456789012345678'
    expect((await after({ ...completed, amount })).effects).toMatchObject([{ amount }])
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
    const event = { event: 'payment.completed', amount: '25.00', currency: 'USD', ...marks }
    await orders.handle(event, payment)
    expect((await orders.observe('tx_1')).effects).toMatchObject([{ livemode: live }])
  })
})

describe('a failed payment', () => {
  it.each([
    ['card_declined', 'try-another-method'],
    ['provider_unavailable', 'try-again'],
    ['invoice_expired', 'start-anew'],
    ['cancelled_by_customer', 'none'],
    ['of_tomorrow', 'try-again'],
    [undefined, 'try-again'],
  ])('with the code %s leads to the advice %s', async (code, advice) => {
    const told: [string, Advice][] = []
    const orders = createOrders({ ledger: memoryLedger(), onFailure: (...args) => void told.push(args) })
    const event = { event: 'payment.failed', ...(code === undefined ? {} : { failure_code: code }) }
    await orders.handle(event, payment)
    expect(told).toEqual([['tx_1', advice]])
  })
})
