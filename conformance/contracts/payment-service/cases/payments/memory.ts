import type { Scenario } from '../../../../../fixtures/index.ts'
import { inOrder, inTurn, later, untilAcknowledged, untilEffect } from '../../../../engine/plan.ts'
import type { Delivery } from '../../delivery.ts'
import { fulfilledOnce, fulfilledThenReversed, nothingLeftFulfilled } from '../../expectations/effects.ts'
import { accepted } from '../../expectations/expect.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import type { CaseOfRequirement, Plan } from '../../model.ts'
import { refundOf } from '../reversals.ts'

/** More than a cache of common size holds. */
const PAYMENTS = 1_050
/** More early refunds than a receiver with a list of them for today would keep. */
const EARLY = 300
/** Sends no more after this time, in milliseconds: the receiver may be slow. */
const WITHIN_MS = 10_000
/** A completed payment among the early refunds shows how far the receiver has come. */
const COMPLETED_EVERY = 20

/** Payments that the case is not about: the same event, each of another payment. */
const otherPayments = (kit: Kit, scenario: Scenario = 'completed') => {
  const event = kit.event(scenario, { metadata: {} })
  const prefix = String(event['id']).slice(0, -4)
  return (n: number): Delivery => {
    const id = `${prefix}${String(n).padStart(4, '0')}`
    const other = { ...event, id, payment_id: id, order_id: id }
    return { ...kit.body(JSON.stringify(other), aboutEvent(other)), role: 'context' }
  }
}
const amongOthers = (kit: Kit): Plan =>
  inOrder(later(0), untilAcknowledged(PAYMENTS, WITHIN_MS, otherPayments(kit)))
const amongEarlyRefunds = (kit: Kit): Plan => {
  const [refund, completed] = [otherPayments(kit, 'refund'), otherPayments(kit)]
  const make = (n: number) => (n % COMPLETED_EVERY === COMPLETED_EVERY - 1 ? completed(n) : refund(n))
  return inOrder(later(0), untilAcknowledged(EARLY, WITHIN_MS, make, true))
}

const permanently = 'Remember payments permanently, in the database, not in a cache that drops the oldest.'

/** SPEC.md 7.2. */
export const AFTER_A_THOUSAND: CaseOfRequirement = {
  needs: 'effects',
  send: (kit) => {
    const delivery = kit.delivery('completed')
    return inOrder(inTurn(delivery), amongOthers(kit), inTurn(delivery))
  },
  expect: [accepted, fulfilledOnce],
  fix: permanently,
}

/** SPEC.md 9.7. */
export const REFUNDS_LATER = {
  'refund-after-a-thousand-payments': {
    needs: 'effects',
    send: (kit) => {
      const [late, again] = [kit.delivery('completed'), kit.delivery('completed')]
      const redelivered = refundOf(again, kit)
      return inOrder(
        inTurn(late, again),
        untilEffect(late, again),
        inTurn(redelivered),
        amongOthers(kit),
        inTurn(refundOf(late, kit), redelivered),
      )
    },
    expect: [accepted, fulfilledThenReversed],
    fix: permanently,
  },
} satisfies Record<string, CaseOfRequirement>

/** SPEC.md 9.8. */
export const EARLY_REFUNDS = {
  'refund-long-before-completion': {
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed')
      return inOrder(inTurn(refundOf(paid, kit)), amongEarlyRefunds(kit), inTurn(paid))
    },
    expect: [accepted, nothingLeftFulfilled],
    fix: 'Remember an early refund permanently, in the store, not in a list that drops the oldest.',
  },
} satisfies Record<string, CaseOfRequirement>
