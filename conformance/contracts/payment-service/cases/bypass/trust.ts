import { inTurn, onOneConnection } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { notAccepted } from '../../../webhook/expectations/unverified.ts'
import { plain, unverified } from '../../../webhook/families/around.ts'
import { amountAltered } from '../../../webhook/mutate.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import { type Kit, paymentOf } from '../../kit.ts'
import { requirement } from '../../section.ts'
import { forgedPayment } from './places.ts'

/** A valid delivery that is sent before the probes, and judged like every control. */
const verifiedBefore = (kit: Kit) => asControl(kit.delivery('completed'))
/** The same delivery as a probe, unsigned and forged. */
const withoutSecret = (delivery: Delivery, change: string, kit: Kit): Delivery[] =>
  unverified(plain).map((mutation) => mutation({ ...delivery, role: 'probe', change }, kit))

/** What a receiver may remember from a delivery that it verified. */
export const trust = requirement(
  'A receiver MUST NOT accept an unsigned or forged delivery because it verified another delivery before.',
  {
    ...forgedPayment,
    fix: 'Verify each delivery by itself; never cache a result of verification by header, body, payment or connection.',
  },
  {
    'signature-seen-with-another-body': {
      send: (kit) => {
        const seen = verifiedBefore(kit)
        const { signature } = seen
        return inTurn(
          seen,
          {
            ...kit.delivery('completed'),
            signature,
            change: 'another payment under a signature that was valid',
          },
          {
            ...amountAltered(seen, kit),
            role: 'probe',
            change: 'another amount under a signature that was valid',
          },
          asControl(kit.delivery('completed')),
        )
      },
      expect: [notAccepted],
      impact: 'Anyone who saw one delivery can send any body with its signature.',
    },
    'body-seen-before': {
      send: (kit) => {
        const seen = verifiedBefore(kit)
        return inTurn(
          seen,
          ...withoutSecret(seen, 'a body that was verified before', kit),
          asControl(kit.delivery('completed')),
        )
      },
      expect: [notAccepted],
      impact: 'Anyone who saw one delivery can replay it forever.',
    },
    'payment-seen-before': {
      send: (kit) => {
        const seen = verifiedBefore(kit)
        const refund = kit.delivery('refund', paymentOf(seen))
        return inTurn(
          seen,
          ...withoutSecret(refund, 'another event of a payment that was verified before', kit),
          asControl(kit.delivery('completed')),
        )
      },
      expect: [notAccepted],
      impact: 'Anyone who knows a payment id can reverse the payment.',
    },
    'connection-verified-before': {
      send: (kit) => {
        const probes = withoutSecret(kit.delivery('completed'), 'a connection that was verified before', kit)
        return [
          ...onOneConnection(verifiedBefore(kit), ...probes),
          ...inTurn(asControl(kit.delivery('completed'))),
        ]
      },
      expect: [notAccepted],
      impact: 'Behind a proxy that shares connections, anyone can report a payment that was never made.',
    },
    'forged-refund-reverses-nothing': {
      needs: 'effects',
      send: (kit) => {
        const paid = kit.delivery('completed')
        const refunds = withoutSecret(kit.delivery('refund', paymentOf(paid)), 'a refund', kit)
        return inTurn(
          paid,
          ...refunds.map((refund): Delivery => ({ ...refund, role: 'context' })),
          asControl(kit.delivery('completed')),
        )
      },
      expect: [fulfilledOnce],
      impact: 'Anyone who knows a payment id can reverse the payment.',
      about: ['reversed-not-due'],
    },
  },
)
