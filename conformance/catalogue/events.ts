import { SCENARIOS, type Scenario } from '../../fixtures/index.ts'
import { accepted } from '../case/expect.ts'
import type { Kit } from '../case/kit.ts'
import { genuinely, inTurn } from '../case/plan.ts'
import { section } from './section.ts'

const named = (prefix: string): Scenario[] => SCENARIOS.filter((scenario) => scenario.startsWith(prefix))
const unknown = (scenario: Scenario, overrides: Record<string, unknown>) => (kit: Kit) =>
  inTurn(kit.delivery(scenario, overrides))

const eventLost = {
  impact: 'The merchant never hears of this kind of event, and the service sends it again and again.',
  fix: 'Answer 200 to every genuine delivery; leave what you do not handle to a default branch.',
}
const closedList = {
  impact: 'Deliveries are refused from the day on which the service adds a value.',
  fix: 'Treat lists of values as open: validate what you need, and ignore the rest.',
}
const fieldsVary = {
  impact: 'Real payments are refused because a field is there, or is not there, that the test data lacked.',
  fix: 'Require only the event and the payment id; read each other field where it is used.',
}

export const events = section('events', 'Events and forward compatibility', {
  completed: {
    spec: 'A receiver MUST accept each event that the service sends.',
    send: genuinely('completed'),
    expect: [accepted],
    ...eventLost,
  },
  failed: {
    spec: 'A receiver MUST accept each event that the service sends.',
    send: genuinely('failed-card_declined'),
    expect: [accepted],
    ...eventLost,
  },
  partial: {
    spec: 'A receiver MUST accept each event that the service sends.',
    send: genuinely('partial-crypto', 'partial-gift-card', 'partial-gift-card-under-threshold'),
    expect: [accepted],
    ...eventLost,
  },
  refunded: {
    spec: 'A receiver MUST accept each event that the service sends.',
    send: genuinely('refund'),
    expect: [accepted],
    ...eventLost,
  },
  expired: {
    spec: 'A receiver MUST accept each event that the service sends.',
    send: genuinely('expired-gift-card'),
    expect: [accepted],
    ...eventLost,
  },
  'every-payment-method': {
    spec: 'A receiver MUST accept each payment method, known or not.',
    send: genuinely(...named('completed-by-')),
    expect: [accepted],
    ...closedList,
  },
  'unknown-payment-method': {
    spec: 'A receiver MUST accept each payment method, known or not.',
    send: unknown('completed', { payment_method: 'carrier_pigeon' }),
    expect: [accepted],
    ...closedList,
  },
  'every-failure-code': {
    spec: 'A receiver MUST accept each failure code, known or not.',
    send: genuinely(...named('failed-')),
    expect: [accepted],
    ...closedList,
  },
  'unknown-failure-code': {
    spec: 'A receiver MUST accept each failure code, known or not.',
    send: unknown('failed-provider_error', {
      failure_code: 'moon_in_wrong_phase',
      failure_reason: 'New reason',
    }),
    expect: [accepted],
    ...closedList,
  },
  'unknown-fields': {
    spec: 'A receiver MUST accept fields that it does not know.',
    send: unknown('completed', { risk: { score: 3, flags: [] }, loyalty_points: 12, note: null }),
    expect: [accepted],
    ...closedList,
  },
  'unknown-event': {
    spec: 'A receiver MUST accept an event name that it does not know.',
    send: unknown('completed', { event: 'payment.disputed', status: 'disputed' }),
    expect: [accepted],
    ...closedList,
  },
  'unknown-event-of-another-kind': {
    spec: 'A receiver MUST accept an event name that it does not know.',
    send: unknown('completed', { event: 'payout.created', status: 'created' }),
    expect: [accepted],
    ...closedList,
  },
  'short-payment': {
    spec: 'A receiver MUST accept the fields that some events have and others lack.',
    send: genuinely('completed-short', 'completed-gift-card-short'),
    expect: [accepted],
    ...fieldsVary,
  },
  'mixed-checkout': {
    spec: 'A receiver MUST accept the fields that some events have and others lack.',
    send: genuinely('completed-mixed-checkout'),
    expect: [accepted],
    ...fieldsVary,
  },
  'empty-metadata': {
    spec: 'A receiver MUST accept the fields that some events have and others lack.',
    send: unknown('completed', { metadata: {} }),
    expect: [accepted],
    ...fieldsVary,
  },
  simulated: {
    spec: 'A receiver MUST accept the simulated events of a test checkout, full or sparse.',
    mode: 'test',
    send: genuinely('simulated-completed', 'simulated-failed'),
    expect: [accepted],
    ...fieldsVary,
  },
  'simulated-and-sparse': {
    spec: 'A receiver MUST accept the simulated events of a test checkout, full or sparse.',
    mode: 'test',
    send: genuinely('simulated-sparse-completed', 'simulated-sparse-failed'),
    expect: [accepted],
    impact: 'The first thing a merchant tries, the buttons of the test checkout, does not work.',
    fix: 'Read the payment id from `id` where `payment_id` is absent.',
  },
  'simulated-without-event': {
    spec: 'A receiver SHOULD accept a simulated event that names no `event`, and read it from `status`.',
    mode: 'test',
    send: genuinely('simulated-bare-completed'),
    expect: [accepted],
    impact: 'The buttons of the test checkout may not work.',
    fix: 'Where `test` is true and `event` is absent, take `payment.` and the status for the event.',
  },
  'without-livemode': {
    spec: 'A receiver MUST accept an event without `livemode`.',
    mode: 'live',
    send: genuinely('completed-without-livemode'),
    expect: [accepted],
    ...fieldsVary,
  },
  chargeback: {
    spec: 'A receiver MUST accept an event of either kind of refund.',
    send: genuinely('chargeback'),
    expect: [accepted],
    ...eventLost,
  },
  'voluntary-refund': {
    spec: 'A receiver MUST accept an event of either kind of refund.',
    send: genuinely('refund'),
    expect: [accepted],
    ...eventLost,
  },
  'unknown-kind-of-refund': {
    spec: 'A receiver SHOULD accept a kind of refund, a status or a processor that it does not know.',
    send: unknown('refund', { type: 'goodwill' }),
    expect: [accepted],
    ...closedList,
  },
  'unknown-processor': {
    spec: 'A receiver SHOULD accept a kind of refund, a status or a processor that it does not know.',
    send: unknown('completed', { processor: 'lunar_rail' }),
    expect: [accepted],
    ...closedList,
  },
})
