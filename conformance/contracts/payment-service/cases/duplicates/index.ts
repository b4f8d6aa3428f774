import { inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../../webhook/delivery.ts'
import {
  accepted,
  acceptedOrRefused,
  contextRefused,
  staleContextRefused,
} from '../../../webhook/expectations/expect.ts'
import { bodyText, type Mutation, sentAs, signedAt, signedWith } from '../../../webhook/mutate.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import type { Kit } from '../../kit.ts'
import { requirement, section } from '../../section.ts'
import { endsApart, lettersApart, partialsApart, paymentsApart, refundsApart } from './distinct.ts'
import { copiesHandledOnce, recognized, redeliveriesHandledOnce } from './handled-once.ts'
import { redelivered, secondEarlier, unchanged } from './redelivered.ts'

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

export const duplicates = section(
  'duplicates',
  'Duplicate deliveries',
  requirement(
    'A receiver MUST acknowledge a redelivery with status 200.',
    {
      impact: 'The service keeps resending the delivery, because it never gets an acknowledgment.',
      fix: 'Answer 200 to a delivery that is already stored.',
    },
    { 'acknowledged-again': { send: redelivered(unchanged, secondEarlier), expect: [accepted] } },
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
)
