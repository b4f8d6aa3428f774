import { inOrder, inTurn, together } from '../../../engine/plan.ts'
import type { Delivery } from '../delivery.ts'
import { fulfilledIfAcknowledged, fulfilledOnce } from '../expectations/effects.ts'
import { nothingLost } from '../expectations/entire-run.ts'
import { accepted, answeredInTime } from '../expectations/expect.ts'
import { deliver } from '../plans.ts'
import { requirement, section } from './section.ts'
import { notBlocked, UNUSUAL_PAYMENTS, unusualText } from './unusual-payments.ts'

/** How long after the request its sender disappears, in milliseconds. */
const GONE_AFTER_MS = [0, 5, 20]

/** A delivery whose sender does not wait for the response, and its redelivery. */
const goneThenRedelivered = (delivery: Delivery, withinMs: number) =>
  inTurn(
    {
      ...delivery,
      role: 'context',
      change: `a sender that disconnects ${withinMs} ms after its request`,
      transport: { kind: 'raw', version: '1.1', withinMs },
    },
    delivery,
  )

export const acknowledgement = section(
  'acknowledgement',
  'Acknowledgment',
  requirement(
    'A receiver MUST acknowledge a valid delivery with status 200 and no other status.',
    {
      impact: 'The service treats the delivery as lost and sends it again, or disables the endpoint.',
      fix: 'Answer 200 with a short body once the delivery is stored.',
    },
    { 'exactly-200': { send: deliver('completed', 'completed-short', 'refund'), expect: [accepted] } },
  ),
  requirement(
    'A receiver MUST acknowledge a valid delivery before the sender times out.',
    {
      impact:
        'The service times out and sends the delivery again; under load it sends every delivery several times.',
      fix: 'Store the delivery, answer 200, and do the work afterwards.',
      about: ['late'],
    },
    { 'in-time': { send: deliver('completed', 'refund'), expect: [accepted, answeredInTime] } },
  ),
  requirement(
    'A receiver MUST acknowledge every valid delivery of a burst, each before the sender times out.',
    {
      impact: 'Payments are lost at peak load.',
      fix: 'Keep the work out of the request, serve connections concurrently, and allow a long enough backlog (in Python, ThreadingHTTPServer with request_queue_size = 128).',
    },
    {
      'burst-of-50': {
        alone: true,
        send: (kit) => together(...Array.from({ length: 50 }, () => kit.delivery('completed'))),
        expect: [accepted, answeredInTime],
      },
    },
  ),
  requirement(
    'A receiver MUST acknowledge a valid delivery of an event that requires no action.',
    {
      impact: 'The service keeps resending events that require no action.',
      fix: 'Answer 200 to every valid delivery; decide afterwards whether there is work to do.',
    },
    {
      'nothing-to-do': {
        send: deliver('failed-cancelled_by_customer', 'partial-crypto', 'expired-gift-card'),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver MUST process what it has acknowledged.',
    {
      impact: 'The customer never gets the goods, and the service does not send the payment again.',
      fix: 'Store the delivery before the 200, process it from the store, and retry what failed.',
    },
    {
      'burst-carried-out': {
        needs: 'effects',
        alone: true,
        send: (kit) => together(...Array.from({ length: 20 }, () => kit.delivery('completed'))),
        expect: [accepted, fulfilledOnce],
      },
      ...UNUSUAL_PAYMENTS,
      'sender-gone-before-the-response': {
        needs: 'effects',
        send: (kit) =>
          inOrder(
            ...GONE_AFTER_MS.map((withinMs) => goneThenRedelivered(kit.delivery('completed'), withinMs)),
          ),
        expect: [fulfilledIfAcknowledged],
        impact:
          'The customer never gets the goods when a connection breaks before the response: the receiver takes the redelivery for a duplicate of work that it has canceled.',
        fix: 'Mark an event as handled in the transaction that stores or does its work, and do not cancel that when the sender disconnects.',
      },
      'nothing-lost': {
        needs: 'effects',
        late: { afterMs: 0 },
        role: 'losses',
        send: deliver('completed'),
        expect: [accepted, nothingLost],
        impact: 'Some customers never get the goods, and the service does not send their payments again.',
      },
    },
  ),
  unusualText,
  notBlocked,
)
