import type { Effect } from '../../schemas/types.ts'
import type { Delivery } from '../contracts/webhook/delivery.ts'
import type { Exchange, Verdict } from '../contracts/webhook/model.ts'
import { remembered } from './remember.ts'

export type Event = Readonly<Record<string, unknown>>

export type EffectOf = (event: Event, before: readonly Effect[]) => Effect | undefined

/** How a receiver handles accepted deliveries, in the parts that receivers get wrong. */
export interface Handling {
  /** What the receiver takes for the event. */
  readonly reads: (event: Event, exchange: Exchange) => Event
  /** Two events with one key are the same event. */
  readonly keyOf: (event: Event, exchange: Exchange) => string
  /** Whether a delivery with this response is recorded as seen. */
  readonly records: (exchange: Exchange) => boolean
  /** Whether a delivery with this response is handled. */
  readonly handles: (exchange: Exchange) => boolean
  /** `otherwise` is what the receiver does apart from this mistake. */
  readonly effectOf: (event: Event, before: readonly Effect[], otherwise: EffectOf) => Effect | undefined
  /** Whether an event is skipped because of those of its payment that were handled before. */
  readonly skips: (event: Event, earlier: readonly Event[]) => boolean
}

export const text = (value: unknown) => (typeof value === 'string' ? value : '')
export const idOf = (event: Event) => text(event['payment_id'] ?? event['id'])
export const nameOf = (event: Event) =>
  text(event['event'] ?? (event['test'] === true ? `payment.${text(event['status'])}` : ''))
export const effectNamed = (event: Event, effect: Effect['effect']): Effect => ({
  event: nameOf(event),
  effect,
  amount: text(event['amount']),
  currency: text(event['currency']),
})

/** What makes two events the same (SPEC.md 7). */
export const keyOf = (event: Event) =>
  JSON.stringify([idOf(event), nameOf(event), event['amount_received'], event['type']])

export const acknowledged = ({ answer }: Exchange) => answer?.status === 200

/** The events that the interface names. */
export const KNOWN_EVENTS = ['completed', 'failed', 'partial', 'refunded', 'expired']
export const isNamed = (event: Event, ...names: string[]) =>
  names.some((name) => nameOf(event) === `payment.${name}`)

/** The effect of an event, beside those that its payment has (SPEC.md 9). */
function requiredEffect(event: Event, before: readonly Effect[]): Effect | undefined {
  const reversed = before.some(({ effect }) => effect === 'reversed')
  if (reversed) return undefined
  if (nameOf(event) === 'payment.refunded') return effectNamed(event, 'reversed')
  return nameOf(event) === 'payment.completed' ? effectNamed(event, 'fulfilled') : undefined
}

/** A receiver that handles events as SPEC.md requires. */
export const CORRECT_HANDLING: Handling = {
  reads: (event) => event,
  keyOf,
  records: acknowledged,
  handles: acknowledged,
  skips: () => false,
  effectOf: requiredEffect,
}

/** The effects of a case's payments if a receiver handled its deliveries in this way, one after another. */
export function simulate({ exchanges }: Verdict, supposed: Handling): Map<string, Effect[]> {
  const seen = new Set<string>()
  const effects = new Map<string, Effect[]>()
  const handled = new Map<string, Event[]>()
  for (const exchange of exchanges) {
    if (exchange.unanswered === true) continue
    const sent = eventIn(exchange.delivery)
    if (sent === undefined) continue
    const event = supposed.reads(sent, exchange)
    const key = supposed.keyOf(event, exchange)
    const isNew = !seen.has(key)
    if (supposed.records(exchange)) seen.add(key)
    if (!isNew || !supposed.handles(exchange)) continue
    const earlier = handled.get(idOf(event)) ?? []
    if (supposed.skips(event, earlier)) continue
    handled.set(idOf(event), [...earlier, event])
    const before = effects.get(idOf(event)) ?? []
    const added = supposed.effectOf(event, before, requiredEffect)
    if (added !== undefined) effects.set(idOf(event), [...before, added])
  }
  return effects
}

/** The event that a delivery carries; undefined when its body is not a JSON object. */
export const eventIn = ({ body }: Pick<Delivery, 'body'>): Event | undefined => parsedEvent(body)

/** An acknowledged completion, and the effects of its payment if they were observed. */
export interface Completion {
  readonly id: string
  readonly verdict: Verdict
  readonly event: Event
  readonly effects: readonly Effect[] | undefined
}

/** The acknowledged completions of a case. */
export function completionsOf(verdict: Verdict): Completion[] {
  return verdict.exchanges.flatMap(({ delivery, answer }) => {
    const event = eventIn(delivery)
    if (event === undefined || answer?.status !== 200 || nameOf(event) !== 'payment.completed') return []
    const id = idOf(event)
    return [{ id, verdict, event, effects: verdict.effects?.get(id) }]
  })
}

const parsedEvent = remembered((body: Buffer): Event | undefined => {
  try {
    const event: unknown = JSON.parse(body.toString())
    return typeof event === 'object' && event !== null && !Array.isArray(event) ? (event as Event) : undefined
  } catch {
    return undefined
  }
})

/** Effects as one comparable text: 25.0 and 25.00 are the same amount. */
export function shown(effects: readonly Effect[] = []): string {
  return effects
    .map(({ effect, amount, currency }) => {
      const [whole = '', fraction = ''] = amount.split('.')
      return `${effect} ${whole}.${fraction.replace(/0+$/, '')} ${currency}`
    })
    .join(', ')
}
