import { fewAtOnce, inOrder, inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../../webhook/delivery.ts'
import { accepted, answeredBelow500 } from '../../../webhook/expectations/expect.ts'
import { sparseFulfilledLikeFull } from '../../expectations/conditional.ts'
import { fulfilledOnce, livemodeShown, nothingHandled } from '../../expectations/effects.ts'
import { type Kit, paymentOf } from '../../kit.ts'
import { DAY, deliver, emitted, everyFailure, everyMethod, MINUTE } from '../../payments.ts'
import { requirement, section } from '../../section.ts'
import { exactAmounts, mixedCheckouts, shortPayments } from './money.ts'
import { earlyRefunds, refunds, reversedInOwnCurrency, reversedOnce } from './refunds.ts'
import { completionAfterExpiry, everySequence } from './sequences.ts'
import { fieldsInOtherCapitals, otherCapitals, SIMILAR_NAMES, STATUS_OF_A_PARTIAL } from './unknown-events.ts'

/** Amounts and a little less: as text the first is smaller, rounded they are equal. */
const ALMOST_PAID = [
  ['10.00', '9.00'],
  ['30.00', '29.99'],
  ['1.00000000', '0.99999999'],
] as const

/** What would cover the order. The service sends a completion once it counts the payment as paid. */
const COVERED = [
  ['10.00', '10.00'],
  ['30.00', '30.01'],
  ['1.00000000', '2.00000000'],
] as const
const partly = (amounts: readonly (readonly [string, string])[]) => (kit: Kit) =>
  inTurn(
    ...amounts.map(([amount, amount_received]) =>
      kit.delivery('partial-crypto', { amount, amount_received }),
    ),
  )

const givenAway = {
  impact: 'The merchant hands over goods that were not paid for.',
  fix: 'Fulfill only on payment.completed.',
}

const LEFT_TO_THE_SERVICE =
  'Fulfill only on payment.completed, and leave the comparison of the two amounts to the service.'

export const effects = section(
  'effects',
  'Effects',
  requirement(
    'A receiver MUST fulfill a completed payment once, in the mode that the receiver serves.',
    {
      impact: 'The customer has paid and gets nothing.',
      fix: 'Process what was stored, and retry what failed.',
    },
    {
      'completed-is-fulfilled': {
        needs: 'effects',
        send: (kit) =>
          inTurn(
            kit.delivery('completed', { amount: '25.00', currency: 'USD' }),
            kit.delivery('completed', { amount: '19.50', currency: 'EUR' }),
          ),
        expect: [accepted, fulfilledOnce],
      },
      'every-method-is-fulfilled': {
        needs: 'effects',
        send: (kit) => fewAtOnce(...everyMethod(kit)),
        expect: [accepted, fulfilledOnce],
        impact: 'Customers who use certain payment methods get nothing.',
        fix: 'Decide by the event, not by the payment method.',
      },
      'large-amount-to-the-last-digit': {
        needs: 'effects',
        send: (kit) => inTurn(kit.delivery('completed', { amount: '9007199254740993.01' })),
        expect: [accepted, fulfilledOnce],
        impact: 'A large payment is credited with a rounded amount.',
        about: ['fulfilled-wrongly'],
        fix: 'Keep amounts as decimal strings; do not convert them to floating-point numbers.',
      },
      'completion-after-failure': {
        needs: 'effects',
        send: (kit) => {
          const paid = kit.delivery('completed')
          return inTurn(kit.delivery('failed-card_declined', paymentOf(paid)), paid)
        },
        expect: [accepted, fulfilledOnce],
        impact: 'A customer whose first card was declined and whose second card was accepted gets nothing.',
        fix: 'Fulfill on payment.completed whatever came before. Include the event in the key, so that an earlier event does not hide it.',
      },
      'completion-after-every-failure': {
        needs: 'effects',
        send: (kit) => {
          const pairs = everyFailure(kit)
          return inOrder(
            fewAtOnce(...pairs.map(({ failed }) => failed)),
            fewAtOnce(...pairs.map(({ paid }) => paid)),
          )
        },
        expect: [accepted, fulfilledOnce],
        impact: 'A customer whose first attempt failed and whose second one was accepted gets nothing.',
        fix: 'Close nothing on payment.failed, whatever its code: the customer may pay by another method.',
      },
      'simulated-and-sparse-is-fulfilled': {
        needs: 'effects',
        mode: 'test',
        send: deliver('simulated-completed', 'simulated-sparse-completed', 'simulated-sparse-completed'),
        expect: [accepted, sparseFulfilledLikeFull],
        open: 'A receiver may ignore simulated payments. Then nothing shows how it handles those with few fields.',
        impact: 'The payments of the test checkout get lost, so the merchant cannot try the shop.',
        fix: 'Read the payment id from `id` when `payment_id` is absent, and require no field that a simulated event lacks.',
      },
    },
  ),
  shortPayments,
  mixedCheckouts,
  requirement('A receiver MUST NOT credit a partial payment.', givenAway, {
    'partial-is-not-credited': {
      needs: 'effects',
      send: deliver('partial-crypto', 'partial-gift-card'),
      expect: [accepted, nothingHandled],
    },
    'almost-paid-is-not-credited': {
      needs: 'effects',
      send: partly(ALMOST_PAID),
      expect: [accepted, nothingHandled],
      fix: LEFT_TO_THE_SERVICE,
    },
    'covering-partial-is-not-credited': {
      needs: 'effects',
      send: partly(COVERED),
      expect: [accepted, nothingHandled],
      fix: LEFT_TO_THE_SERVICE,
    },
  }),
  requirement('A receiver MUST NOT credit an expired payment.', givenAway, {
    'expired-is-not-credited': {
      needs: 'effects',
      send: deliver('expired-gift-card'),
      expect: [accepted, nothingHandled],
    },
  }),
  requirement('A receiver MUST NOT credit a failed payment.', givenAway, {
    'failed-is-not-credited': {
      needs: 'effects',
      send: deliver('failed-card_declined', 'failed-underpayment'),
      expect: [accepted, nothingHandled],
    },
    'simulated-failure-is-not-credited': {
      needs: 'effects',
      mode: 'test',
      send: deliver('simulated-failed', 'simulated-sparse-failed'),
      expect: [accepted, nothingHandled],
    },
  }),
  refunds,
  earlyRefunds,
  requirement(
    'An unknown event MUST NOT have an effect.',
    {
      impact: 'An event that the service adds later is treated as a payment.',
      fix: 'Decide by the exact event name, and do nothing in the default branch.',
    },
    {
      'unknown-event-has-no-effect': {
        needs: 'effects',
        send: (kit) =>
          inTurn(
            kit.delivery('completed', { event: 'payment.authorized', status: 'authorized' }),
            asControl(kit.delivery('completed')),
          ),
        expect: [answeredBelow500, nothingHandled],
        open: 'Accepting an unknown event is a SHOULD of its own; here only its effect counts.',
      },
      ...SIMILAR_NAMES,
    },
  ),
  requirement(
    'A partial payment MUST NOT prevent the completion that follows it from being fulfilled.',
    {
      impact: 'A customer who paid in two steps gets nothing.',
      fix: 'Fulfill on payment.completed whatever came before. Include the event in the key, so that an earlier event does not hide it.',
    },
    {
      'completion-after-partial': {
        needs: 'effects',
        send: (kit) => {
          const paid = kit.delivery('completed-by-crypto')
          return inTurn(kit.delivery('partial-crypto', { ...paymentOf(paid), amount_received: '0.01' }), paid)
        },
        expect: [accepted, fulfilledOnce],
      },
      'completion-a-day-after-partial': {
        needs: 'effects',
        send: (kit) => {
          const paid = kit.delivery('completed-gift-card-short', {
            amount: '20.00',
            amount_requested: '25.00',
            currency: 'USD',
          })
          const partial = kit.delivery('partial-gift-card', {
            ...paymentOf(paid),
            amount: '25.00',
            amount_received: '20.00',
            ...emitted(kit, DAY + 5 * MINUTE),
          })
          return inTurn(partial, paid)
        },
        expect: [accepted, fulfilledOnce],
        impact:
          'A customer whose gift card paid a part gets nothing when the order completes by itself after a day.',
        fix: 'Fulfill on payment.completed for its own amount, however long ago the partial payment was and whatever it asked for.',
      },
    },
  ),
  requirement(
    'An effect SHOULD record the `livemode` of its event, so that test and live effects are kept apart.',
    {
      impact: 'The merchant cannot see whether test payments are recorded as live payments.',
      fix: 'Store `livemode` with each effect, and show it.',
    },
    {
      'livemode-is-shown': {
        needs: 'effects',
        send: deliver('completed'),
        expect: [accepted, livemodeShown],
      },
    },
  ),
  everySequence,
  exactAmounts,
  completionAfterExpiry,
  reversedOnce,
  requirement(
    'A receiver SHOULD decide by the name of the event, not by its `status`.',
    {
      impact: 'An event that the service adds later is treated as a payment, because its status is known.',
      fix: 'Decide by the exact event name, and do nothing in the default branch.',
    },
    {
      'unknown-event-with-status-completed': {
        needs: 'effects',
        send: (kit) =>
          inTurn(
            kit.delivery('completed', { event: 'payment.authorized' }),
            asControl(kit.delivery('completed')),
          ),
        expect: [answeredBelow500, nothingHandled],
      },
      ...STATUS_OF_A_PARTIAL,
    },
  ),
  reversedInOwnCurrency,
  otherCapitals,
  fieldsInOtherCapitals,
)
