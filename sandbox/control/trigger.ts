import type { Router } from 'express'
import type { PaymentAction, PaymentCreateRequest } from '../../schemas/types.ts'
import { type SchemaName, type Violation, validate } from '../../schemas/validate.ts'
import { newPayment, requireTarget } from '../api/inputs.ts'
import type { Context } from '../compose.ts'
import type { Chaos } from '../deliveries/chaos.ts'
import { readAction } from '../domain/actions.ts'
import { compareAmounts, halfOf, subtractAmounts } from '../domain/amounts.ts'
import { ApiError, BadAction, IllegalTransition } from '../errors.ts'
import { anyJsonBody } from '../http/bodies.ts'
import { EVENT_NAMES, type Event, type Payment } from '../model.ts'
import { NoSuchPayment } from '../service/payments.ts'
import { chaosOf, eventViews } from './events.ts'
import { REQUIRED_PAYMENT, type RequestedEvent, requireOutcome, requireWindow } from './outcome.ts'

/** The request of `hookproof trigger`: an event, and the steps that lead to it. */
interface Trigger extends RequestedEvent {
  readonly payment_id?: string
  readonly mode?: string
  readonly payment?: PaymentCreateRequest
  readonly steps: readonly PaymentAction[]
  readonly chaos?: object
}

/** The longest way to an event takes three. */
const MOST_STEPS = 10

/**
 * Triggers an event for `hookproof trigger`. If the result would be another event, or one with other fields, it rolls
 * everything back. For payment.expired the payment's 24-hour window ends now, and the clock of all others stays as it is.
 */
export function triggerRoutes(router: Router, context: Context): void {
  const { store, payments } = context
  const viewOf = eventViews(context)

  router.post('/events', ...anyJsonBody, ({ body }, response) => {
    const trigger = readTrigger(body)
    const chaos = chaosOf(trigger)
    const create = trigger.payment_id === undefined ? requested(context, trigger) : undefined
    const { id, events } = store.transaction(() => carriedOut(trigger, create, chaos))
    response.status(201).json({ payment_id: id, events: events.map(viewOf) })
  })

  function carriedOut(trigger: Trigger, create: (() => Payment) | undefined, chaos: { chaos?: Chaos }) {
    const id = create === undefined ? (trigger.payment_id ?? '') : create().id
    const events: Event[] = []
    const current = (): Payment => {
      const payment = store.payments.get(id)
      if (payment === undefined) throw new NoSuchPayment(id)
      return payment
    }
    try {
      current()
      for (const step of trigger.steps) {
        const complete = completePart(validStep(step), current(), trigger.fields['amount_received'])
        const action = readAction(validStep(complete))
        if (action.type !== 'switch_method') events.push(payments.act(id, action, chaos).event)
        else if (action.method !== undefined) payments.switchMethod(id, action.method)
      }
      if (trigger.event === 'payment.expired') {
        requireWindow(trigger, current())
        events.push(payments.endWindow(id, chaos).event)
      }
      requireOutcome(trigger, current(), events.at(-1))
      return { id, events }
    } catch (error) {
      throw explained(error, trigger, { id, isNew: create !== undefined })
    }
  }
}

/** Validates the fields of the new payment. @returns a function that creates it */
function requested(context: Context, { payment: body, mode = 'test' }: Trigger): () => Payment {
  const url = body?.webhook_url
  // Before schema validation, whose message does not explain how to reach localhost.
  if (typeof url === 'string') requireTarget('webhook_url', url)
  return newPayment(context, mode, valid('api/payment-create-request', body))
}

function readTrigger(body: unknown): Trigger {
  const { event, fields, steps, payment_id: id } = record(body) ?? {}
  const texts = record(fields)
  const isSound =
    EVENT_NAMES.some((name) => name === event) &&
    texts !== undefined &&
    Object.values(texts).every((value) => typeof value === 'string') &&
    Array.isArray(steps) &&
    steps.length <= MOST_STEPS &&
    (id === undefined || typeof id === 'string')
  if (isSound) return body as Trigger
  throw new ApiError(
    400,
    `Send JSON with "event", "fields" (an object of strings) and "steps" (a list of at most ${MOST_STEPS} actions).`,
  )
}

const record = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined

const validStep = (step: PaymentAction): PaymentAction => valid('api/payment-action', step)

function valid<Value>(schema: SchemaName, value: Value | undefined): Value {
  const found = validate(schema, value ?? null)
  if (found.length > 0 || value === undefined) throw new ApiError(400, invalid(found))
  return value
}

const invalid = (found: readonly Violation[]): string =>
  found
    .map(
      ({ path, expected }) =>
        `Invalid ${path.slice(1).replaceAll('/', '.') || 'request'}: expected ${expected}`,
    )
    .join('; ')

/** Rephrases an error in terms of the event, without the id of a payment that is rolled back. */
function explained(
  error: unknown,
  { event }: RequestedEvent,
  { id, isNew }: { id: string; isNew: boolean },
): unknown {
  if (error instanceof IllegalTransition && !isNew) {
    const [status = ''] = error.message.split(':')
    return new ApiError(409, `${status}: ${event} requires a payment ${REQUIRED_PAYMENT[event]}.`)
  }
  const isExpected =
    error instanceof ApiError || error instanceof BadAction || error instanceof IllegalTransition
  if (!isExpected || !isNew) return error
  return new ApiError(400, error.message.replaceAll(`payment ${id}`, 'the payment'))
}

const AMOUNT = /^(\d+)(?:\.(\d+))?$/

/**
 * Fills in the defaults of a step `pay_part`: half of the remaining amount, by the method of earlier parts.
 * @param requested the requested amount_received afterwards, if any
 * @throws BadAction if at least that amount was received already
 */
function completePart(step: PaymentAction, payment: Payment, requested: string | undefined): PaymentAction {
  if (step.type !== 'pay_part') return step
  const received = payment.amountReceived ?? '0'
  const method = step.method ?? (payment.status === 'partial' ? (payment.method ?? 'crypto') : 'crypto')
  if (step.amount !== undefined) return { ...step, method }
  if (requested === undefined) return { ...step, method, amount: halfOf(minus(payment.amount, received)) }
  // The schema of the action reports what is wrong with it.
  if (!AMOUNT.test(requested)) return { ...step, method, amount: requested }
  if (payment.amountReceived !== null && compareAmounts(requested, received) <= 0) {
    throw new BadAction(`${received} was already received: amount_received must be greater than that.`)
  }
  return { ...step, method, amount: minus(requested, received) }
}

/** The difference. Without anything to subtract, the amount stays as it was written, for the schema to judge. */
const minus = (a: string, b: string): string => (compareAmounts(b, '0') === 0 ? a : subtractAmounts(a, b))
