import {
  inOrder,
  inTurn,
  later,
  onSeparateConnections,
  staggered,
  together,
} from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { nothingDoneLater } from '../../../webhook/expectations/entire-run.ts'
import { accepted, acceptedOrBusy } from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { oddSecond } from '../../expectations/clock.ts'
import {
  acceptedUnlessBusy,
  fulfilledExactlyIfAtAll,
  ifAcknowledged,
  sparseFulfilledLikeFull,
} from '../../expectations/conditional.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import { fulfilledOnceAsLive } from '../../expectations/live-effects.ts'
import { aboutEvent, type Kit, paymentOf } from '../../kit.ts'
import { AGES, amongOthers, deliver, emittedAgain, MINUTE, senderGone } from '../../payments.ts'
import { requirement } from '../../section.ts'
import { escapedThroughout } from '../body-bytes/common.ts'
import {
  MAY_USE_HEADER,
  REQUEST_IDS_IGNORED,
  redelivered,
  reserialized,
  secondEarlier,
  shippedTwice,
  unchanged,
  withNewTimestamp,
  withRequestId,
} from './redelivered.ts'

/** After this time a redelivery shows that the receiver remembers a payment for longer than a second. */
const LATER_MS = 1_200
/** After this time work shows that was claimed for two seconds and is picked up again. */
const PICKED_UP_AGAIN_MS = 2_200

/** When a sender disappears whose delivery is sent again seconds later, in milliseconds after its request. */
const GONE_AFTER_MS = [0, 5, 20, 50, 100]
/** A delivery is sent again after these times, while the work on the first may go on, in milliseconds. */
const AFTER_MS = [300, 1_200, 2_400]

/** Just inside the window, in seconds: a receiver that refuses one because its clock is ahead accepts another. */
const LAST_SECONDS = [299, 297]
/** Until they are outside the window, in milliseconds. */
const EXPIRED_MS = 5_200

const NULL_IS_DISTINCT =
  'Replace a missing livemode by true before it becomes a part of the key: in SQL, NULL differs from NULL, so a unique index does not stop the second row.'

/**
 * When copies of a completion arrive after another event of its payment, in milliseconds: several between the time that any
 * work takes, from 4 to 40 milliseconds, and twice that time.
 */
const COPIES_AFTER_MS = [3, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 58, 70]

/** Copies that arrive while the receiver works on another event of their payment, and on each other. */
function overlapping(kit: Kit): Plan {
  const paid = kit.delivery('completed-by-gcash')
  const { id, amount, currency, metadata } = paymentOf(paid)
  const crypto = kit.delivery('partial-crypto', { amount: '30.00', amount_received: '10.00' })
  const first = [kit.delivery('failed-provider_error', { id, amount, currency, metadata }), crypto]
  const completed = [paid, kit.delivery('completed', paymentOf(crypto))]
  return staggered(
    ...first.map((delivery) => [0, delivery] as const),
    ...COPIES_AFTER_MS.flatMap((ms) => completed.map((delivery) => [ms, delivery] as const)),
  )
}

/** The same event with other fields. */
const rewritten = (
  delivery: Delivery,
  kit: Kit,
  change: (event: Record<string, unknown>) => Record<string, unknown>,
): Delivery => {
  const event = change(JSON.parse(delivery.body.toString()) as Record<string, unknown>)
  return { ...kit.redelivery(delivery, { body: Buffer.from(JSON.stringify(event)) }), ...aboutEvent(event) }
}
/** The same event with its letters written as escapes. */
const withEscapes = (delivery: Delivery, kit: Kit): Delivery => {
  const event = JSON.parse(delivery.body.toString()) as Record<string, unknown>
  return kit.redelivery(delivery, { body: Buffer.from(escapedThroughout(event)) })
}
const inReverse = (event: Record<string, unknown>) => Object.fromEntries(Object.entries(event).toReversed())

/**
 * Payments whose first delivery is about to leave the window, and their redeliveries after that: whether the first one was
 * still accepted says nothing here (SPEC.md 7.2).
 */
function expiring(kit: Kit): Plan {
  const paid = LAST_SECONDS.map(() => kit.delivery('completed'))
  const first = paid.map((delivery, n): Delivery => {
    const now = kit.now()
    const t = oddSecond(now - (LAST_SECONDS[n] ?? 0))
    return { ...kit.redelivery(delivery, { t }), role: 'context', change: `t ${now - t} s ago` }
  })
  return inOrder(inTurn(...first), later(EXPIRED_MS), inTurn(...paid))
}

/** SPEC.md 7.2. */
export const redeliveriesHandledOnce = requirement(
  'A receiver MUST handle a delivery and its redeliveries once.',
  shippedTwice,
  {
    'delivered-twice-in-turn': {
      needs: 'effects',
      role: 'copies-in-turn',
      send: redelivered(unchanged),
      expect: [accepted, fulfilledOnce],
    },
    'delivered-five-times-in-turn': {
      needs: 'effects',
      send: redelivered(unchanged, unchanged, unchanged, unchanged),
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
    'first-of-the-run-again': {
      needs: 'effects',
      role: 'copy-of-the-first',
      // Not even its second could be the same: a receiver that recognizes it does so by its payment.
      send: (kit) =>
        inOrder(
          later(0),
          inTurn(kit.redelivery(emittedAgain(kit.first(), kit, MINUTE), { t: kit.now() - MINUTE })),
        ),
      expect: [accepted, fulfilledOnce],
      isUnordered: true,
      fix: 'Test whether a payment is known with an explicit comparison: the position 0 and the row id 0 are false in many languages.',
    },
    'after-a-thousand-payments': {
      needs: 'effects',
      role: 'copies-apart',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return inOrder(inTurn(delivery), amongOthers(kit), inTurn(delivery))
      },
      expect: [accepted, fulfilledOnce],
      fix: 'Remember payments permanently, in the database, not in a cache that drops the oldest.',
    },
    'delivered-on-separate-connections': {
      needs: 'effects',
      role: 'copies-apart',
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
      early: true,
      role: 'copies-apart',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return inOrder(inTurn(delivery), later(LATER_MS), inTurn(delivery))
      },
      expect: [accepted, fulfilledOnce],
      fix: 'Remember payments permanently, in the store: the service may resend an event after days.',
    },
    'while-the-first-may-be-handled': {
      needs: 'effects',
      send: (kit) => {
        const gone = GONE_AFTER_MS.flatMap((ms) =>
          [{}, { isReset: true as const }].map((how) => ({ paid: kit.delivery('completed'), ms, how })),
        )
        return inOrder(
          later(0),
          together(...gone.map(({ paid, ms, how }) => senderGone(paid, ms, how))),
          ...AFTER_MS.flatMap((ms) => {
            const [acknowledged, given] = [kit.delivery('completed'), kit.delivery('completed')]
            return [inTurn(senderGone(given, ms), given, acknowledged), later(ms), inTurn(acknowledged)]
          }),
          inTurn(...gone.map(({ paid }) => paid)),
        )
      },
      expect: [acceptedUnlessBusy, ifAcknowledged(fulfilledOnce)],
      open: 'A copy that arrives while the first one is handled may be asked to come again.',
      impact:
        'The merchant ships the goods twice when the service sends a delivery again while the receiver still works on it.',
      fix: 'Keep a claim for as long as the work takes, by extending it or by a lock that ends with the worker, and check it again in the transaction of the effect. Give a claim back only if the work failed, not if its response could not be written.',
    },
    'after-a-given-time': {
      needs: 'effects',
      onlyWith: 'redeliver-after',
      role: 'copies-after-given-time',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return inOrder(
          inTurn(delivery),
          later(kit.redeliverAfterMs),
          inTurn(secondEarlier(delivery, kit), withNewTimestamp(delivery, kit)),
        )
      },
      expect: [accepted, fulfilledOnce],
      impact: 'The merchant ships the goods twice when the service sends a delivery again after a while.',
      fix: 'Remember payments permanently, in the store: a key must not expire while the service may still deliver again.',
    },
    'after-its-signature-expired': {
      needs: 'effects',
      role: 'copies-after-expiry',
      send: expiring,
      expect: [accepted, fulfilledOnce],
      impact:
        'The merchant ships the goods twice when the service sends a delivery again after the signature of the first one has expired.',
      fix: 'Remember payments permanently, in the store; do not let the key expire with the signature, as in a cache against replays.',
    },
    'nothing-happens-twice-later': {
      needs: 'effects',
      late: { afterMs: PICKED_UP_AGAIN_MS },
      send: deliver('completed'),
      expect: [accepted, fulfilledOnce, nothingDoneLater],
      fix: 'Mark a delivery as processed in the transaction of its effects, and let a worker keep its claim for as long as the work takes.',
    },
  },
)

/** SPEC.md 7.3. */
export const copiesHandledOnce = requirement(
  'A receiver MUST handle copies of a delivery that arrive together once.',
  shippedTwice,
  {
    'delivered-twice-at-once': {
      needs: 'effects',
      role: 'copies-together',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return together(delivery, delivery)
      },
      expect: [acceptedOrBusy, fulfilledOnce],
    },
    'delivered-20-times-at-once': {
      needs: 'effects',
      role: 'copies-together',
      alone: true,
      send: (kit) => {
        const delivery = kit.delivery('completed')
        return together(...Array.from({ length: 20 }, () => delivery))
      },
      expect: [acceptedOrBusy, fulfilledOnce],
    },
    'delivered-while-others-are-handled': {
      needs: 'effects',
      role: 'copies-overlapping',
      alone: true,
      send: (kit) => inOrder(overlapping(kit), overlapping(kit)),
      expect: [acceptedUnlessBusy, ifAcknowledged(fulfilledOnce)],
      open: 'A delivery that arrives while another event of its payment is handled may be asked to come again.',
      fix: 'Keep the lock of a payment until no delivery holds it or waits for it, or use a unique key instead of a lock.',
    },
  },
)

/** SPEC.md 7.4. */
export const recognized = requirement(
  'A receiver MUST recognize a redelivery by its payment and event, regardless of its `t`, signature, `timestamp` or bytes.',
  shippedTwice,
  {
    'signed-again': {
      needs: 'effects',
      role: 'copies-in-turn',
      send: redelivered(secondEarlier),
      expect: [accepted, fulfilledOnce],
      fix: 'Leave the signature and `t` out of the key: each attempt has new ones.',
    },
    'with-a-new-timestamp': {
      needs: 'effects',
      role: 'copies-in-turn',
      send: redelivered(withNewTimestamp),
      expect: [accepted, fulfilledOnce],
      fix: 'Leave `timestamp` out of the key.',
    },
    'with-timestamps-of-other-months': {
      needs: 'effects',
      send: (kit) => {
        const paid = kit.delivery('completed')
        return inTurn(...AGES.map((age) => emittedAgain(paid, kit, age)))
      },
      expect: [accepted, fulfilledOnce],
      fix: 'Leave `timestamp` out of the key, and every part of it: a partition by month must not decide what is a duplicate.',
    },
    reserialized: {
      needs: 'effects',
      send: redelivered(reserialized),
      expect: [accepted, fulfilledOnce],
      fix: 'Leave the bytes and their digest out of the key: a redelivery may serialize the JSON differently.',
    },
    'with-other-fields': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed', { amount: '25.00', currency: 'USD' })
        const changed = (change: (event: Record<string, unknown>) => Record<string, unknown>) =>
          rewritten(delivery, kit, change)
        return inTurn(
          delivery,
          changed(inReverse),
          changed((event) => ({ ...event, attempt: 2, delivery_id: 'dlv_2', note: null })),
          ...['25', '25.0', '25.000'].map((amount) => changed((event) => ({ ...event, amount }))),
          withEscapes(delivery, kit),
        )
      },
      expect: [accepted, fulfilledOnce],
      fix: 'Build the key from the payment id and the event alone: a later attempt may have its fields in another order, new ones, and its amount written in another way.',
    },
    'with-and-without-livemode': {
      needs: 'effects',
      mode: 'live',
      send: (kit) => {
        const without = (event: Record<string, unknown>) => ({ ...event, livemode: undefined })
        const [first, second] = [kit.delivery('completed'), kit.delivery('completed')]
        return inTurn(first, rewritten(first, kit, without), rewritten(second, kit, without), second)
      },
      expect: [accepted, fulfilledOnceAsLive],
      fix: 'Treat a missing livemode like true before it becomes a part of the key: the service may omit it.',
    },
    'without-livemode-again': {
      needs: 'effects',
      mode: 'live',
      send: (kit) => {
        const paid = kit.delivery('completed')
        const bare = rewritten(paid, kit, (event) => ({ ...event, livemode: undefined }))
        return inTurn(bare, bare, secondEarlier(bare, kit), asControl(kit.delivery('completed')))
      },
      expect: [accepted, fulfilledExactlyIfAtAll],
      open: 'A receiver may take an event without livemode for one of a test, and not handle it.',
      fix: NULL_IS_DISTINCT,
    },
    'with-null-as-livemode-again': {
      needs: 'effects',
      mode: 'live',
      send: (kit) => {
        const nulled = (event: Record<string, unknown>) => ({ ...event, livemode: null })
        const change = 'null as livemode'
        const first = { ...rewritten(kit.delivery('completed'), kit, nulled), change }
        const again = { ...secondEarlier(first, kit), change }
        return inTurn(first, first, again, asControl(kit.delivery('completed')))
      },
      expect: [fulfilledExactlyIfAtAll],
      open: 'The interface omits livemode, and does not say null: a receiver may answer as it likes, and ignore such an event.',
      fix: NULL_IS_DISTINCT,
    },
    'simulated-and-sparse-again': {
      needs: 'effects',
      mode: 'test',
      send: (kit) => {
        const delivery = kit.delivery('simulated-sparse-completed')
        return inTurn(delivery, delivery, secondEarlier(delivery, kit), asControl(kit.delivery('completed')))
      },
      expect: [accepted, sparseFulfilledLikeFull],
      open: 'A receiver may ignore simulated payments. Then nothing shows how it recognizes them.',
      impact: 'An event without a payment_id is handled again with each delivery.',
      fix: 'Read the payment id from `id` when `payment_id` is absent, before you build the key: in SQL, NULL differs from NULL.',
    },
    'with-another-request-id': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        const sentAs = (n: number) => withRequestId(`${delivery.key}-${n}`)(delivery, kit)
        return inTurn(sentAs(1), sentAs(2), asControl(delivery))
      },
      expect: [fulfilledOnce],
      open: MAY_USE_HEADER,
      impact:
        'Anyone who has seen one delivery can send it again with another header, and the merchant ships the goods twice.',
      fix: REQUEST_IDS_IGNORED,
    },
  },
)
