import { compareAmounts } from '../domain/amounts.ts'
import { outcomeOfWindow } from '../domain/transitions.ts'
import { ApiError } from '../errors.ts'
import type { Event, EventName, Payment } from '../model.ts'

export interface RequestedEvent {
  readonly event: EventName
  /** Required values by field name: `amount`, `metadata.order`, `settled_via.rail`; and the payment's `webhook_url`. */
  readonly fields: Readonly<Record<string, string>>
}

type Fields = Readonly<Record<string, unknown>>

/** The payment that each event requires. Interface 3 and 8. */
export const REQUIRED_PAYMENT: Readonly<Record<EventName, string>> = {
  'payment.completed': 'that is pending or partly paid',
  'payment.failed': 'that is pending',
  'payment.partial': 'that is pending or partly paid, and stays below its full amount',
  'payment.refunded': 'that is completed',
  'payment.expired': 'that is partly paid by gift card',
}

/**
 * Compares the created event with the requested one, while it can still be rolled back.
 * @param event the last created event
 * @throws ApiError if another event was created, or this one with other fields
 */
export function requireOutcome(requested: RequestedEvent, payment: Payment, event: Event | undefined): void {
  if (event?.name !== requested.event) {
    const result = event === undefined ? 'no event' : event.name
    throw notProduced(requested, `the result would be ${result}`, payment)
  }
  requireFields(requested, payment, JSON.parse(new TextDecoder().decode(event.body)) as Fields)
}

/** Makes sure that a payment has a 24-hour window that can end. Interface 8. @throws ApiError */
export function requireWindow(requested: RequestedEvent, payment: Payment): void {
  const { windowEndsAt, status, method, id } = payment
  if (status === 'partial' && windowEndsAt !== null) return
  const by = status === 'partial' ? ` by ${method}` : ''
  throw notProduced(requested, `payment ${id} is ${status}${by}`, payment)
}

/** Suggests another amount if that is the cause, otherwise explains what the event requires. */
function notProduced(
  { event, fields }: RequestedEvent,
  reason: string,
  { amount, amountReceived }: Payment,
): ApiError {
  const isFullyPaid = amountReceived !== null && compareAmounts(amountReceived, amount) >= 0
  const isLarge = event === 'payment.expired' && outcomeOfWindow(amount) === 'completed'
  const fix =
    isFullyPaid && fields['amount_received'] !== undefined
      ? `Use an amount_received below ${amount}.`
      : isLarge
        ? 'An order of 2 or more completes with the amount received. Use an amount below 2.'
        : `It requires a payment ${REQUIRED_PAYMENT[event]}.`
  return new ApiError(409, `${event} cannot be produced: ${reason}. ${fix}`)
}

function requireFields({ event, fields }: RequestedEvent, payment: Payment, body: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    const actual = name === 'webhook_url' ? payment.webhookUrl : valueOf(body, name)
    if (isSame(name, value, actual)) continue
    const result = actual === undefined || actual === null ? 'not have it' : `have ${JSON.stringify(actual)}`
    throw new ApiError(
      409,
      `${name} cannot be ${JSON.stringify(value)}: this ${event} would ${result}.${reasonFor(name, payment)}`,
    )
  }
}

/** Interface 2.2, type. */
const reasonFor = (name: string, { method }: Payment): string =>
  name === 'type' ? ` Refunds of ${method} payments always have this type.` : ''

/** Metadata names may contain dots themselves. */
function valueOf(body: Fields, name: string): unknown {
  const [, group = '', inner = ''] = /^(metadata|settled_via)\.(.*)$/s.exec(name) ?? []
  return group === '' ? body[name] : (body[group] as Fields | undefined)?.[inner]
}

const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?$/

/** Compares amounts by value: the event may have more decimals than the request. */
function isSame(name: string, requested: string, actual: unknown): boolean {
  if (actual === undefined || actual === null) return false
  const text = typeof actual === 'string' ? actual : JSON.stringify(actual)
  if (/(^|\.)amount(_|$)/.test(name) && !name.startsWith('metadata.')) {
    return AMOUNT.test(requested) && AMOUNT.test(text) && compareAmounts(requested, text) === 0
  }
  return text === requested
}
