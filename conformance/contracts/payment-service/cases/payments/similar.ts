import { inOrder, inTurn, untilEffect } from '../../../../engine/plan.ts'
import type { Delivery } from '../../delivery.ts'
import { fulfilledIfAcknowledged } from '../../expectations/effects.ts'
import { accepted } from '../../expectations/expect.ts'
import { effectsOfSequences } from '../../expectations/sequences.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import type { CaseOfRequirement } from '../../model.ts'
import { refundOf } from '../reversals.ts'

const SAME = {
  amount: '25.00',
  currency: 'USD',
  metadata: { order: 'SO-10001', customer: 'Ada Quill' },
}

/** Two payments that have everything but their ids in common. */
const two = (kit: Kit) => [kit.delivery('completed', SAME), kit.delivery('completed', SAME)] as const

/** SPEC.md 7.8. */
export const oneOfTwoRefunded: CaseOfRequirement = {
  needs: 'effects',
  send: (kit) => {
    const refund = (paid: Delivery) => refundOf(paid, kit)
    const [refunded, kept] = two(kit)
    const [refundedEarly, paid] = two(kit)
    return inOrder(
      inTurn(refunded, kept),
      untilEffect(refunded, kept),
      inTurn(refund(refunded), refund(refundedEarly), refundedEarly, paid),
    )
  },
  expect: [accepted, effectsOfSequences],
  impact: 'A refund reverses the payment of another customer, or keeps one from being shipped.',
  fix: 'Find the payment of a refund by its payment id, not by its amount, order number or customer.',
  about: ['not-fulfilled', 'not-reversed', 'reversed-not-due'],
}

/** Longer than the ids that the service assigns today: of the length of `tx_` and two UUIDs. */
const LONG = 75

/** SPEC.md 7.10. */
export const LONG_IDS = {
  'long-payment-ids': {
    needs: 'effects',
    send: (kit) => {
      const event = kit.event('completed', SAME)
      const prefix = String(event['id']).padEnd(LONG - 1, 'x')
      return inTurn(
        ...['a', 'b'].map((last) => {
          const id = `${prefix}${last}`
          const one = { ...event, id, payment_id: id, order_id: id }
          return kit.body(JSON.stringify(one), aboutEvent(one))
        }),
      )
    },
    expect: [fulfilledIfAcknowledged],
    open: 'A receiver may refuse an id that is longer than those of the service; here counts what it acknowledges.',
  },
} satisfies Record<string, CaseOfRequirement>
