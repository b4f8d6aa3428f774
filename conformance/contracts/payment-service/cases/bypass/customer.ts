import { inTurn } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { accepted, acceptedOrRefused } from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { inHeaders, inQuery } from '../../../webhook/mutate.ts'
import {
  fulfilledIfAcknowledged,
  fulfilledOnce,
  notAsLiveBesideTests,
  notFulfilledAsLive,
  nothingHandled,
} from '../../expectations/effects.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'
import { serializedAs, withMetadata } from '../body-bytes/common.ts'
import { NAMED_TYPES, TYPES_CHANGE } from '../body-bytes/unusual.ts'

type Scenario = Parameters<Kit['delivery']>[0]

/** Events whose metadata has keys like the event's own fields, one after another. */
const withMetadataNamed =
  (scenario: Scenario, ...metadata: readonly Readonly<Record<string, string>>[]) =>
  (kit: Kit): Plan =>
    inTurn(...metadata.map((own) => kit.delivery(scenario, { metadata: own })))

const OTHER_PAYMENT = { id: 'tx_of_somebody_else', amount: '999999.99', currency: 'XAU', status: 'failed' }

/** A test payment in one of the forms of an event, with or without the field `test`. */
const testPayment = (kit: Kit, scenario: Scenario = 'simulated-completed', test?: true): Delivery => ({
  ...kit.delivery(scenario, { test }),
  change: `a test payment${scenario === 'simulated-completed' ? '' : ' without payment_id'}${test === true ? ', with test true' : ''}`,
})
const testPayments = (kit: Kit): Delivery[] =>
  (['simulated-completed', 'simulated-sparse-completed'] as const).flatMap((scenario) => [
    testPayment(kit, scenario),
    testPayment(kit, scenario, true),
  ])

/** What a customer of the merchant may be able to choose. */
export const customer = [
  requirement(
    'A receiver MUST take the id, the amount and all other fields of an event from the event itself, not from its metadata.',
    {
      impact: 'A customer who writes the metadata of a payment decides what is credited.',
      fix: 'Do not merge the metadata into the event; read each field from the event by its own name.',
    },
    {
      'metadata-named-like-amounts': {
        needs: 'effects',
        send: withMetadataNamed('completed', {
          amount: '999999.99',
          currency: 'XAU',
          amount_received: '999999.99',
          amount_requested: '0.01',
        }),
        expect: [accepted, fulfilledOnce],
        about: ['fulfilled-wrongly'],
      },
      'metadata-before-the-amount': {
        needs: 'effects',
        send: (kit) =>
          inTurn(
            ...[['metadata'], ['settled_via'], ['settled_via', 'metadata']].map((first) => {
              const event = kit.event('completed-mixed-checkout', {
                metadata: { amount: '999999.99', currency: 'XAU', payment_id: 'tx_of_somebody_else' },
              })
              const leading = Object.fromEntries(first.map((name) => [name, event[name]]))
              return kit.body(JSON.stringify({ ...leading, ...event }), aboutEvent(event))
            }),
          ),
        expect: [accepted, fulfilledOnce],
        about: ['fulfilled-wrongly'],
        fix: 'Parse the JSON and read each field of the event itself; do not search the text for the first "amount".',
      },
      'envelopes-with-other-amounts': {
        needs: 'effects',
        send: (kit) =>
          inTurn(
            ...['data', 'object', 'payment', 'payload', 'resource'].map((name) => {
              const event = kit.event('completed')
              const other = { ...OTHER_PAYMENT, data: OTHER_PAYMENT, object: OTHER_PAYMENT }
              return {
                ...kit.body(JSON.stringify({ [name]: other, ...event }), aboutEvent(event)),
                change: `an unknown field ${name} with another payment`,
              }
            }),
          ),
        expect: [accepted, fulfilledOnce],
        about: ['fulfilled-wrongly'],
        impact: 'Another amount is credited from the day on which the service adds a field.',
        fix: 'Read each field where the interface has it; do not look for it in other objects first.',
      },
      'metadata-named-like-ids': {
        needs: 'effects',
        send: withMetadataNamed(
          'completed',
          { payment_id: 'tx_of_somebody_else' },
          { id: 'tx_of_somebody_else', order_id: 'tx_of_somebody_else' },
        ),
        expect: [accepted, fulfilledOnce],
        impact: 'A customer who writes the metadata of a payment can have another order credited.',
      },
      'metadata-with-what-the-body-lacks': {
        needs: 'effects',
        mode: 'test',
        send: (kit) => {
          const unpaid = kit.delivery('failed-card_declined')
          const id = unpaid.key ?? ''
          const metadata = {
            payment_id: id,
            id,
            order_id: id,
            event: 'payment.completed',
            status: 'completed',
            amount: '999999.99',
            currency: 'XAU',
          }
          const { id: _id, payment_id: _payment, order_id: _order, ...nameless } = kit.event('completed')
          const beside = [
            kit.delivery('simulated-sparse-failed', { metadata }),
            kit.body(JSON.stringify({ ...nameless, metadata })),
          ].map(
            (delivery): Delivery => ({
              ...delivery,
              role: 'context',
              change: 'an event that lacks what its metadata has',
            }),
          )
          return inTurn(unpaid, ...beside, asControl(kit.delivery('completed')))
        },
        expect: [nothingHandled],
        impact:
          'A customer who writes the metadata of a payment can have an unpaid order credited by an event that lacks its id.',
        fix: 'Answer 400 to an event without a payment id; fill no field from the metadata.',
      },
      'metadata-named-like-a-completion': {
        needs: 'effects',
        send: withMetadataNamed(
          'failed-card_declined',
          { event: 'payment.completed' },
          { event: 'payment.completed', status: 'completed' },
        ),
        expect: [accepted, nothingHandled],
        impact: 'A customer who writes the metadata of a payment can have a failed payment credited.',
      },
      'metadata-named-like-flags': {
        needs: 'effects',
        send: withMetadataNamed(
          'completed',
          { livemode: 'false', test: 'true', status: 'failed' },
          { event: 'payment.refunded', type: 'refund', timestamp: '1970-01-01T00:00:00.000Z' },
        ),
        expect: [accepted, fulfilledOnce],
        impact: 'A customer who has paid gets nothing.',
      },
      'metadata-named-like-methods': {
        needs: 'effects',
        send: (kit) =>
          inTurn(
            kit.delivery('completed', {
              metadata: {
                constructor: '1',
                hasOwnProperty: '2',
                toString: '3',
                length: '4',
                get: '5',
                keys: '6',
              },
            }),
          ),
        expect: [accepted, fulfilledOnce],
        impact:
          'A customer who has paid gets nothing, because a key of the metadata hides a method of the object.',
        fix: 'Read the metadata only where you need it, and call no method of it.',
      },
      'metadata-named-like-types': {
        needs: 'effects',
        send: (kit) =>
          inTurn(
            { ...kit.delivery('completed', { metadata: NAMED_TYPES }), change: TYPES_CHANGE },
            asControl(kit.delivery('completed')),
          ),
        expect: [acceptedOrRefused(400, 422), fulfilledIfAcknowledged],
        open: 'Some parsers refuse such keys: SPEC.md 4.31 recommends accepting them.',
        impact: 'A customer who has paid gets nothing, because a key of the metadata names a type.',
        fix: 'Parse with a function that creates no classes: JSON.parse instead of JSON.load in Ruby, without default typing in Jackson and .NET.',
      },
      'metadata-named-like-a-prototype': {
        needs: 'effects',
        send: (kit) =>
          inTurn(
            serializedAs('a text under the metadata key __proto__', (event) =>
              withMetadata(event, '{"__proto__":"polluted","prototype":"1"}'),
            )(kit),
            asControl(kit.delivery('completed')),
          ),
        expect: [acceptedOrRefused(400, 422), fulfilledIfAcknowledged],
        open: 'Some parsers refuse the key: SPEC.md 4.31 recommends accepting it.',
        impact: 'A customer who has paid gets nothing, because a key of the metadata replaces the prototype.',
        fix: 'Do not copy metadata into objects that your program uses.',
      },
    },
  ),
  requirement(
    'A receiver of live payments MUST NOT fulfill a test payment as a live one.',
    {
      impact: 'Anyone who reaches a test checkout gets goods without paying.',
      fix: 'Fulfill only events whose `livemode` is true, or keep test payments apart and show their `livemode`.',
    },
    {
      'test-payment-on-a-live-receiver': {
        needs: 'effects',
        mode: 'live',
        send: (kit) => {
          const [test, other] = [testPayment(kit), testPayment(kit)]
          const calledLive = { livemode: 'true', test: 'false' }
          return inTurn(
            ...testPayments(kit),
            inQuery(calledLive)(test, kit),
            inHeaders(calledLive)(other, kit),
          )
        },
        expect: [notFulfilledAsLive],
      },
      'test-payments-of-each-form': {
        needs: 'effects',
        mode: 'test',
        send: (kit) => inTurn(...testPayments(kit)),
        expect: [notAsLiveBesideTests],
        open: 'A receiver for tests alone may show each payment as live: that counts against 9.11.',
        fix: 'Take a payment for a live one only if its `livemode` says so, whatever other fields the event has or lacks.',
      },
    },
  ),
] as const
