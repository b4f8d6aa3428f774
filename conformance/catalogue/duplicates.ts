import { asControl, type Delivery } from '../case/delivery.ts'
import { fulfilledOnce, fulfilledThenReversed } from '../case/effects.ts'
import { accepted, refused } from '../case/expect.ts'
import type { Kit } from '../case/kit.ts'
import { aboutEvent, paymentOf } from '../case/kit.ts'
import { bodyText, type Mutation, sentAs, signedAt, signedWith } from '../case/mutate.ts'
import { inTurn, together } from '../case/plan.ts'
import { section } from './section.ts'

const shippedTwice = {
  impact: 'A customer is shipped the goods twice.',
  fix: 'Insert the payment and event under a unique key first; handle only when the insert succeeded.',
}
const suppressed = {
  impact: 'Anyone who knows a payment id can keep its payment from ever being handled.',
  fix: 'Record a delivery as seen only after its signature and its time were found right.',
}
const refundLost = {
  impact: 'The refund is dropped, and the customer keeps both goods and money.',
  fix: 'Make the event a part of the key, and for refunds the type too; reverse a payment only once all the same.',
}

/** The changed delivery first, then the genuine one of the same payment. */
const poisonedBy = (mutation: Mutation) => (kit: Kit) => {
  const delivery = kit.delivery('completed')
  return inTurn(mutation(delivery, kit), asControl(delivery))
}
const restamped = (delivery: Delivery, kit: Kit): Delivery => {
  const event = JSON.parse(delivery.body.toString()) as Record<string, unknown>
  const later = { ...event, timestamp: new Date((kit.now() + 1) * 1000).toISOString() }
  return { ...kit.redelivery(delivery, { body: Buffer.from(JSON.stringify(later)) }), change: undefined }
}
const reserialised = (delivery: Delivery, kit: Kit): Delivery =>
  kit.redelivery(delivery, {
    body: Buffer.from(JSON.stringify(JSON.parse(delivery.body.toString()), null, 2)),
  })
const secondEarlier = (delivery: Delivery, kit: Kit): Delivery =>
  kit.redelivery(delivery, { t: kit.now() - 1 })

export const duplicates = section('duplicates', 'Duplicate deliveries', {
  'acknowledged-again': {
    spec: 'A receiver MUST acknowledge a redelivery with status 200.',
    send: (kit) => {
      const one = kit.delivery('completed')
      return inTurn(one, one, secondEarlier(one, kit))
    },
    expect: [accepted],
    impact: 'The service never learns that the delivery arrived and sends it again without end.',
    fix: 'Answer 200 to a delivery that is already stored.',
  },
  'delivered-twice-in-turn': {
    spec: 'A receiver MUST handle a delivery and its redeliveries once.',
    needs: 'effects',
    send: (kit) => {
      const one = kit.delivery('completed')
      return inTurn(one, one)
    },
    expect: [accepted, fulfilledOnce],
    ...shippedTwice,
  },
  'delivered-five-times-in-turn': {
    spec: 'A receiver MUST handle a delivery and its redeliveries once.',
    needs: 'effects',
    send: (kit) => {
      const one = kit.delivery('completed')
      return inTurn(one, one, one, one, one)
    },
    expect: [accepted, fulfilledOnce],
    ...shippedTwice,
  },
  'delivered-twice-at-once': {
    spec: 'Copies of a delivery that arrive together MUST be handled once.',
    needs: 'effects',
    send: (kit) => {
      const one = kit.delivery('completed')
      return together(one, one)
    },
    expect: [accepted, fulfilledOnce],
    ...shippedTwice,
  },
  'delivered-20-times-at-once': {
    spec: 'Copies of a delivery that arrive together MUST be handled once.',
    needs: 'effects',
    alone: true,
    send: (kit) => {
      const one = kit.delivery('completed')
      return together(...Array.from({ length: 20 }, () => one))
    },
    expect: [accepted, fulfilledOnce],
    ...shippedTwice,
  },
  'signed-anew': {
    spec: 'A receiver MUST recognise a redelivery by its payment and event, whatever its `t`, signature, `timestamp` or bytes.',
    needs: 'effects',
    send: (kit) => {
      const one = kit.delivery('completed')
      return inTurn(one, secondEarlier(one, kit))
    },
    expect: [accepted, fulfilledOnce],
    impact: shippedTwice.impact,
    fix: 'Leave the signature and `t` out of the key: each attempt has new ones.',
  },
  'with-a-new-timestamp': {
    spec: 'A receiver MUST recognise a redelivery by its payment and event, whatever its `t`, signature, `timestamp` or bytes.',
    needs: 'effects',
    send: (kit) => {
      const one = kit.delivery('completed')
      return inTurn(one, restamped(one, kit))
    },
    expect: [accepted, fulfilledOnce],
    impact: shippedTwice.impact,
    fix: 'Leave `timestamp` out of the key.',
  },
  'written-anew': {
    spec: 'A receiver MUST recognise a redelivery by its payment and event, whatever its `t`, signature, `timestamp` or bytes.',
    needs: 'effects',
    send: (kit) => {
      const one = kit.delivery('completed')
      return inTurn(one, reserialised(one, kit))
    },
    expect: [accepted, fulfilledOnce],
    impact: shippedTwice.impact,
    fix: 'Leave the bytes and their digest out of the key: a resend may write the JSON anew.',
  },
  'after-other-payments': {
    spec: 'A receiver MUST handle a delivery and its redeliveries once.',
    needs: 'effects',
    send: (kit) => {
      const one = kit.delivery('completed')
      return inTurn(one, kit.delivery('completed'), kit.delivery('completed'), one)
    },
    expect: [accepted, fulfilledOnce],
    impact: shippedTwice.impact,
    fix: 'Remember every payment that was handled, not just the last one.',
  },
  'refund-after-completion': {
    spec: 'A receiver MUST NOT take a refund for a redelivery of the completion that it reverses.',
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed')
      return inTurn(paid, kit.delivery('refund', paymentOf(paid)))
    },
    expect: [accepted, fulfilledThenReversed],
    ...refundLost,
  },
  'chargeback-after-completion': {
    spec: 'A receiver MUST NOT take a refund for a redelivery of the completion that it reverses.',
    needs: 'effects',
    send: (kit) => {
      const paid = kit.delivery('completed')
      return inTurn(paid, paid, kit.delivery('chargeback', paymentOf(paid)))
    },
    expect: [accepted, fulfilledThenReversed],
    ...refundLost,
  },
  'growing-partials': {
    spec: 'A receiver MUST accept each of several partial payments of one payment.',
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
    impact: 'The merchant does not see that more of the payment has arrived.',
    fix: 'Make `amount_received` a part of the key of payment.partial.',
  },
  'forged-first': {
    spec: 'A delivery that is refused MUST NOT keep a genuine delivery of the same payment from being handled.',
    needs: 'effects',
    send: poisonedBy(signedWith('a signature made with another secret', () => 'whsec_of_somebody_else')),
    expect: [refused(401), fulfilledOnce],
    ...suppressed,
  },
  'altered-first': {
    spec: 'A delivery that is refused MUST NOT keep a genuine delivery of the same payment from being handled.',
    needs: 'effects',
    send: poisonedBy(bodyText('its status altered', '"status":"completed"', '"status":"cancelled"')),
    expect: [refused(401), fulfilledOnce],
    ...suppressed,
  },
  'stale-first': {
    spec: 'A delivery that is refused MUST NOT keep a genuine delivery of the same payment from being handled.',
    needs: 'effects',
    send: poisonedBy(signedAt('t an hour ago', (now) => now - 3600)),
    expect: [refused(400, 401), fulfilledOnce],
    ...suppressed,
  },
  'broken-off-first': {
    spec: 'A delivery that is refused MUST NOT keep a genuine delivery of the same payment from being handled.',
    needs: 'effects',
    send: (kit) => {
      const delivery = kit.delivery('completed')
      const broken = sentAs('a body that breaks off', (body) => ({
        kind: 'truncated',
        after: body.length - 20,
      }))
      return inTurn(broken(delivery, kit), delivery)
    },
    expect: [accepted, fulfilledOnce],
    ...suppressed,
  },
  'payments-that-are-alike': {
    spec: 'A receiver MUST tell different payments apart, however alike they are.',
    needs: 'effects',
    send: (kit) => {
      const same = { amount: '25.00', currency: 'USD', metadata: { cart: 'same' } }
      const one = kit.event('completed', same)
      const id = String(one['id'])
      // The ids differ in the case of a letter and in length: a key that folds either joins two payments.
      const other = id.endsWith('x') ? `${id}X` : `${id}x`
      return inTurn(
        kit.body(JSON.stringify(one), aboutEvent(one)),
        kit.delivery('completed', { ...same, id: other, timestamp: one['timestamp'] }),
      )
    },
    expect: [accepted, fulfilledOnce],
    impact: 'A second customer pays and gets nothing.',
    fix: 'Compare payment ids whole and exactly.',
  },
})
