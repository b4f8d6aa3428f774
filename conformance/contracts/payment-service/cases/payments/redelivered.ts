import { inOrder, inTurn, later } from '../../../../engine/plan.ts'
import type { Delivery } from '../../delivery.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import { accepted } from '../../expectations/expect.ts'
import { fulfilledOnceAsLive } from '../../expectations/live-effects.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import type { CaseOfRequirement, Plan } from '../../model.ts'

/** Just inside the window, in seconds: a receiver that refuses one because its clock is ahead accepts another. */
const LAST_SECONDS = [299, 298, 297]
/** Until the first of them is outside the window, in milliseconds. */
const EXPIRED_MS = 2_200

/** The same event with other fields. */
const rewritten = (
  delivery: Delivery,
  kit: Kit,
  change: (event: Record<string, unknown>) => Record<string, unknown>,
): Delivery => {
  const event = change(JSON.parse(delivery.body.toString()) as Record<string, unknown>)
  return { ...kit.redelivery(delivery, { body: Buffer.from(JSON.stringify(event)) }), ...aboutEvent(event) }
}
const inReverse = (event: Record<string, unknown>) => Object.fromEntries(Object.entries(event).toReversed())

/**
 * Payments whose first delivery is about to leave the window, and their redeliveries after that: whether the first one was
 * still accepted says nothing here (SPEC.md 7.2).
 */
function expiring(kit: Kit): Plan {
  const paid = LAST_SECONDS.map(() => kit.delivery('completed'))
  const first = paid.map((delivery, n): Delivery => {
    const seconds = LAST_SECONDS[n] ?? 0
    return {
      ...kit.redelivery(delivery, { t: kit.now() - seconds }),
      role: 'context',
      change: `t ${seconds} s ago`,
    }
  })
  return inOrder(inTurn(...first), later(EXPIRED_MS), inTurn(...paid))
}

/** SPEC.md 7.2. */
export const AFTER_EXPIRY: CaseOfRequirement = {
  needs: 'effects',
  send: expiring,
  expect: [accepted, fulfilledOnce],
  impact:
    'The merchant ships the goods twice when the service sends a delivery again after the signature of the first one has expired.',
  fix: 'Remember payments permanently, in the store; do not let the key expire with the signature, as in a cache against replays.',
}

/** SPEC.md 7.4. */
export const REDELIVERED_WITH = {
  'with-other-fields': {
    needs: 'effects',
    send: (kit) => {
      const delivery = kit.delivery('completed')
      return inTurn(
        delivery,
        rewritten(delivery, kit, inReverse),
        rewritten(delivery, kit, (event) => ({ ...event, attempt: 2, delivery_id: 'dlv_2', note: null })),
      )
    },
    expect: [accepted, fulfilledOnce],
    fix: 'Build the key from the payment id and the event alone: a later attempt may have its fields in another order, and fields that are new.',
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
} satisfies Record<string, CaseOfRequirement>
