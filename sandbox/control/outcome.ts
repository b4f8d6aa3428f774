import { ApiError } from '../api/errors.ts'
import { compareAmounts } from '../domain/amounts.ts'
import { eventBody } from '../domain/event-body.ts'
import { apply } from '../domain/transitions.ts'
import type { Event, EventName, Payment } from '../model.ts'

/** What someone wants to see happen. */
export interface Wish {
  readonly event: EventName
  /** Fields of the event, by name: `amount`, `metadata.order`, `settled_via.rail`; and the payment's `webhook_url`. */
  readonly fields: Readonly<Record<string, string>>
}

type Fields = Readonly<Record<string, unknown>>

/** What each event comes of. Interface 3 and 8. */
export const COMES_OF: Readonly<Record<EventName, string>> = {
  'payment.completed': 'that is pending or part-paid',
  'payment.failed': 'that is pending',
  'payment.partial': 'that is pending or part-paid, and is not made whole',
  'payment.refunded': 'that is completed',
  'payment.expired': 'that is part-paid by gift card',
}

/**
 * Holds what has happened against what was wished for, while it can still be undone.
 * @param event the last that was emitted
 * @throws ApiError when another event came out, or this one with other fields
 */
export function requireOutcome(wish: Wish, payment: Payment, event: Event | undefined): void {
  if (event?.name !== wish.event) {
    const instead = event === undefined ? 'nothing' : event.name
    throw wouldNot(wish, `but ${instead}`, payment)
  }
  requireFields(wish, payment, JSON.parse(new TextDecoder().decode(event.body)) as Fields)
}

/** The same for the event that the end of the 24 hours brings, before the clock is moved. Interface 8. @throws ApiError */
export function requireExpiry(wish: Wish, payment: Payment): void {
  const { windowEndsAt: at, status, method, id } = payment
  if (status !== 'partial' || at === null) {
    const by = status === 'partial' ? ` by ${method}` : ''
    throw wouldNot(wish, `payment ${id} is ${status}${by}`, payment)
  }
  const ended = apply(payment, { type: 'end_window' }, at)
  if (ended.event !== wish.event) {
    throw new ApiError(
      409,
      `payment.expired would not happen, but ${ended.event}: an order of ${payment.amount} completes with what has come in when its 24 hours end. Give an amount below 2.`,
    )
  }
  const body: object = eventBody(ended.payment, { name: ended.event, simulated: false, at })
  requireFields(wish, payment, body as Fields)
}

/** With the way out where an amount is to blame, else with what the event comes of. */
function wouldNot({ event, fields }: Wish, instead: string, { amount, amountReceived }: Payment): ApiError {
  const isWhole = amountReceived !== null && compareAmounts(amountReceived, amount) >= 0
  const mend =
    isWhole && fields['amount_received'] !== undefined
      ? `give an amount_received below ${amount}.`
      : `it comes of a payment ${COMES_OF[event]}.`
  return new ApiError(409, `${event} would not happen, ${instead}: ${mend}`)
}

function requireFields({ event, fields }: Wish, payment: Payment, body: Fields): void {
  for (const [name, wanted] of Object.entries(fields)) {
    const found = name === 'webhook_url' ? payment.webhookUrl : valueOf(body, name)
    if (isSame(name, wanted, found)) continue
    const instead = found === undefined || found === null ? 'have none' : `say ${JSON.stringify(found)}`
    throw new ApiError(
      409,
      `${name} can not be ${JSON.stringify(wanted)} here: this ${event} would ${instead}.${whyOf(name, payment)}`,
    )
  }
}

/** Interface 2.2, type. */
const whyOf = (name: string, { method }: Payment): string =>
  name === 'type' ? ` What was paid by ${method} is always taken back so.` : ''

/** Names of metadata may hold dots themselves. */
function valueOf(body: Fields, name: string): unknown {
  const [, group = '', inner = ''] = /^(metadata|settled_via)\.(.*)$/s.exec(name) ?? []
  return group === '' ? body[name] : (body[group] as Fields | undefined)?.[inner]
}

const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?$/

/** Amounts by what they are worth: the event may write more decimals than were asked for. */
function isSame(name: string, wanted: string, found: unknown): boolean {
  if (found === undefined || found === null) return false
  const text = typeof found === 'string' ? found : JSON.stringify(found)
  if (/(^|\.)amount(_|$)/.test(name) && !name.startsWith('metadata.')) {
    return AMOUNT.test(wanted) && AMOUNT.test(text) && compareAmounts(wanted, text) === 0
  }
  return text === wanted
}
