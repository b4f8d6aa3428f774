import { EVENT_NAMES, type EventName } from '../../sandbox/model.ts'
import { UsageError } from './exit.ts'
import { nearest } from './nearest.ts'
import { oneLine } from './options.ts'

/** An event as `GET /sandbox/events` shows it. */
export interface ShownEvent {
  readonly id: string
  readonly event: string
  readonly payment_id: string
  readonly created_at: string
  readonly deliveries: readonly ShownDelivery[]
}

interface ShownDelivery {
  readonly id: string
  readonly url: string
  /** The same for people: where `hookproof listen` sends it, for one of its endpoints. */
  readonly shown_url?: string
  readonly state: string
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
}

/** The event of this name. @throws UsageError with those that look like it */
export function eventName(given: string): EventName {
  const found = EVENT_NAMES.find((name) => name === given)
  if (found !== undefined) return found
  const near = nearest(given, EVENT_NAMES)
  const hint = near.length === 0 ? `there are ${EVENT_NAMES.join(', ')}` : `did you mean ${near.join(', ')}?`
  throw new UsageError(`there is no event "${oneLine(given)}": ${hint}`)
}

/** A line for the event, and one for each delivery. */
export function eventText({
  id,
  event,
  payment_id: payment,
  created_at: at,
  deliveries,
}: ShownEvent): string {
  const lines = deliveries.map((one) => `  ${one.id}  ${one.shown_url ?? one.url}  ${outcomeOf(one)}`)
  return [`${at}  ${event.padEnd(17)}  ${payment}  ${id}`, ...lines, ''].join('\n')
}

function outcomeOf({ state, attempts, status, error }: ShownDelivery): string {
  const last = status ?? error
  const words = state === 'in_flight' ? 'in flight' : state === 'pending' ? 'waiting' : state
  if (last === null) return words
  return `${words}: ${last}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
}
