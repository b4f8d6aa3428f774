import { fewAtOnce, inOrder, inTurn, pauseFor, together, untilEffect } from '../../../../engine/plan.ts'
import type { Delivery } from '../../delivery.ts'
import { acceptedUnlessBusy, ifAcknowledged } from '../../expectations/conditional.ts'
import { fulfilledThenReversed, nothingLeftFulfilled } from '../../expectations/effects.ts'
import { type Kit, paymentOf } from '../../kit.ts'
import type { CaseOfRequirement } from '../../model.ts'

/** How often a race is run: one of them alone may be won by chance. */
const RACES = 4
/** Milliseconds between one refund and the next: each arrives in another phase of the work on its completion. */
const GAPS_MS = [10, 30, 60, 100]

const open =
  'A receiver may handle the two events in either order, and may ask the sender of one to come again while it handles the other.'
const lost = {
  impact: 'A refund that arrives while the receiver works on the completion is lost: the goods are shipped.',
  fix: 'Lock the payment while you change it, and look for a refund in the transaction that fulfills it.',
}
const races = (kit: Kit): Delivery[] => Array.from({ length: RACES }, () => kit.delivery('completed'))
const refundOf = (paid: Delivery, kit: Kit) => kit.delivery('refund', paymentOf(paid))

/** SPEC.md 9.12: events of one payment that a receiver handles at the same time. */
export const OVERLAPPING = {
  'refund-while-the-completion-is-handled': {
    needs: 'effects',
    isUnordered: true,
    send: (kit) => {
      const others = GAPS_MS.map(() => kit.delivery('completed'))
      const refunds = others.flatMap((paid, n) => [
        ...pauseFor(GAPS_MS[n] ?? 0),
        ...inTurn(refundOf(paid, kit)),
      ])
      const atOnce = races(kit).flatMap((paid) => [paid, refundOf(paid, kit)])
      return inOrder(inTurn(...atOnce), fewAtOnce(...others), refunds)
    },
    expect: [acceptedUnlessBusy, ifAcknowledged(nothingLeftFulfilled)],
    open,
    ...lost,
  },
  'refund-and-completion-at-once': {
    needs: 'effects',
    isUnordered: true,
    send: (kit) => inOrder(...races(kit).map((paid) => together(paid, refundOf(paid, kit)))),
    expect: [acceptedUnlessBusy, ifAcknowledged(nothingLeftFulfilled)],
    open,
    ...lost,
  },
  'refund-and-resent-completion-at-once': {
    needs: 'effects',
    isUnordered: true,
    send: (kit) => {
      const paid = races(kit)
      return inOrder(
        fewAtOnce(...paid),
        untilEffect(...paid),
        ...paid.map((one) => together(refundOf(one, kit), one)),
      )
    },
    expect: [acceptedUnlessBusy, ifAcknowledged(fulfilledThenReversed)],
    open,
    impact: 'A refund that arrives together with a redelivery of its completion is lost, or shipped again.',
    fix: 'Lock the payment while you change it; do not write back a state that another event has changed meanwhile.',
  },
} satisfies Record<string, CaseOfRequirement>
