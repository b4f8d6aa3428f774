import { inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../delivery.ts'
import { effectsOfSequences } from '../../expectations/sequences.ts'
import { type Kit } from '../../kit.ts'
import type { CaseOfRequirement, Plan } from '../../model.ts'
import type { Mutation } from '../../mutate.ts'
import { requirement } from '../section.ts'
import { inHeaders, inQuery, type Named } from './parts.ts'

type Unsigned = (named: Named) => Mutation

/** The delivery with something unsigned that contradicts it, then the unchanged one. */
const contradicted = (kit: Kit, scenario: 'completed' | 'failed-card_declined', by: Mutation): Plan => {
  const delivery = kit.delivery(scenario)
  return inTurn(by(delivery, kit), asControl(delivery))
}
const anotherAmount = (unsigned: Unsigned) => (kit: Kit) =>
  contradicted(kit, 'completed', unsigned({ amount: '999999.99', currency: 'XAU' }))
const completion = (unsigned: Unsigned) => (kit: Kit) =>
  contradicted(
    kit,
    'failed-card_declined',
    unsigned({ event: 'payment.completed', status: 'completed', type: 'payment.completed' }),
  )
const anotherPayment = (unsigned: Unsigned) => (kit: Kit) => {
  const unpaid = kit.delivery('failed-card_declined')
  const id = unpaid.paymentId ?? ''
  return [
    ...inTurn(unpaid),
    ...contradicted(kit, 'completed', unsigned({ id, payment_id: id, order_id: id })),
  ]
}

const judgedByEffects = {
  needs: 'effects',
  expect: [effectsOfSequences],
  open: 'A receiver may refuse what it does not know in the query or the headers; only what it does counts.',
} as const satisfies Partial<CaseOfRequirement>

/** What a part of the request that is not signed says about the event (SPEC.md 8.21). */
export const signedFieldsOnly = requirement(
  'A receiver MUST take the event, the id, the amount and all other fields from the signed body, not from the query or a header.',
  {
    impact:
      'Anyone who has seen one delivery can send it again for another payment, another event or another amount.',
    fix: 'Read every field from the verified body alone; do not merge the query, headers or cookies into it.',
    about: ['fulfilled-wrongly', 'fulfilled-not-due'],
  },
  {
    'query-with-another-amount': { ...judgedByEffects, send: anotherAmount(inQuery) },
    'query-with-another-payment': { ...judgedByEffects, send: anotherPayment(inQuery) },
    'query-with-a-completion': { ...judgedByEffects, send: completion(inQuery) },
    'headers-with-another-amount': { ...judgedByEffects, send: anotherAmount(inHeaders) },
    'headers-with-another-payment': { ...judgedByEffects, send: anotherPayment(inHeaders) },
    'headers-with-a-completion': { ...judgedByEffects, send: completion(inHeaders) },
  },
)
