import { inOrder, inTurn, later, together, untilEffect } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import {
  accepted,
  acceptedOrRefused,
  contextRefused,
  staleContextRefused,
} from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { bodyText, forged, type Mutation, sentAs, signedAt, signedWith } from '../../../webhook/mutate.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import type { Kit } from '../../kit.ts'
import { senderGone } from '../../payments.ts'
import { requirement, section } from '../../section.ts'
import { endsApart, lettersApart, partialsApart, paymentsApart, refundsApart } from './distinct.ts'
import { copiesHandledOnce, recognized, redeliveriesHandledOnce } from './handled-once.ts'
import { redelivered, secondEarlier, unchanged } from './redelivered.ts'

/** More than the wrong attempts after which a login locks, and than a limit of 20 a minute. */
const FORGERIES = 25

/** The changed delivery first, then the valid one of the same payment. The control is of another payment. */
const poisonedBy = (mutation: Mutation) => (kit: Kit) => {
  const delivery = kit.delivery('completed')
  return inTurn(
    { ...mutation(delivery, kit), role: 'context' },
    delivery,
    asControl(kit.delivery('completed')),
  )
}

/** SPEC.md 7.7. */
const suppressed = requirement(
  'A refused delivery MUST NOT prevent a valid delivery of the same payment from being handled.',
  {
    impact: 'Anyone who knows a payment id can suppress its payment.',
    fix: 'Record a delivery as seen only after you have verified its signature and time.',
  },
  {
    'forged-first': {
      needs: 'effects',
      send: poisonedBy(signedWith('a signature made with another secret', () => 'whsec_of_somebody_else')),
      expect: [contextRefused(401), accepted, fulfilledOnce],
    },
    'forged-several-times-first': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.delivery('completed')
        const bad = Array.from({ length: FORGERIES }, () => forged(delivery, kit))
        return inTurn(
          ...bad.map((one): Delivery => ({ ...one, role: 'context' })),
          delivery,
          asControl(kit.delivery('completed')),
        )
      },
      expect: [accepted, fulfilledOnce],
      about: ['rejected', 'not-fulfilled'],
      impact: 'Anyone who knows a payment id can suppress its payment with a few bad signatures.',
      fix: 'Count bad signatures by client, in front of the receiver, never by what an unverified body says.',
    },
    'altered-first': {
      needs: 'effects',
      send: poisonedBy(bodyText('the status altered', '"status":"completed"', '"status":"cancelled"')),
      expect: [contextRefused(401), accepted, fulfilledOnce],
    },
    'stale-first': {
      needs: 'effects',
      send: poisonedBy(signedAt('t an hour ago', (now) => now - 3600)),
      expect: [staleContextRefused(400, 401), accepted, fulfilledOnce],
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
)

/** After this time a receiver has ended what it did for an effect that shows, in milliseconds. */
const DONE_MS = 1_200

/** Copies at once, and a redelivery once the effect shows. */
function afterCopies(kit: Kit): Plan {
  const delivery = kit.delivery('completed')
  const copy: Delivery = { ...delivery, role: 'context', change: 'one of four copies at once' }
  return inOrder(
    together(copy, copy, copy, copy),
    untilEffect(delivery),
    later(DONE_MS),
    inTurn(secondEarlier(delivery, kit)),
  )
}

/** How long after the request its sender disappears, and how long after that it delivers again, in milliseconds. */
const GONE_AFTER_MS = [0, 5, 20, 100]
const AGAIN_AFTER_MS = 5_200

/** SPEC.md 7.12. */
const claimsReleased = requirement(
  'A receiver SHOULD accept a redelivery that arrives a few seconds after its sender disconnected without a response.',
  {
    impact: 'A payment whose first connection broke is turned away for a long time, or forever.',
    fix: 'Release a claim when the work ends for any reason, also when the sender disconnects: release it in a finally block, or finish the work regardless of the connection.',
  },
  {
    'accepted-after-its-sender-was-gone': {
      needs: 'effects',
      send: (kit) => {
        const paid = GONE_AFTER_MS.map(() => kit.delivery('completed'))
        return inOrder(
          inTurn(...paid.map((delivery, n) => senderGone(delivery, GONE_AFTER_MS[n] ?? 0))),
          later(AGAIN_AFTER_MS),
          inTurn(...paid),
        )
      },
      expect: [accepted, fulfilledOnce],
      about: ['rejected', 'not-fulfilled'],
    },
  },
)

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
      'acknowledged-again': { send: redelivered(unchanged, secondEarlier), expect: [accepted] },
      'acknowledged-after-copies-at-once': {
        needs: 'effects',
        role: 'copies-overlapping',
        send: afterCopies,
        expect: [accepted, fulfilledOnce],
        open: 'A copy that arrives while the first one is handled may be asked to come again; the redelivery after that counts.',
        fix: 'Answer 200 once the work is done; do not store the answer to a copy that came while it was not.',
      },
    },
  ),
  redeliveriesHandledOnce,
  copiesHandledOnce,
  recognized,
  refundsApart,
  partialsApart,
  suppressed,
  paymentsApart,
  lettersApart,
  endsApart,
  requirement(
    'A receiver MAY acknowledge a copy of an accepted delivery that is identical to the byte, its signature included, or refuse it with status 409.',
    {
      impact: 'A copy that the network sends again gets an answer that means nothing.',
      fix: 'Answer 200 to a copy, or 409 where a cache against replays refuses it.',
    },
    {
      'identical-copy': {
        send: (kit) => {
          const delivery = kit.delivery('completed')
          return inTurn(asControl(delivery), delivery, asControl(kit.delivery('completed')))
        },
        expect: [acceptedOrRefused(409)],
        open: 'Each attempt of the service has a signature of its own, so a cache against replays harms no delivery.',
      },
    },
  ),
  claimsReleased,
)
