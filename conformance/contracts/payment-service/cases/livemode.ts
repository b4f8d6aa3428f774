import { inOrder, inTurn, untilEffect } from '../../../engine/plan.ts'
import type { Delivery } from '../delivery.ts'
import { effectsOfLiveEvents } from '../expectations/live-effects.ts'
import { type Kit, paymentOf } from '../kit.ts'
import { requirement } from './section.ts'

/** An event of a test payment that has the id of a live one. */
const testEvent = (
  kit: Kit,
  scenario: 'refund' | 'completed',
  live: Delivery,
  overrides: Readonly<Record<string, unknown>> = {},
): Delivery => ({
  ...kit.delivery(scenario, { ...paymentOf(live), livemode: false, ...overrides }),
  role: 'context',
  change: 'a test event with the id of a live payment',
})

/** Test and live payments with one id (SPEC.md 8.22). */
export const testEventsApart = requirement(
  'A test event SHOULD NOT change what is done for a live payment with the same id.',
  {
    impact:
      'A live payment is lost or reversed by an event of the test mode, if the two ever have the same id.',
    fix: 'Include `livemode` in the key of a payment and of everything that you remember about it.',
    about: ['not-fulfilled', 'reversed-not-due', 'not-reversed', 'fulfilled-wrongly'],
  },
  {
    'test-refund-with-the-id-of-a-live-payment': {
      needs: 'effects',
      mode: 'live',
      send: (kit) => {
        const [before, after, between] = [
          kit.delivery('completed'),
          kit.delivery('completed'),
          kit.delivery('completed'),
        ]
        return inOrder(
          inTurn(testEvent(kit, 'refund', before), before, after, between),
          untilEffect(after, between),
          inTurn(
            testEvent(kit, 'refund', after),
            testEvent(kit, 'completed', between),
            testEvent(kit, 'refund', between),
            kit.delivery('refund', paymentOf(between)),
          ),
        )
      },
      expect: [effectsOfLiveEvents],
    },
    'test-completion-with-the-id-of-a-live-payment': {
      needs: 'effects',
      mode: 'live',
      send: (kit) => {
        const paid = kit.delivery('completed', { amount: '25.00' })
        return inTurn(testEvent(kit, 'completed', paid, { amount: '1.00' }), paid)
      },
      expect: [effectsOfLiveEvents],
    },
  },
)
