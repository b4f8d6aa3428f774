import { fewAtOnce, inOrder, inTurn, untilEffect } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { accepted, answeredBelow500 } from '../../../webhook/expectations/expect.ts'
import { fulfilledOnce, nothingHandled } from '../../expectations/effects.ts'
import { aboutEvent, type Kit, paymentOf } from '../../kit.ts'
import { type CaseOfRequirement, requirement } from '../../section.ts'

/** Names that end, begin or continue like `payment.completed`, or contain a part of it. */
const LIKE_COMPLETED = [
  'payout.completed',
  'refund.completed',
  'payment.refund.completed',
  'subscription.payment.completed',
  'payment.not_completed',
  'payment.completed.undone',
  'payment.completed_in_part',
]
/** The same for `payment.refunded`. */
const LIKE_REFUNDED = [
  'payout.refunded',
  'payment.fee.refunded',
  'payment.refund.requested',
  'payment.refund_failed',
  'payment.refunded.undone',
  'payment.chargeback.won',
]
/** A status that no event of the interface has: a receiver may decide by the status (SPEC.md 9.16). */
const STATUS = 'pending'

export const OPEN = 'Accepting an unknown event is a SHOULD of its own; here only its effect counts.'
const FIX = 'Compare the entire event name exactly, not its beginning, its end or a part of it.'

export const unknown = (
  kit: Kit,
  event: string,
  payment: Readonly<Record<string, unknown>> = {},
): Delivery => ({
  ...kit.delivery('completed', { ...payment, event, status: STATUS }),
  change: `the unknown event ${event}`,
})

/** SPEC.md 9.9. */
export const SIMILAR_NAMES = {
  'unknown-events-named-like-a-completion': {
    needs: 'effects',
    send: (kit) =>
      inOrder(
        fewAtOnce(...LIKE_COMPLETED.map((event) => unknown(kit, event))),
        inTurn(asControl(kit.delivery('completed'))),
      ),
    expect: [answeredBelow500, nothingHandled],
    open: OPEN,
    fix: FIX,
  },
  'unknown-events-named-like-a-refund': {
    needs: 'effects',
    send: (kit) => {
      const payments = LIKE_REFUNDED.map((event) => ({ event, delivery: kit.delivery('completed') }))
      const paid = payments.map(({ delivery }) => delivery)
      return inOrder(
        fewAtOnce(...paid),
        untilEffect(...paid),
        fewAtOnce(...payments.map(({ event, delivery }) => unknown(kit, event, paymentOf(delivery)))),
        inTurn(asControl(kit.delivery('completed'))),
      )
    },
    expect: [answeredBelow500, fulfilledOnce],
    about: ['reversed-not-due'],
    open: OPEN,
    impact: 'A payment is taken back although nobody refunded it.',
    fix: FIX,
  },
} satisfies Record<string, CaseOfRequirement>

/** SPEC.md 9.18. */
export const otherCapitals = requirement(
  'A receiver SHOULD NOT take an event whose name differs in capitals or spaces for one that it knows.',
  {
    impact: 'An event that the service adds later is credited as a payment.',
    fix: FIX,
    about: ['fulfilled-not-due'],
  },
  {
    'event-names-in-other-capitals': {
      needs: 'effects',
      send: (kit) =>
        inOrder(
          fewAtOnce(
            ...['Payment.Completed', 'PAYMENT.COMPLETED', 'payment.Completed', ' payment.completed'].map(
              (event) => unknown(kit, event),
            ),
          ),
          inTurn(asControl(kit.delivery('completed'))),
        ),
      expect: [answeredBelow500, nothingHandled],
      open: OPEN,
    },
  },
)

/** Fields that differ from the event's own in capitals, each with the value of another payment. */
const IN_OTHER_CAPITALS: readonly Readonly<Record<string, unknown>>[] = [
  { Amount: '999999.99', AMOUNT: '999999.99' },
  { Currency: 'XAU', CURRENCY: 'XAU' },
  { Event: 'payment.failed', EVENT: 'payment.failed' },
  { Payment_Id: 'tx_of_somebody_else', Id: 'tx_of_somebody_else', Order_Id: 'tx_of_somebody_else' },
  { PAYMENT_ID: 'tx_of_somebody_else', ID: 'tx_of_somebody_else', ORDER_ID: 'tx_of_somebody_else' },
]

/** SPEC.md 9.19. */
export const fieldsInOtherCapitals = requirement(
  'A receiver SHOULD NOT take a field whose name differs in capitals for one that it knows.',
  {
    impact:
      'Another amount, or another payment, is credited from the day on which the service adds such a field.',
    fix: 'Compare the names of fields exactly: encoding/json in Go ignores capitals, as does System.Text.Json with JsonSerializerDefaults.Web; there, decode into a map first, or set the option.',
    about: ['fulfilled-wrongly', 'not-fulfilled'],
  },
  {
    'fields-in-other-capitals': {
      needs: 'effects',
      send: (kit) =>
        fewAtOnce(
          ...IN_OTHER_CAPITALS.flatMap((fields) =>
            [true, false].map((isLast) => {
              const event = kit.event('completed')
              const body = isLast ? { ...event, ...fields } : { ...fields, ...event }
              return {
                ...kit.body(JSON.stringify(body), aboutEvent(event)),
                change: `unknown fields ${Object.keys(fields).join(' and ')}`,
              }
            }),
          ),
        ),
      expect: [accepted, fulfilledOnce],
    },
  },
)

/** SPEC.md 9.16. */
export const STATUS_OF_A_PARTIAL = {
  'partial-with-status-completed': {
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed-by-crypto', { amount: '30.00', currency: 'USD' })
      const partial = { ...paymentOf(paid), amount_received: '10.00', status: 'completed' }
      return inTurn(kit.delivery('partial-crypto', partial), paid, asControl(kit.delivery('completed')))
    },
    expect: [answeredBelow500, fulfilledOnce],
    impact:
      'A payment is credited before it is complete, or never, because the status of another event is taken for its own.',
    fix: 'Decide by the event name, and include the name and not the status in the key.',
  },
} satisfies Record<string, CaseOfRequirement>
