import { isAcknowledged } from '../../engine/exchange.ts'
import type { Recognize } from '../cause.ts'
import { type Event, eventIn, isNamed, KNOWN_EVENTS, keyOf } from '../handling.ts'
import { type Hypothesis, refusing, testAll } from '../hypothesis.ts'
import type { CauseForms, RefundType } from '../statement.ts'

const isKnown = (event: Event) => isNamed(event, ...KNOWN_EVENTS)

/** Refuses the events with a property, and no others. */
const refusingEvents = (which: CauseForms['event_refused'], has: (event: Event) => boolean): Hypothesis =>
  refusing({ code: 'event_refused', data: which }, ({ delivery }) => {
    const event = eventIn(delivery)
    return event !== undefined && has(event)
  })

/** Refuses an event that its case has sent before. */
const redelivered: Hypothesis = {
  code: 'redelivery_refused',
  accepts: ({ verdict, exchange, delivery, shouldAccept }) => {
    if (shouldAccept !== true) return undefined
    const before = verdict.exchanges.slice(0, verdict.exchanges.indexOf(exchange))
    return !before.some(
      (other) => isAcknowledged(other) && keyIn(other.delivery.body) === keyIn(delivery.body),
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
  ...[[], ...someOf(KNOWN_EVENTS.slice(1))].map((others) => {
    const handled = ['completed', ...others]
    return refusingEvents({ allBut: handled }, (event) => !isNamed(event, ...handled))
  }),
  refusingEvents({ trait: 'unknown-name' }, (event) => !isKnown(event)),
  ...KNOWN_EVENTS.slice(1).map((name) => refusingEvents({ name }, (event) => isNamed(event, name))),
  ...(['refund', 'chargeback'] satisfies RefundType[]).map((type) =>
    refusingEvents({ trait: type }, (event) => event['type'] === type),
  ),
  refusingEvents({ trait: 'simulated' }, (event) => event['test'] === true),
  refusingEvents({ trait: 'test-mode' }, (event) => event['livemode'] === false),
  refusingEvents({ trait: 'no-livemode' }, (event) => !('livemode' in event)),
  refusingEvents({ trait: 'empty-metadata' }, ({ metadata }) => Object.keys(Object(metadata)).length === 0),
  refusingEvents({ trait: 'amount-requested' }, (event) => 'amount_requested' in event),
  refusingEvents({ trait: 'settled-via' }, (event) => 'settled_via' in event),
  refusingEvents({ trait: 'unknown-fields' }, (event) => 'loyalty_points' in event),
]

/** Valid deliveries of some events are refused (SPEC.md 7 and 8). */
export const eventCauses: Recognize = (symptoms) => testAll(EVENT_HYPOTHESES, symptoms)
