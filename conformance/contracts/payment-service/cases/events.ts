import { SCENARIOS, type Scenario } from '../../../../fixtures/index.ts'
import { fewAtOnce, inOrder, inTurn, untilEffect } from '../../../engine/plan.ts'
import { asControl, type Delivery } from '../../webhook/delivery.ts'
import { accepted } from '../../webhook/expectations/expect.ts'
import { CHARSETS } from '../../webhook/families/ways.ts'
import type { Plan } from '../../webhook/model.ts'
import { headers, inHeaders, inQuery, type Mutation, type Named } from '../../webhook/mutate.ts'
import { fulfilledIfAcknowledged, nothingHandled } from '../expectations/effects.ts'
import { effectsOfLiveEvents } from '../expectations/live-effects.ts'
import { effectsOfSequences } from '../expectations/sequences.ts'
import { type Kit, paymentOf } from '../kit.ts'
import { deliver, everyMethod, reversalOf } from '../payments.ts'
import { type CaseOfRequirement, requirement, section } from '../section.ts'

const startingWith = (prefix: string): Scenario[] =>
  SCENARIOS.filter((scenario) => scenario.startsWith(prefix))
const withFields = (scenario: Scenario, overrides: Record<string, unknown>) => (kit: Kit) =>
  inTurn(kit.delivery(scenario, overrides))

const ofEveryMethod = (scenario: Scenario) => (kit: Kit) =>
  fewAtOnce(...everyMethod(kit).map((paid) => kit.delivery(scenario, paymentOf(paid))))

const eventLost = {
  impact: 'The merchant never learns of this kind of event, and the service keeps sending it.',
  fix: 'Answer 200 to every valid delivery; in a default branch, ignore the events that you do not handle.',
}
const closedList = {
  impact: 'Deliveries are refused from the day the service adds a value.',
  fix: 'Treat lists of values as open: validate what you need, and ignore the rest.',
}
const closedFields = {
  impact: 'Deliveries are refused from the day the service adds a field.',
  fix: 'Validate the fields that you need, and ignore the rest.',
}
const closedEvents = {
  impact: 'Deliveries are refused from the day the service adds an event.',
  fix: 'Answer 200 to every valid delivery; ignore unknown events in a default branch.',
}
const fieldsVary = {
  impact:
    'Real payments are refused because they have a field that the test data lacked, or lack one that it had.',
  fix: 'Require only the event and the payment id; read every other field where you use it.',
}

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
  const id = unpaid.key ?? ''
  return [
    ...inTurn(unpaid),
    ...contradicted(kit, 'completed', unsigned({ id, payment_id: id, order_id: id })),
  ]
}

/** Events that lack a field, which an unsigned part of the request has. */
const lacking = (unsigned: Unsigned) => (kit: Kit) => {
  const unpaid = kit.delivery('failed-card_declined')
  const id = unpaid.key ?? ''
  const another = unsigned({
    event: 'payment.completed',
    status: 'completed',
    amount: '999999.99',
    currency: 'XAU',
    payment_id: id,
    order_id: id,
    id,
  })
  const { id: _id, payment_id: _payment, order_id: _order, ...nameless } = kit.event('completed')
  const beside = [kit.delivery('simulated-sparse-failed'), kit.body(JSON.stringify(nameless))].map(
    (delivery): Delivery => ({ ...another(delivery, kit), role: 'context' }),
  )
  return inTurn(unpaid, ...beside, asControl(kit.delivery('completed')))
}
/** As UTF-7 it ends the metadata and begins another amount: a customer of the merchant may be able to write it. */
const ANOTHER_IN_UTF_7 = 'x+ACI-},+ACI-amount+ACI-:+ACI-999999.99+ACI-,+ACI-rest+ACI-:{+ACI-a+ACI-:+ACI-b'

const nothingAdded = { needs: 'effects', mode: 'test', expect: [nothingHandled] } as const

const judgedByEffects = {
  needs: 'effects',
  expect: [effectsOfSequences],
  open: 'A receiver may refuse what it does not know in the query or the headers; only what it does counts.',
} as const satisfies Partial<CaseOfRequirement>

/** What a part of the request that is not signed says about the event (SPEC.md 8.21). */
const signedFieldsOnly = requirement(
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
    'query-with-what-the-body-lacks': { ...nothingAdded, send: lacking(inQuery) },
    'headers-with-what-the-body-lacks': { ...nothingAdded, send: lacking(inHeaders) },
    'headers-with-another-amount': { ...judgedByEffects, send: anotherAmount(inHeaders) },
    'headers-with-another-payment': { ...judgedByEffects, send: anotherPayment(inHeaders) },
    'headers-with-a-completion': { ...judgedByEffects, send: completion(inHeaders) },
    'headers-with-another-charset': {
      needs: 'effects',
      send: (kit) =>
        inTurn(
          ...CHARSETS.map((charset) =>
            headers(`the charset ${charset} for a body in UTF-8`, [
              ['Content-Type', `application/json; charset=${charset}`],
            ])(
              kit.delivery('completed', { metadata: { note: ANOTHER_IN_UTF_7, customer: 'Zo\u00eb' } }),
              kit,
            ),
          ),
          asControl(kit.delivery('completed')),
        ),
      expect: [fulfilledIfAcknowledged],
      open: 'A receiver may refuse a charset that it does not know; what it acknowledges is in UTF-8.',
      about: ['not-fulfilled', 'fulfilled-wrongly'],
      impact:
        'Anyone who has seen one delivery can send it again with another charset, which changes what it says or loses the payment.',
      fix: 'Decode the verified bytes as UTF-8, whatever charset the content type declares: anyone can write any header.',
    },
  },
)

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
const testEventsApart = requirement(
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

export const events = section(
  'events',
  'Events and forward compatibility',
  requirement('A receiver MUST accept every event that the service sends.', eventLost, {
    completed: { send: deliver('completed'), expect: [accepted] },
    failed: { send: deliver('failed-card_declined'), expect: [accepted] },
    partial: {
      send: deliver('partial-crypto', 'partial-gift-card', 'partial-gift-card-under-threshold'),
      expect: [accepted],
    },
    refunded: {
      send: (kit) => fewAtOnce(...everyMethod(kit).map((paid) => reversalOf(paid, kit))),
      expect: [accepted],
    },
    expired: { send: deliver('expired-gift-card'), expect: [accepted] },
  }),
  requirement('A receiver MUST accept every payment method, known or unknown.', closedList, {
    'every-payment-method': { send: deliver(...startingWith('completed-by-')), expect: [accepted] },
    'unknown-payment-method': {
      send: (kit) =>
        inTurn(
          kit.delivery('completed', { payment_method: 'carrier_pigeon' }),
          kit.delivery('failed-provider_error', { payment_method: 'carrier_pigeon' }),
          kit.delivery('refund', { payment_method: 'carrier_pigeon' }),
        ),
      expect: [accepted],
    },
  }),
  requirement('A receiver MUST accept every failure code, known or unknown.', closedList, {
    'every-failure-code': { send: deliver(...startingWith('failed-')), expect: [accepted] },
    'unknown-failure-code': {
      send: withFields('failed-provider_error', {
        failure_code: 'moon_in_wrong_phase',
        failure_reason: 'New reason',
      }),
      expect: [accepted],
    },
  }),
  requirement('A receiver MUST accept unknown fields.', closedFields, {
    'unknown-fields': {
      send: withFields('completed', { risk: { score: 3, flags: [] }, loyalty_points: 12, note: null }),
      expect: [accepted],
    },
  }),
  requirement('A receiver SHOULD accept an unknown event name.', closedEvents, {
    'unknown-event': {
      send: withFields('completed', { event: 'payment.disputed', status: 'disputed' }),
      expect: [accepted],
    },
    'unknown-event-of-another-kind': {
      send: withFields('completed', { event: 'payout.created', status: 'created' }),
      expect: [accepted],
    },
  }),
  requirement(
    'A receiver MUST accept events with and without the fields that only some events have.',
    fieldsVary,
    {
      'short-payment': {
        send: deliver('completed-short', 'completed-gift-card-short'),
        expect: [accepted],
      },
      'mixed-checkout': { send: deliver('completed-mixed-checkout'), expect: [accepted] },
      'empty-metadata': { send: withFields('completed', { metadata: {} }), expect: [accepted] },
    },
  ),
  requirement(
    'A receiver MUST accept the simulated events of a test checkout, full or sparse.',
    {
      impact: 'The buttons of the test checkout, the first thing that a merchant tries, do not work.',
      fix: 'Read the payment id from `id` when `payment_id` is absent.',
    },
    {
      simulated: {
        mode: 'test',
        send: deliver('simulated-completed', 'simulated-failed'),
        expect: [accepted],
        ...fieldsVary,
      },
      'simulated-and-sparse': {
        mode: 'test',
        send: deliver('simulated-sparse-completed', 'simulated-sparse-failed'),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver SHOULD accept a simulated event without an `event` field, and derive the event from `status`.',
    {
      impact: 'The buttons of the test checkout may not work.',
      fix: 'When `test` is true and `event` is absent, use `payment.` followed by the status as the event.',
    },
    {
      'simulated-without-event': {
        mode: 'test',
        send: deliver('simulated-bare-completed'),
        expect: [accepted],
      },
    },
  ),
  requirement('A receiver MUST accept an event without `livemode`.', fieldsVary, {
    'without-livemode': {
      mode: 'live',
      send: deliver('completed-without-livemode'),
      expect: [accepted],
    },
  }),
  requirement('A receiver MUST accept refund events of either type.', eventLost, {
    chargeback: { send: ofEveryMethod('chargeback'), expect: [accepted] },
    'voluntary-refund': { send: ofEveryMethod('refund'), expect: [accepted] },
    'refund-of-another-amount': {
      send: (kit) => {
        const paid = kit.delivery('completed', { amount: '25.00', currency: 'USD' })
        const refund = kit.delivery('refund', { ...paymentOf(paid), amount: '10.00' })
        return inTurn(paid, refund, kit.redelivery(refund), kit.redelivery(paid))
      },
      expect: [accepted],
      impact: 'A refund that the receiver does not expect stops the payments that share its lock.',
      fix: 'Release locks and transactions in a finally block.',
    },
  }),
  requirement('A receiver SHOULD accept an unknown refund type, status or processor.', closedList, {
    'unknown-kind-of-refund': { send: withFields('refund', { type: 'goodwill' }), expect: [accepted] },
    'unknown-processor': { send: withFields('completed', { processor: 'lunar_rail' }), expect: [accepted] },
  }),
  requirement(
    'A receiver SHOULD accept a `timestamp` in any usual form of ISO 8601, such as without milliseconds or with an offset.',
    {
      impact: 'Payments are refused from the day the service writes its timestamps in another form.',
      fix: 'Parse `timestamp` with a library for ISO 8601, and only where you use it.',
    },
    {
      'timestamp-in-other-forms': {
        send: (kit) => {
          const utc = new Date(kit.emittedAt() * 1000).toISOString().slice(0, -'.000Z'.length)
          const forms = [`${utc}Z`, `${utc}+00:00`, `${utc}.123456Z`]
          return inTurn(...forms.map((timestamp) => kit.delivery('completed', { timestamp })))
        },
        expect: [accepted],
      },
    },
  ),
  signedFieldsOnly,
  testEventsApart,
)
