import { inAnyOrder, inOrder, inTurn, untilEffect } from '../../../../engine/plan.ts'
import type { Delivery } from '../../../webhook/delivery.ts'
import { accepted } from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { ifAcknowledged } from '../../expectations/conditional.ts'
import {
  fulfilledIfAcknowledged,
  fulfilledOnce,
  fulfilledOnceApart,
  fulfilledThenReversed,
} from '../../expectations/effects.ts'
import { effectsOfSequences } from '../../expectations/sequences.ts'
import { aboutEvent, type Kit, paymentOf } from '../../kit.ts'
import { chargebackOf, paidThen, refundOf } from '../../payments.ts'
import { requirement } from '../../section.ts'
import { MAY_USE_HEADER, REQUEST_IDS_IGNORED, withRequestId } from './redelivered.ts'
import { idsOfTheSameHash } from './same-hash.ts'

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

/** Payments of other ids and other amounts: an observation that mixes their ids up shows the wrong amount. */
const apart = (kit: Kit, ids: (id: string) => readonly string[]): Plan => {
  const event = kit.event('completed', SAME)
  return inAnyOrder(
    ...ids(String(event['id'])).map((id, n) => {
      const one = { ...event, id, payment_id: id, order_id: id, amount: `${25 + n}.00` }
      const delivery = kit.body(JSON.stringify(one), aboutEvent(one))
      return /^[\w-]+$/.test(id) ? delivery : { ...delivery, change: 'punctuation in the id' }
    }),
  )
}
/** Changes the letter at a place into another of the same kind. */
const other = (id: string, at: number) => {
  const letter = id.at(at) === 'k' ? 'm' : 'k'
  const place = at < 0 ? id.length + at : at
  return `${id.slice(0, place)}${letter}${id.slice(place + 1)}`
}
const IN_ONE_PLACE = (id: string) => {
  const middle = id.length >> 1
  const [before, after] = [id.slice(0, middle), id.slice(middle)]
  return [
    id,
    ...[3, middle, -1].map((at) => other(id, at)),
    // Only what an observation may put into a URL as it is.
    ...['_', '-', ':', '.'].map((inserted) => `${before}${inserted}${after}`),
    `${id}_`,
    // The prefix twice: with the letters of the prefix removed from its start, it is the same as the id itself.
    `${id.slice(0, id.indexOf('_') + 1)}${id}`,
  ]
}
/** Where merchants write their own number of an order: a customer may pay for one in two payments. */
const OWN_NUMBERS = ['order', 'order_id', 'orderId', 'order_number', 'reference', 'invoice', 'cart_id']
const SAME = {
  amount: '25.00',
  currency: 'USD',
  metadata: {
    ...Object.fromEntries(OWN_NUMBERS.map((name) => [name, 'SO-10001'])),
    customer: 'Ada Quill',
  },
}

/** Two payments that have everything but their ids in common. */
const two = (kit: Kit) => [kit.delivery('completed', SAME), kit.delivery('completed', SAME)] as const

/** Longer than the ids that the service assigns today: of the length of `tx_` and two UUIDs. */
const LONG = 75

/** SPEC.md 7.5. */
export const refundsApart = requirement(
  'A receiver MUST NOT treat a refund as a redelivery of the completion that it reverses.',
  {
    impact: 'The refund has no effect: the customer keeps both the goods and the money.',
    fix: 'On payment.refunded, reverse the order once. If the receiver does that, but takes the refund for a redelivery, include the event in the key.',
  },
  {
    'refund-after-completion': {
      needs: 'effects',
      send: paidThen((paid, kit) => [refundOf(paid, kit)]),
      expect: [accepted, fulfilledThenReversed],
    },
    'chargeback-after-completion': {
      needs: 'effects',
      send: (kit) => {
        const paid = kit.delivery('completed')
        return inOrder(inTurn(paid, paid), untilEffect(paid), inTurn(chargebackOf(paid, kit)))
      },
      expect: [accepted, fulfilledThenReversed],
    },
  },
)

/** SPEC.md 7.6. */
export const partialsApart = requirement(
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
)

/** SPEC.md 7.8. */
export const paymentsApart = requirement(
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
    'ids-that-differ-in-one-place': {
      needs: 'effects',
      send: (kit) => apart(kit, IN_ONE_PLACE),
      expect: [ifAcknowledged(fulfilledOnceApart)],
      open: 'A receiver may refuse an id with punctuation that the service does not use; here counts what it acknowledges.',
      fix: 'Compare entire payment ids: do not shorten them, and remove neither a prefix nor punctuation from them.',
    },
    'ids-of-the-same-hash': {
      needs: 'effects',
      send: (kit) => apart(kit, idsOfTheSameHash),
      expect: [accepted, fulfilledOnceApart],
      fix: 'Use the payment id itself as the key, not a short hash of it: two ids have the same hash sooner or later.',
    },
    'payments-with-the-same-request-id': {
      needs: 'effects',
      send: (kit) => {
        const [first, second] = [kit.delivery('completed'), kit.delivery('completed')]
        const sameId = withRequestId(`${first.key}-0`)
        return inTurn(sameId(first, kit), sameId(second, kit))
      },
      expect: [fulfilledIfAcknowledged],
      open: MAY_USE_HEADER,
      fix: REQUEST_IDS_IGNORED,
    },
    'refund-of-one-of-two-similar-payments': {
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
    },
  },
)

/** SPEC.md 7.9. */
export const lettersApart = requirement(
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
)

const MAY_BE_TOO_LONG =
  'A receiver may refuse an id that is longer than those of the service; here counts what it acknowledges.'

/** SPEC.md 7.10. */
export const endsApart = requirement(
  'A receiver SHOULD distinguish payments whose ids are long and differ only at their end.',
  {
    impact: 'A second customer pays and gets nothing, if the service ever assigns longer ids.',
    fix: 'Store payment ids in a column without a short limit, and let the database refuse a text that is too long instead of truncating it.',
  },
  {
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
      open: MAY_BE_TOO_LONG,
    },
    'payment-ids-alike-in-36-characters': {
      needs: 'effects',
      send: (kit) => apart(kit, (id) => ['a', 'b'].map((last) => `${id.padEnd(36, 'x')}${last}`)),
      expect: [ifAcknowledged(fulfilledOnceApart)],
      open: MAY_BE_TOO_LONG,
    },
  },
)
