import { Router } from 'express'
import type { PaymentAction, PaymentCreateRequest } from '../../schemas/types.ts'
import { type SchemaName, type Violation, validate } from '../../schemas/validate.ts'
import { anyJsonBody } from '../api/body.ts'
import { ApiError } from '../api/errors.ts'
import { requireTarget } from '../api/targets.ts'
import type { Context } from '../context.ts'
import type { Chaos } from '../deliveries/index.ts'
import { BadAction, IllegalTransition } from '../domain/errors.ts'
import { SandboxError } from '../errors.ts'
import { STRICT } from '../http/strict.ts'
import { EVENT_NAMES, type Event, type Payment } from '../model.ts'
import { NoSuchPayment } from '../service/payments.ts'
import { readAction } from './action.ts'
import { chaosOf } from './chaos.ts'
import { eventViews } from './event-view.ts'
import { expiryOf } from './expiry.ts'
import { newPayment } from './new-payment.ts'
import { REQUIRED_PAYMENT, type RequestedEvent, requireExpiry, requireOutcome } from './outcome.ts'
import { completePart } from './parts.ts'

/** The request of `hookproof trigger`: an event, and the steps that lead to it. */
interface Trigger extends RequestedEvent {
  /** An existing payment instead of a new one. */
  readonly payment_id?: string
  readonly mode?: string
  /** The body that creates the payment. Interface 2.4. */
  readonly payment?: PaymentCreateRequest
  readonly steps: readonly PaymentAction[]
  readonly chaos?: object
}

/** The longest way to an event takes three. */
const MOST_STEPS = 10

/**
 * Triggers an event for `hookproof trigger`. If the result would be another event, or one with other fields, it rolls
 * everything back. Only payment.expired advances the clock, by 24 hours.
 */
export function triggerRoutes(context: Context): Router {
  const { store, payments } = context
  const expire = expiryOf(context)
  const viewOf = eventViews(context)
  const router = Router(STRICT)

  router.post('/events', ...anyJsonBody, async ({ body }, response) => {
    const trigger = readTrigger(body)
    const chaos = chaosOf(trigger)
    const create = trigger.payment_id === undefined ? requested(context, trigger) : undefined
    const isExpiry = trigger.event === 'payment.expired'
    const { id, before } = isExpiry
      ? await expired(trigger, create, chaos)
      : await store.write(() => prepared(trigger, create, chaos))
    const created = store.events.ofPayment(id).filter((event) => !before.has(event.id))
    response.status(201).json({ payment_id: id, events: created.map(viewOf) })
  })

  function prepared(trigger: Trigger, create: (() => Payment) | undefined, chaos: { chaos?: Chaos }) {
    const id = create === undefined ? (trigger.payment_id ?? '') : create().id
    const before = new Set(store.events.ofPayment(id).map((event) => event.id))
    const current = (): Payment => {
      const payment = store.payments.get(id)
      if (payment === undefined) throw new NoSuchPayment(id)
      return payment
    }
    try {
      current()
      let last: Event | undefined
      for (const step of trigger.steps) {
        const complete = completePart(validStep(step), current(), trigger.fields['amount_received'])
        const action = readAction(validStep(complete))
        if (action.type !== 'switch_method') last = payments.act(id, action, chaos).event
        else if (action.method !== undefined) payments.switchMethod(id, action.method)
      }
      if (trigger.event === 'payment.expired') requireExpiry(trigger, current())
      else requireOutcome(trigger, current(), last)
      return { id, before }
    } catch (error) {
      throw explained(error, trigger, { id, isNew: create !== undefined })
    }
  }

  async function expired(trigger: Trigger, create: (() => Payment) | undefined, chaos: { chaos?: Chaos }) {
    try {
      return await expire(() => prepared(trigger, create, chaos), chaos)
    } catch (error) {
      throw error instanceof SandboxError ? new ApiError(400, error.message) : error
    }
  }

  return router
}

/** Validates the fields of the new payment. @returns a function that creates it */
function requested(context: Context, { payment: body, mode = 'test' }: Trigger): () => Payment {
  const url = body?.webhook_url
  // Before schema validation, whose message does not explain how to reach localhost.
  if (typeof url === 'string') requireTarget(context.checkTarget, 'webhook_url', url)
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
