import { SCENARIOS, type Scenario } from '../../../../fixtures/index.ts'
import { fewAtOnce, inTurn } from '../../../engine/plan.ts'
import { accepted } from '../expectations/expect.ts'
import { type Kit, paymentOf } from '../kit.ts'
import { deliver } from '../plans.ts'
import { testEventsApart } from './livemode.ts'
import { everyMethod, reversalOf } from './reversals.ts'
import { requirement, section } from './section.ts'
import { signedFieldsOnly } from './unsigned/fields.ts'

const startingWith = (prefix: string): Scenario[] =>
  SCENARIOS.filter((scenario) => scenario.startsWith(prefix))
const withFields = (scenario: Scenario, overrides: Record<string, unknown>) => (kit: Kit) =>
  inTurn(kit.delivery(scenario, overrides))

const ofEveryMethod = (scenario: Scenario) => (kit: Kit) =>
  fewAtOnce(...everyMethod(kit).map((paid) => kit.delivery(scenario, paymentOf(paid))))

const eventLost = {
  impact: 'The merchant never learns of this kind of event, and the service keeps sending it.',
  fix: 'Answer 200 to every valid delivery; ignore the events that you do not handle in a default branch.',
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
