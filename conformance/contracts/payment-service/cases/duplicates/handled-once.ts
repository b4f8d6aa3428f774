import { inOrder, inTurn, later, onSeparateConnections, together } from '../../../../engine/plan.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import { nothingDoneLater } from '../../expectations/entire-run.ts'
import { accepted, acceptedOrBusy } from '../../expectations/expect.ts'
import { deliver } from '../../plans.ts'
import { AFTER_A_THOUSAND } from '../payments/memory.ts'
import { AFTER_EXPIRY, REDELIVERED_WITH } from '../payments/redelivered.ts'
import { resentLongAfter } from '../payments/timestamps.ts'
import { requirement } from '../section.ts'
import { redeliveredWithOtherIds } from '../unsigned/request-ids.ts'
import {
  redelivered,
  reserialized,
  secondEarlier,
  shippedTwice,
  unchanged,
  withNewTimestamp,
} from './redelivered.ts'

/** After this time a redelivery shows that the receiver remembers a payment for longer than a second. */
const LATER_MS = 1_200
/** After this time work shows that was claimed for two seconds and is picked up again. */
const PICKED_UP_AGAIN_MS = 2_200

/** SPEC.md 7.2. */
export const handledOnce = requirement(
  'A receiver MUST handle a delivery and its redeliveries once.',
  shippedTwice,
  {
    'delivered-twice-in-turn': {
      needs: 'effects',
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
  },
)

/** SPEC.md 7.3. */
export const handledOnceTogether = requirement(
  'A receiver MUST handle copies of a delivery that arrive together once.',
  shippedTwice,
  {
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
  },
)

/** SPEC.md 7.4. */
export const recognized = requirement(
  'A receiver MUST recognize a redelivery by its payment and event, regardless of its `t`, signature, `timestamp` or bytes.',
  shippedTwice,
  {
    'signed-again': {
      needs: 'effects',
      send: redelivered(secondEarlier),
      expect: [accepted, fulfilledOnce],
      fix: 'Leave the signature and `t` out of the key: each attempt has new ones.',
    },
    'with-a-new-timestamp': {
      needs: 'effects',
      send: redelivered(withNewTimestamp),
      expect: [accepted, fulfilledOnce],
      fix: 'Leave `timestamp` out of the key.',
    },
    'with-timestamps-of-other-months': resentLongAfter,
    reserialized: {
      needs: 'effects',
      send: redelivered(reserialized),
      expect: [accepted, fulfilledOnce],
      fix: 'Leave the bytes and their digest out of the key: a redelivery may serialize the JSON differently.',
    },
    ...REDELIVERED_WITH,
    ...redeliveredWithOtherIds,
  },
)
