import { inTurn, onOneConnection } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { notAccepted } from '../../../webhook/expectations/unverified.ts'
import { plain, unverified } from '../../../webhook/families/around.ts'
import { amountAltered } from '../../../webhook/mutate.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import { aboutEvent, type Kit, paymentOf } from '../../kit.ts'
import { requirement } from '../../section.ts'
import { forgedPayment } from './places.ts'

/** A valid delivery that is sent before the probes, and judged like every control. */
const verifiedBefore = (kit: Kit) => asControl(kit.delivery('completed'))
/** The same delivery as a probe, unsigned and forged. */
const withoutSecret = (delivery: Delivery, change: string, kit: Kit): Delivery[] =>
  unverified(plain).map((mutation) => mutation({ ...delivery, role: 'probe', change }, kit))

/** How much may come before what is altered, in KiB: a receiver has to accept a body of up to 64 KiB. */
const BEFORE_KIB = [1, 4, 16, 60]
const textOfKib = (kib: number) =>
  Object.fromEntries(Array.from({ length: kib }, (_, n) => [`part_${n}`, 'x'.repeat(1010)]))

/** The ids of another payment, of the same length. */
const otherIds = (text: string, id: string) =>
  text.replaceAll(id, `${id.slice(0, -1)}${id.endsWith('k') ? 'm' : 'k'}`)
const otherAmount = (text: string) => text.replace('"amount":"25.00"', '"amount":"95.00"')
const otherNote = (text: string) => {
  const middle = text.length >> 1
  return `${text.slice(0, middle).replace(/x$/, 'y')}${text.slice(middle).replace(/^x/, 'y')}`
}

/** A valid delivery of a long body, and copies of it that are altered in one place each, under the same signature. */
function seenAndAltered(kit: Kit, kib: number, isTextLast: boolean): Delivery[] {
  const made = kit.event('completed', { amount: '25.00', currency: 'USD', metadata: textOfKib(kib) })
  const { event, id, payment_id, order_id, amount, metadata, ...others } = made
  const ids = { id, payment_id, order_id }
  // The order of the fields decides where they are: an amount that comes last is among the last 16 bytes.
  const text = JSON.stringify(
    isTextLast
      ? { event, ...ids, amount, ...others, metadata }
      : { event, metadata, ...ids, ...others, amount },
  )
  const seen = asControl(kit.body(text, aboutEvent(made)))
  const { signature } = seen
  const altered = (change: string, other: string): Delivery => ({
    ...kit.body(other, aboutEvent(JSON.parse(other) as Record<string, unknown>)),
    signature,
    change: `${change} a valid body of ${kib} KiB, under its signature`,
  })
  const where = isTextLast ? 'before' : 'behind'
  return [
    seen,
    altered(`another payment ${where} the metadata of`, otherIds(text, String(id))),
    altered(`another amount ${where} the metadata of`, otherAmount(text)),
    ...(isTextLast ? [altered('another letter in the middle of', otherNote(text))] : []),
  ]
}

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
    'signature-seen-with-a-body-altered-in-one-place': {
      send: (kit) =>
        inTurn(
          ...BEFORE_KIB.flatMap((kib) => seenAndAltered(kit, kib, false)),
          ...seenAndAltered(kit, Math.max(...BEFORE_KIB), true),
          asControl(kit.delivery('completed')),
        ),
      expect: [notAccepted],
      impact: 'Anyone who saw one long delivery can send it with another payment or amount.',
      fix: 'Verify each delivery by itself, over all of its bytes: do not cache the result by the header and a part or a short hash of the body.',
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
