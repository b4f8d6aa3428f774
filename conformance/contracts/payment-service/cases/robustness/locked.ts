import { fromElsewhere, inOrder, inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../../webhook/delivery.ts'
import { acceptedAfterRefusals } from '../../../webhook/expectations/aftermath.ts'
import { forged } from '../../../webhook/mutate.ts'
import type { CaseOfRequirement } from '../../section.ts'

/** How many bad signatures lock a receiver that takes them for guesses. */
const GUESSES = 20

/** Bad signatures of somebody else, then a valid delivery. It comes last: a receiver that locks itself accepts nothing any more. */
export const LOCKOUT = {
  'good-after-bad-signatures': {
    role: 'lockout',
    alone: true,
    send: (kit) =>
      inOrder(
        inTurn(asControl(kit.plain())),
        fromElsewhere(
          ...Array.from({ length: GUESSES }, () => ({
            ...forged(kit.valid(), kit),
            role: 'context' as const,
          })),
        ),
        inTurn(kit.plain()),
      ),
    expect: [acceptedAfterRefusals],
    open: 'Any response to the bad signatures is correct, or none. A receiver may also turn valid deliveries away for up to a minute, or those of one client for longer.',
    impact: 'Anyone on the internet can stop all payments with a few bad signatures.',
    fix: 'Never lock the endpoint: refuse each bad signature by itself. Limit the rate of a client, in front of the receiver, but not that of everybody.',
  },
} satisfies Record<string, CaseOfRequirement>
