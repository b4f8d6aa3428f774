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

/** The events of one payment, by name; `sparse` is a simulated event without most of its fields. */
const paymentEvents: Record<string, object> = {
  completed: { event: 'payment.completed', ...money },
  refunded: { event: 'payment.refunded', type: 'refund', ...money },
  'charged-back': { event: 'payment.refunded', type: 'chargeback', ...money },
  'completed-in-test': { event: 'payment.completed', ...money, livemode: false },
  'part-paid': { event: 'payment.partial', ...money, amount_received: '3.00' },
  'part-paid-again': { event: 'payment.partial', ...money, amount_received: '4.00' },
  failed: { event: 'payment.failed', ...money, failure_code: 'future_code' },
  expired: { event: 'payment.expired', ...money },
  unknown: { event: 'payment.future', ...money },
  sparse: { ...sparse },
}

const names = Object.keys(paymentEvents)
const eventOf = (name: string, paymentId: string): object => ({
  ...paymentEvents[name],
  id: paymentId,
  payment_id: paymentId,
  order_id: paymentId,
})

/** The balance of the merchant according to the ledger: the fulfilled amounts that were not reversed, by mode. */
function balanceOf(effects: Effects): string[] {
  const reversed = new Set(
    effects.filter(({ effect }) => effect === 'reversed').map(({ livemode }) => livemode),
  )
  return effects
    .filter(({ effect, livemode }) => effect === 'fulfilled' && !reversed.has(livemode))
    .map(({ amount, currency, livemode }) => `${amount} ${currency} ${livemode ? 'live' : 'test'}`)
    .toSorted()
}

/** The same balance, computed from the events alone. */
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

/** The events of a payment. It completes at most once, in the mode of its key. */
const history = fc
  .subarray(names, { minLength: 1 })
  .filter((chosen) => chosen.filter((name) => completions.includes(name)).length <= 1)

/** A few payments and the deliveries of their events, some repeated, in any order. */
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
    // The numbers of the attempts that fail after their work, counted from 0.
    failures: fc.uniqueArray(fc.nat({ max: 15 }), { maxLength: 5 }),
    together: fc.boolean(),
  })
})

forEachBackend((name, backend) => {
  describe(`events in any order and number, handled by several workers with the ${name} inbox`, () => {
    it('always lead to the same ledger', async () => {
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
              pollMs: 5,
              // These failures are intended.
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
            else for (const delivered of deliveries) await accept(delivered)
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
