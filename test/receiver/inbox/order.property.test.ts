import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOrders } from '../../../receiver/orders.ts'
import { startProcessing } from '../../../receiver/processing.ts'
import type { Observation } from '../../../schemas/types.ts'
import { until } from '../../support/until.ts'
import { delivery, events } from '../support.ts'
import { forEachBackend } from './stores.ts'

type Effects = Observation['effects']

const money = { amount: '25.00', currency: 'USD', livemode: true }
const sparse = events('sparse').event('simulated-sparse-completed')

/** What may happen to one payment, by name; `sparse` is a simulated event without most of its fields. */
const paymentEvents: Record<string, object> = {
  completed: { event: 'payment.completed', ...money },
  refunded: { event: 'payment.refunded', type: 'refund', ...money },
  'charged-back': { event: 'payment.refunded', type: 'chargeback', ...money },
  'completed-in-test': { event: 'payment.completed', ...money, livemode: false },
  'part-paid': { event: 'payment.partial', ...money, amount_received: '3.00' },
  'part-paid-again': { event: 'payment.partial', ...money, amount_received: '4.00' },
  failed: { event: 'payment.failed', ...money, failure_code: 'of_tomorrow' },
  expired: { event: 'payment.expired', ...money },
  unknown: { event: 'payment.tomorrow', ...money },
  sparse: { ...sparse },
}

const names = Object.keys(paymentEvents)
const eventOf = (name: string, paymentId: string): object => ({
  ...paymentEvents[name],
  id: paymentId,
  payment_id: paymentId,
  order_id: paymentId,
})

/** What the merchant is left with: the amounts that stay fulfilled, test and live apart. */
function balanceOf(effects: Effects): string[] {
  const reversed = new Set(
    effects.filter(({ effect }) => effect === 'reversed').map(({ livemode }) => livemode),
  )
  return effects
    .filter(({ effect, livemode }) => effect === 'fulfilled' && !reversed.has(livemode))
    .map(({ amount, currency, livemode }) => `${amount} ${currency} ${livemode ? 'live' : 'test'}`)
    .toSorted()
}

/** The same, worked out from what happened and from nothing else. */
function expectedBalance(history: readonly string[]): string[] {
  const has = (name: string) => history.includes(name)
  const live = has('completed') && !has('refunded') && !has('charged-back')
  const testAmounts = [
    ...(has('completed-in-test') ? ['25.00 USD test'] : []),
    ...(has('sparse') ? [`${sparse.amount} ${sparse.currency} test`] : []),
  ]
  return [...(live ? ['25.00 USD live'] : []), ...testAmounts]
}

const completions = ['completed', 'completed-in-test', 'sparse']

/** A payment completes once, in the mode of the key that it was made with. */
const history = fc
  .subarray(names, { minLength: 1 })
  .filter((chosen) => chosen.filter((name) => completions.includes(name)).length <= 1)

/** A few payments; the deliveries of what happened to them, some of them several times, in any order. */
const traffic = fc.array(history, { minLength: 1, maxLength: 3 }).chain((payments) => {
  const each = payments.flatMap((chosen, payment) => chosen.map((name) => ({ name, payment })))
  return fc.record({
    payments: fc.constant(payments),
    deliveries: fc
      .array(fc.constantFrom(...each), { maxLength: 8 })
      .chain((repeats) =>
        fc.shuffledSubarray([...each, ...repeats], { minLength: each.length + repeats.length }),
      ),
    workers: fc.integer({ min: 1, max: 3 }),
    // Which attempts fail after their work was done: the nth of all, counted from 0.
    failures: fc.uniqueArray(fc.nat({ max: 15 }), { maxLength: 5 }),
    together: fc.boolean(),
  })
})

forEachBackend((name, backend) => {
  describe(`events in any order and number, handled by several workers on the ${name} inbox`, () => {
    it('always reach the same ledger', async () => {
      const { inbox, ledger } = await backend.open({ retries: { firstDelayMs: 1, maxDelayMs: 1 } })
      const orders = createOrders({ ledger })
      let run = 0
      await fc.assert(
        fc.asyncProperty(traffic, async ({ payments, deliveries, workers, failures, together }) => {
          run += 1
          const idOf = (payment: number) => `tx_${run}_${payment}`
          let attempts = 0
          const started = Array.from({ length: workers }, () =>
            startProcessing({
              inbox,
              concurrency: 4,
              pollMs: 1,
              // These failures are meant.
              onOutcome: () => {},
              transact(event, entry, transaction) {
                const done = orders.transact(event, entry, transaction)
                if (failures.includes(attempts++)) throw new Error('failed after the work')
                return done
              },
            }),
          )
          try {
            const accept = ({ name, payment }: (typeof deliveries)[number]) =>
              inbox.accept(delivery(eventOf(name, idOf(payment))))
            if (together) await Promise.all(deliveries.map(accept))
            else for (const one of deliveries) await accept(one)
            await until(async () => {
              const { pending, processing } = await inbox.depth(0)
              return pending + processing === 0
            })
          } finally {
            await Promise.all(started.map((processing) => processing.stop()))
          }
          for (const [payment, chosen] of payments.entries()) {
            const { effects } = await orders.observe(idOf(payment))
            expect(balanceOf(effects)).toEqual(expectedBalance(chosen))
            const kinds = effects.map(({ effect, livemode }) => `${effect} ${livemode}`)
            expect(kinds).toEqual([...new Set(kinds)])
          }
        }),
        { numRuns: 60 },
      )
      expect(await inbox.list({ state: 'dead' })).toEqual([])
    }, 60_000)
  })
})
