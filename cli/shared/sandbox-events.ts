import { nearest, suggestion } from '../../conformance/contracts/nearest.ts'
import { counted } from '../../conformance/report/wording.ts'
import { EVENT_NAMES, type EventName } from '../../sandbox/model.ts'
import { UsageError } from './exit.ts'
import { oneLine } from './text.ts'

/** An event as `GET /sandbox/events` returns it. */
export interface ListedEvent {
  readonly id: string
  readonly event: string
  readonly payment_id: string
  readonly created_at: string
  readonly deliveries: readonly ListedDelivery[]
}

interface ListedDelivery {
  readonly id: string
  readonly url: string
  /** The same for people: where `hookproof listen` forwards to, for one of its endpoints. */
  readonly shown_url?: string
  readonly state: string
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
  /** Set while all its attempts were wrong on purpose. */
  readonly faulty?: true
}

/** Parses the name of an event. @throws UsageError that suggests similar names */
export function eventName(text: string): EventName {
  const known = EVENT_NAMES.find((name) => name === text)
  if (known !== undefined) return known
  const hint = suggestion(nearest(text, EVENT_NAMES), `the events are ${EVENT_NAMES.join(', ')}`)
  throw new UsageError(`there is no event "${oneLine(text)}": ${hint}`)
}

/** A line for the event, and one for each delivery. */
export function eventText({
  id,
  event,
  payment_id: payment,
  created_at: at,
  deliveries,
}: ListedEvent): string {
  return `${at}  ${event.padEnd(17)}  ${payment}  ${id}\n${deliveries.map(deliveryLine).join('')}`
}

/** A line for a delivery: its recipient, and what became of it. */
export const deliveryLine = (delivery: ListedDelivery): string =>
  `  ${delivery.id}  ${delivery.shown_url ?? delivery.url}  ${outcomeOf(delivery)}\n`

/** The states that people read differently from the API. */
const STATES: Readonly<Record<string, string>> = { in_flight: 'in flight', cancelled: 'canceled' }

function outcomeOf({ state, attempts, status, error }: ListedDelivery): string {
  const result = status ?? error
  const text = STATES[state] ?? state
  return result === null ? text : `${text}: ${result}, ${counted(attempts, 'attempt')}`
}

/** How many deliveries, with the noun. */
export const deliveriesText = (count: number): string => counted(count, 'delivery', 'deliveries')
