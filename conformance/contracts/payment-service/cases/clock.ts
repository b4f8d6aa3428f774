import { inOrder, inTurn, later, onSeparateConnections } from '../../../engine/plan.ts'
import { asControl } from '../delivery.ts'
import { clockAdvances, STEP_SECONDS } from '../expectations/clock.ts'
import { fulfilledIfAcknowledged } from '../expectations/effects.ts'
import { aboutEvent } from '../kit.ts'
import type { CaseOfRequirement } from '../model.ts'

/** The edge of the window, in seconds ahead: for a receiver that started up to five seconds before the run. */
const AHEAD_SECONDS = [300, 299, 298, 297, 296, 295]
/** How often each later delivery is sent: machines behind a balancer have clocks of their own. */
const COPIES = 4
/** Longer than the step between the two, in milliseconds, by more than usual clocks differ. */
const LATER_MS = 2_600
/** How far behind the clock the later deliveries are if they had to wait, in seconds: machines behind a balancer differ. */
const BEHIND_SECONDS = 2

/** SPEC.md 3.2. */
export const CLOCK_ADVANCES = {
  'clock-advances': {
    // Time has to pass, as it does while the effects of other cases are awaited.
    needs: 'effects',
    send: (kit) => {
      const start = kit.emittedAt()
      const afterwards = Math.max(start + STEP_SECONDS, kit.now() - BEHIND_SECONDS)
      // They differ in nothing else: a receiver may refuse some events for what is in them.
      const event = kit.event('completed')
      let count = 0
      const at = (seconds: number, base: number) => {
        const id = `${String(event['id'])}${(count += 1)}`
        const one = { ...event, id, payment_id: id, order_id: id }
        return {
          ...kit.redelivery(kit.body(JSON.stringify(one), aboutEvent(one)), { t: base + seconds }),
          change: `t ${base + seconds - start} s ahead of the start of the run`,
          madeAt: base,
        }
      }
      return inOrder(
        inTurn(...AHEAD_SECONDS.map((seconds) => ({ ...at(seconds, start), role: 'context' as const }))),
        later(LATER_MS),
        onSeparateConnections(
          ...AHEAD_SECONDS.flatMap((seconds) =>
            Array.from({ length: COPIES }, () => at(seconds, afterwards)),
          ),
        ),
        inTurn(asControl(kit.delivery('completed'))),
      )
    },
    expect: [clockAdvances, fulfilledIfAcknowledged],
    open: 'Whether a delivery at the edge of the window is accepted at all says nothing here.',
    about: ['refused-with-other-status'],
    impact:
      'The window stays where it was when the receiver started: five minutes later all payments are refused.',
    fix: 'Read the clock for every delivery, inside the handler; do not keep the time at which the module, the worker or a cache was loaded.',
  },
} satisfies Record<string, CaseOfRequirement>
