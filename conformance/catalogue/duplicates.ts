import { asControl, type Delivery } from '../case/delivery.ts'
import { fulfilledOnce, fulfilledThenReversed, nothingDoneLater } from '../case/effects.ts'
import { accepted, acceptedOrBusy, refused } from '../case/expect.ts'
import { aboutEvent, type Kit, paymentOf } from '../case/kit.ts'
import type { Guidance } from '../case/model.ts'
import { bodyText, type Mutation, sentAs, signedAt, signedWith } from '../case/mutate.ts'
import {
  deliver,
  inOrder,
  inTurn,
  later,
  onSeparateConnections,
  type Plan,
  together,
  untilEffect,
} from '../case/plan.ts'
import { AFTER_A_THOUSAND } from './payments/memory.ts'
import { AFTER_EXPIRY, REDELIVERED_WITH } from './payments/redelivered.ts'
import { LONG_IDS, oneOfTwoRefunded } from './payments/similar.ts'
import { resentLongAfter } from './payments/timestamps.ts'
import { requirement, section } from './section.ts'
import { paymentsWithOneId, redeliveredWithOtherIds } from './unsigned/request-ids.ts'

const shippedTwice = {
  impact: 'The merchant ships the goods twice.',
  fix: 'Insert the payment and event under a unique key first; handle the event only when the insert succeeded.',
  about: ['fulfilled-again'],
} satisfies Guidance

/** After this time a redelivery shows that the receiver remembers a payment for longer than a second. */
const LATER_MS = 1_200
/** After this time work shows that was claimed for two seconds and is picked up again. */
const PICKED_UP_AGAIN_MS = 2_200

/** The changed delivery first, then the valid one of the same payment. */
const poisonedBy = (mutation: Mutation) => (kit: Kit) => {
  const delivery = kit.delivery('completed')
  return inTurn(mutation(delivery, kit), asControl(delivery))
}
const withNewTimestamp = (delivery: Delivery, kit: Kit): Delivery => {
  const event = JSON.parse(delivery.body.toString()) as Record<string, unknown>
  const later = { ...event, timestamp: new Date((kit.now() + 1) * 1000).toISOString() }
  return { ...kit.redelivery(delivery, { body: Buffer.from(JSON.stringify(later)) }), change: undefined }
}
const reserialized = (delivery: Delivery, kit: Kit): Delivery =>
  kit.redelivery(delivery, {
    body: Buffer.from(JSON.stringify(JSON.parse(delivery.body.toString()), null, 2)),
  })
/** Payments that have everything but their ids in common. */
const alike = (kit: Kit, idsFrom: (id: string) => string[]): Plan => {
  const event = kit.event('completed', { amount: '25.00', currency: 'USD', metadata: { cart: 'same' } })
  return inTurn(
    ...idsFrom(String(event['id'])).map((id) => {
      const one = { ...event, id, payment_id: id, order_id: id }
      return kit.body(JSON.stringify(one), aboutEvent(one))
    }),
  )
}
const secondEarlier = (delivery: Delivery, kit: Kit): Delivery =>
  kit.redelivery(delivery, { t: kit.now() - 1 })

export const duplicates = section(
  'duplicates',
  'Duplicate deliveries',
  requirement(
    'A receiver MUST acknowledge a redelivery with status 200.',
    {
      impact: 'The service keeps resending the delivery, because it never gets an acknowledgment.',
      fix: 'Answer 200 to a delivery that is already stored.',
    },
    {
      'acknowledged-again': {
        send: (kit) => {
          const delivery = kit.delivery('completed')
          return inTurn(delivery, delivery, secondEarlier(delivery, kit))
        },
        expect: [accepted],
      },
    },
  ),
  requirement('A receiver MUST handle a delivery and its redeliveries once.', shippedTwice, {
    'delivered-twice-in-turn': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return inTurn(delivery, delivery)
      },
      expect: [accepted, fulfilledOnce],
    },
    'delivered-five-times-in-turn': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return inTurn(delivery, delivery, delivery, delivery, delivery)
      },
      expect: [accepted, fulfilledOnce],
    },
    'after-other-payments': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return inTurn(delivery, kit.delivery('completed'), kit.delivery('completed'), delivery)
      },
      expect: [accepted, fulfilledOnce],
      fix: 'Remember every payment that was handled, not only the last one.',
    },
    'after-a-thousand-payments': AFTER_A_THOUSAND,
    'delivered-on-separate-connections': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        const copies = Array.from({ length: 4 }, () => delivery)
        return inOrder(onSeparateConnections(...copies), together(...copies))
      },
      expect: [acceptedOrBusy, fulfilledOnce],
      fix: 'Remember what was handled in a store that all workers and machines share, not in the memory of each.',
    },
    'after-a-second': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return inOrder(inTurn(delivery), later(LATER_MS), inTurn(delivery))
      },
      expect: [accepted, fulfilledOnce],
      fix: 'Remember payments permanently, in the store: the service may resend an event after days.',
    },
    'after-its-signature-expired': AFTER_EXPIRY,
    'nothing-happens-twice-later': {
      needs: 'effects',
      late: { afterMs: PICKED_UP_AGAIN_MS },
      send: deliver('completed'),
      expect: [accepted, fulfilledOnce, nothingDoneLater],
      fix: 'Mark a delivery as processed in the transaction of its effects, and let a worker keep its claim for as long as the work takes.',
    },
  }),
  requirement('A receiver MUST handle copies of a delivery that arrive together once.', shippedTwice, {
    'delivered-twice-at-once': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return together(delivery, delivery)
      },
      expect: [acceptedOrBusy, fulfilledOnce],
    },
    'delivered-20-times-at-once': {
      needs: 'effects',
      alone: true,
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return together(...Array.from({ length: 20 }, () => delivery))
      },
      expect: [acceptedOrBusy, fulfilledOnce],
    },
  }),
  requirement(
    'A receiver MUST recognize a redelivery by its payment and event, regardless of its `t`, signature, `timestamp` or bytes.',
    shippedTwice,
    {
      'signed-again': {
        needs: 'effects',
        send: (kit) => {
          const delivery = kit.delivery('completed')
          return inTurn(delivery, secondEarlier(delivery, kit))
        },
        expect: [accepted, fulfilledOnce],
        fix: 'Leave the signature and `t` out of the key: each attempt has new ones.',
      },
      'with-a-new-timestamp': {
        needs: 'effects',
        send: (kit) => {
          const delivery = kit.delivery('completed')
          return inTurn(delivery, withNewTimestamp(delivery, kit))
        },
        expect: [accepted, fulfilledOnce],
        fix: 'Leave `timestamp` out of the key.',
      },
      'with-timestamps-of-other-months': resentLongAfter,
      reserialized: {
        needs: 'effects',
        send: (kit) => {
          const delivery = kit.delivery('completed')
          return inTurn(delivery, reserialized(delivery, kit))
        },
        expect: [accepted, fulfilledOnce],
        fix: 'Leave the bytes and their digest out of the key: a redelivery may serialize the JSON differently.',
      },
      ...REDELIVERED_WITH,
      ...redeliveredWithOtherIds,
    },
  ),
  requirement(
    'A receiver MUST NOT treat a refund as a redelivery of the completion that it reverses.',
    {
      impact: 'The refund has no effect: the customer keeps both the goods and the money.',
      fix: 'On payment.refunded, reverse the order once. If the receiver does that, but takes the refund for a redelivery, include the event in the key.',
    },
    {
      'refund-after-completion': {
        needs: 'effects',
        send: (kit) => {
          const paid = kit.delivery('completed')
          return inOrder(inTurn(paid), untilEffect(paid), inTurn(kit.delivery('refund', paymentOf(paid))))
        },
        expect: [accepted, fulfilledThenReversed],
      },
      'chargeback-after-completion': {
        needs: 'effects',
        send: (kit) => {
          const paid = kit.delivery('completed')
          return inOrder(
            inTurn(paid, paid),
            untilEffect(paid),
            inTurn(kit.delivery('chargeback', paymentOf(paid))),
          )
        },
        expect: [accepted, fulfilledThenReversed],
      },
    },
  ),
  requirement(
    'A receiver MUST accept each of several partial payments of one payment.',
    {
      impact: 'The merchant does not see that more of the payment has arrived.',
      fix: 'Include `amount_received` in the key of payment.partial.',
    },
    {
      'growing-partials': {
        send: (kit) => {
          const first = kit.delivery('partial-crypto', { amount: '30.00', amount_received: '10.00' })
          const payment = paymentOf(first)
          return inTurn(
            first,
            kit.delivery('partial-crypto', { ...payment, amount_received: '20.00' }),
            kit.delivery('partial-crypto', { ...payment, amount_received: '29.99' }),
          )
        },
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A refused delivery MUST NOT prevent a valid delivery of the same payment from being handled.',
    {
      impact: 'Anyone who knows a payment id can suppress its payment.',
      fix: 'Record a delivery as seen only after you have verified its signature and time.',
    },
    {
      'forged-first': {
        needs: 'effects',
        send: poisonedBy(signedWith('a signature made with another secret', () => 'whsec_of_somebody_else')),
        expect: [refused(401), fulfilledOnce],
      },
      'altered-first': {
        needs: 'effects',
        send: poisonedBy(bodyText('the status altered', '"status":"completed"', '"status":"cancelled"')),
        expect: [refused(401), fulfilledOnce],
      },
      'stale-first': {
        needs: 'effects',
        send: poisonedBy(signedAt('t an hour ago', (now) => now - 3600)),
        expect: [refused(400, 401), fulfilledOnce],
        impact:
          'A payment is lost when its first delivery arrives late or is replayed: the next one counts as seen.',
      },
      'broken-off-first': {
        needs: 'effects',
        send: (kit) => {
          const delivery = kit.delivery('completed')
          const truncated = sentAs('a body that breaks off', (body) => ({
            kind: 'truncated',
            after: body.length - 20,
          }))
          return inTurn(truncated(delivery, kit), delivery)
        },
        expect: [accepted, fulfilledOnce],
      },
    },
  ),
  requirement(
    'A receiver MUST distinguish different payments, however similar they are.',
    {
      impact: 'A second customer pays and gets nothing.',
      fix: 'Compare entire payment ids, exactly and case-sensitively.',
    },
    {
      'similar-payments': {
        needs: 'effects',
        send: (kit) => alike(kit, (id) => [id, `${id}x`, id.slice(0, -1)]),
        expect: [accepted, fulfilledOnce],
      },
      ...paymentsWithOneId,
      'refund-of-one-of-two-similar-payments': oneOfTwoRefunded,
    },
  ),
  requirement(
    'A receiver SHOULD distinguish payments whose ids differ only in the case of a letter.',
    {
      impact: 'A second customer pays and gets nothing, if the service ever assigns two such ids.',
      fix: 'Compare payment ids case-sensitively: in MySQL, give the column a binary collation.',
    },
    {
      'payment-ids-that-differ-in-case': {
        needs: 'effects',
        send: (kit) => alike(kit, (id) => [`${id.slice(0, -1)}a`, `${id.slice(0, -1)}A`]),
        expect: [accepted, fulfilledOnce],
      },
    },
  ),
  requirement(
    'A receiver SHOULD distinguish payments whose ids are long and differ only at their end.',
    {
      impact: 'A second customer pays and gets nothing, if the service ever assigns longer ids.',
      fix: 'Store payment ids in a column without a short limit, and let the database refuse a text that is too long instead of truncating it.',
    },
    LONG_IDS,
  ),
)
