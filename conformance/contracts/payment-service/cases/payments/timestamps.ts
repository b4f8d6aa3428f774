import { fewAtOnce, inOrder, inTurn, untilEffect } from '../../../../engine/plan.ts'
import type { Delivery } from '../../delivery.ts'
import { fulfilledOnce, fulfilledThenReversed } from '../../expectations/effects.ts'
import { accepted } from '../../expectations/expect.ts'
import { effectsOfSequences } from '../../expectations/sequences.ts'
import { type Kit, paymentOf } from '../../kit.ts'
import type { CaseOfRequirement } from '../../model.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
/** In seconds: the service may resend an event in another hour, day, month or year, with a new timestamp. */
const AGES = [400 * DAY, 40 * DAY, 2 * DAY, 90 * MINUTE, 0]

/** The `timestamp` of an event that was emitted some seconds ago. */
const emitted = (kit: Kit, secondsAgo: number) => ({
  timestamp: new Date((kit.emittedAt() - secondsAgo) * 1000).toISOString(),
})
/** The same event, emitted once more: only its timestamp is another. */
const emittedAgain = (delivery: Delivery, kit: Kit, secondsAgo: number): Delivery => {
  const event = JSON.parse(delivery.body.toString()) as Record<string, unknown>
  const body = Buffer.from(JSON.stringify({ ...event, ...emitted(kit, secondsAgo) }))
  return kit.redelivery(delivery, { body })
}

/** SPEC.md 7.4. */
export const resentLongAfter: CaseOfRequirement = {
  needs: 'effects',
  send: (kit) => {
    const paid = kit.delivery('completed')
    return inTurn(...AGES.map((age) => emittedAgain(paid, kit, age)))
  },
  expect: [accepted, fulfilledOnce],
  fix: 'Leave `timestamp` out of the key, and every part of it: a partition by month must not decide what is a duplicate.',
}

/** SPEC.md 9.7. */
export const refundEmittedAgain = {
  'refund-resent-long-after': {
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed', emitted(kit, 500 * DAY))
      const refund = kit.delivery('refund', paymentOf(paid))
      return inOrder(
        inTurn(paid),
        untilEffect(paid),
        inTurn(...AGES.map((age) => emittedAgain(refund, kit, age))),
      )
    },
    expect: [accepted, fulfilledThenReversed],
    about: ['reversed-again'],
    impact: 'The merchant takes back the same payment twice.',
    fix: 'Leave `timestamp` out of the key of a refund, and reverse a payment only once.',
  },
} satisfies Record<string, CaseOfRequirement>

/** SPEC.md 9.12: payments of which an event arrives after one that was emitted later. */
export const olderThanTheLast: CaseOfRequirement = {
  needs: 'effects',
  send: (kit) => {
    const at = (minutesAgo: number) => emitted(kit, minutesAgo * MINUTE)
    const paid = (minutesAgo: number) => kit.delivery('completed', at(minutesAgo))
    const [resent, resentLater, afterFailure, afterPartial, failedLater] = [
      paid(10),
      paid(10),
      paid(5),
      paid(5),
      paid(10),
    ]
    const refund = (of: Delivery, minutesAgo: number) =>
      kit.delivery('refund', { ...paymentOf(of), ...at(minutesAgo) })
    const fulfilled = [resent, resentLater, afterFailure, afterPartial, failedLater]
    return inOrder(
      fewAtOnce(
        kit.delivery('failed-provider_unavailable', { ...paymentOf(afterFailure), ...at(1) }),
        kit.delivery('partial-crypto', { ...paymentOf(afterPartial), amount_received: '0.01', ...at(1) }),
      ),
      fewAtOnce(...fulfilled),
      untilEffect(...fulfilled),
      // Resent before the refund arrives, and after it.
      fewAtOnce(
        emittedAgain(resent, kit, 0),
        kit.delivery('failed-provider_unavailable', { ...paymentOf(failedLater), ...at(1) }),
      ),
      fewAtOnce(refund(resent, 5), refund(resentLater, 5), refund(failedLater, 5)),
      inTurn(emittedAgain(resentLater, kit, 0)),
    )
  },
  expect: [accepted, effectsOfSequences],
  impact: 'A refund or a payment is lost, because another event of the payment has a later timestamp.',
  fix: 'Do not drop an event because its `timestamp` is older than that of another; each event changes what it is about.',
}

/** SPEC.md 9.10. */
export const completedByTheWindow: CaseOfRequirement = {
  needs: 'effects',
  send: (kit) => {
    const paid = kit.delivery('completed-gift-card-short', {
      amount: '20.00',
      amount_requested: '25.00',
      currency: 'USD',
    })
    const partial = kit.delivery('partial-gift-card', {
      ...paymentOf(paid),
      amount: '25.00',
      amount_received: '20.00',
      ...emitted(kit, DAY + 5 * MINUTE),
    })
    return inTurn(partial, paid)
  },
  expect: [accepted, fulfilledOnce],
  impact:
    'A customer whose gift card paid a part gets nothing when the order completes by itself after a day.',
  fix: 'Fulfill on payment.completed for its own amount, however long ago the partial payment was and whatever it asked for.',
}
