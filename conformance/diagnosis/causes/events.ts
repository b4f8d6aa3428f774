import type { Recognize } from '../cause.ts'
import { type Event, eventIn, keyOf, nameOf } from '../handling.ts'
import { type Hypothesis, refusing, testAll } from '../hypothesis.ts'
import type { Statement } from '../statement.ts'

const refused = (what: string, fix: string): Statement => ({
  code: 'event_refused',
  sentence: `Valid deliveries ${what} are refused.`,
  fix,
})
const acknowledge = 'Answer 200 to every valid delivery, and decide afterwards whether there is work to do.'
const ignore = 'Ignore what you do not know: answer 200, and do nothing in the default branch.'

const KNOWN = ['completed', 'failed', 'partial', 'refunded', 'expired']
const isNamed = (event: Event, ...names: string[]) =>
  names.some((name) => nameOf(event) === `payment.${name}`)
const isKnown = (event: Event) => isNamed(event, ...KNOWN)

/** Refuses the events with a property, and no others. */
const refusingEvents = (statement: Statement, has: (event: Event) => boolean): Hypothesis =>
  refusing(statement, ({ delivery }) => {
    const event = eventIn(delivery)
    return event !== undefined && has(event)
  })

/** Refuses an event that its case has sent before. */
const redelivered: Hypothesis = {
  code: 'redelivery_refused',
  sentence: 'A redelivery is refused instead of acknowledged.',
  fix: 'Answer 200 to a delivery that is already stored: after any other status, the service sends it again.',
  accepts: ({ verdict, exchange, delivery, shouldAccept }) => {
    if (shouldAccept !== true) return undefined
    const before = verdict.exchanges.slice(0, verdict.exchanges.indexOf(exchange))
    return !before.some(
      (other) => other.answer?.status === 200 && keyIn(other.delivery.body) === keyIn(delivery.body),
    )
  },
}

function keyIn(body: Buffer): string {
  try {
    return keyOf(Object(JSON.parse(body.toString())) as Event)
  } catch {
    return ''
  }
}

/** Every selection of these, but not none and not all. */
function someOf(all: readonly string[]): readonly (readonly string[])[] {
  const selections = Array.from({ length: 2 ** all.length }, (_, bits) =>
    all.filter((__, n) => (bits & (2 ** n)) !== 0),
  )
  return selections.slice(1, -1)
}

export const EVENT_HYPOTHESES: readonly Hypothesis[] = [
  redelivered,
  refusingEvents(
    refused('of every event except payment.completed', acknowledge),
    (event) => !isNamed(event, 'completed'),
  ),
  ...someOf(KNOWN.slice(1)).map((others) => {
    const handled = ['completed', ...others]
    const names = handled.map((name) => `payment.${name}`)
    const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
    return refusingEvents(
      refused(`of every event except ${list}`, acknowledge),
      (event) => !isNamed(event, ...handled),
    )
  }),
  refusingEvents(refused('of events that the receiver does not know', ignore), (event) => !isKnown(event)),
  ...KNOWN.slice(1).map((name) =>
    refusingEvents(refused(`of payment.${name}`, acknowledge), (event) => isNamed(event, name)),
  ),
  ...['refund', 'chargeback'].map((type) =>
    refusingEvents(
      refused(`of payment.refunded with the type ${type}`, acknowledge),
      (event) => event['type'] === type,
    ),
  ),
  refusingEvents(refused('of simulated events', acknowledge), (event) => event['test'] === true),
  refusingEvents(
    refused(
      'of test events (livemode false)',
      'Accept test events, or check the receiver with --mode live if it ignores them by design.',
    ),
    (event) => event['livemode'] === false,
  ),
  refusingEvents(refused('without livemode', acknowledge), (event) => !('livemode' in event)),
  refusingEvents(
    refused('with empty metadata', acknowledge),
    ({ metadata }) => Object.keys(Object(metadata)).length === 0,
  ),
  refusingEvents(
    refused('of short payments (amount_requested)', acknowledge),
    (event) => 'amount_requested' in event,
  ),
  refusingEvents(refused('of mixed checkouts (settled_via)', acknowledge), (event) => 'settled_via' in event),
  refusingEvents(refused('with unknown fields', ignore), (event) => 'loyalty_points' in event),
]

/** Valid deliveries of some events are refused (SPEC.md 7 and 8). */
export const eventCauses: Recognize = (evidence) => testAll(EVENT_HYPOTHESES, evidence)
