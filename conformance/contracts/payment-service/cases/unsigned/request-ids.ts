import { inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../delivery.ts'
import { fulfilledIfAcknowledged, fulfilledOnce } from '../../expectations/effects.ts'
import type { CaseOfRequirement } from '../../model.ts'
import { withRequestId } from './parts.ts'

const FIX =
  'Recognize a redelivery by the payment and the event in its signed body; ignore Idempotency-Key, X-Request-Id and other headers.'
const OPEN =
  'A receiver may refuse a delivery with a header that it uses for something else; only what it does counts.'

/** A redelivery with another id of its request (SPEC.md 7.4). */
export const redeliveredWithOtherIds = {
  'with-another-request-id': {
    needs: 'effects',
    send: (kit) => {
      const delivery = kit.delivery('completed')
      const sentAs = (n: number) => withRequestId(`${delivery.paymentId}-${n}`)(delivery, kit)
      return inTurn(sentAs(1), sentAs(2), asControl(delivery))
    },
    expect: [fulfilledOnce],
    open: OPEN,
    impact:
      'Anyone who has seen one delivery can send it again with another header, and the merchant ships the goods twice.',
    fix: FIX,
  },
} as const satisfies Record<string, CaseOfRequirement>

/** Different payments whose requests have the same id (SPEC.md 7.8). */
export const paymentsWithOneId = {
  'payments-with-the-same-request-id': {
    needs: 'effects',
    send: (kit) => {
      const [first, second] = [kit.delivery('completed'), kit.delivery('completed')]
      const sameId = withRequestId(`${first.paymentId}-0`)
      return inTurn(sameId(first, kit), sameId(second, kit))
    },
    expect: [fulfilledIfAcknowledged],
    open: OPEN,
    fix: FIX,
  },
} as const satisfies Record<string, CaseOfRequirement>
