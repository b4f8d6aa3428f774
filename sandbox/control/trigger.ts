import express, { Router } from 'express'
import type { PaymentAction, PaymentCreateRequest } from '../../schemas/types.ts'
import { explain, type SchemaName, validate } from '../../schemas/validate.ts'
import { ApiError } from '../api/errors.ts'
import { requireTarget } from '../api/targets.ts'
import type { Context } from '../context.ts'
import type { Chaos } from '../deliveries/index.ts'
import { compareAmounts } from '../domain/amounts.ts'
import { BadAction, IllegalTransition } from '../domain/errors.ts'
import { GIFT_CARD_WINDOW_MS } from '../domain/gift-cards.ts'
import { SandboxError } from '../errors.ts'
import { EVENT_NAMES, type Event, type Payment } from '../model.ts'
import { NoSuchPayment } from '../service/payments.ts'
import { readAction } from './action.ts'
import { chaosOf } from './chaos.ts'
import { eventViews } from './event-view.ts'
import { COMES_OF, requireExpiry, requireOutcome, type Wish } from './outcome.ts'
import { completePart } from './parts.ts'

/** What `hookproof trigger` sends: an event, and what leads to it. */
interface Trigger extends Wish {
  /** One that is there, in place of a new one. */
  readonly payment_id?: string
  readonly mode?: string
  /** The body of the call that makes the payment. Interface 2.4. */
  readonly payment?: PaymentCreateRequest
  readonly steps: readonly PaymentAction[]
  readonly chaos?: object
}

/** What ends before the payment's own window does ends at its own time; milliseconds. */
const JUST_BEFORE_MS = 1000

/**
 * Makes an event happen, for `hookproof trigger`: all of it or, when another event would come out or one with other
 * fields, nothing at all. Only payment.expired moves the clock, by 24 hours, once it is sure to come.
 */
export function triggerRoutes(context: Context): Router {
  const { store, clock, payments, windows } = context
  const viewOf = eventViews(context)
  const router = Router()

  router.post('/events', express.json(), async ({ body }, response) => {
    const wish = readTrigger(body)
    const chaos = chaosOf(wish)
    const make = wish.payment_id === undefined ? newPayment(context, wish) : undefined
    const { id, before } = await store.write(() => prepared(wish, make, chaos))
    if (wish.event === 'payment.expired') expire(id, chaos)
    const made = store.events.ofPayment(id).filter((event) => !before.has(event.id))
    response.status(201).json({ payment_id: id, events: made.map(viewOf) })
  })

  function prepared(wish: Trigger, make: (() => Payment) | undefined, chaos: { chaos?: Chaos }) {
    const id = make === undefined ? (wish.payment_id ?? '') : make().id
    const before = new Set(store.events.ofPayment(id).map((event) => event.id))
    const now = (): Payment => {
      const payment = store.payments.get(id)
      if (payment === undefined) throw new NoSuchPayment(id)
      return payment
    }
    try {
      now()
      let last: Event | undefined
      for (const step of wish.steps) {
        const action = readAction(fitting(completePart(step, now(), wish.fields['amount_received'])))
        if (action.type !== 'switch_method') last = payments.act(id, action, chaos).event
        else if (action.method !== undefined) payments.switchMethod(id, action.method)
      }
      if (wish.event === 'payment.expired') requireExpiry(wish, now())
      else requireOutcome(wish, now(), last)
      return { id, before }
    } catch (error) {
      throw explained(error, wish, { id, isNew: make !== undefined })
    }
  }

  /** The deliveries of this very event are to go wrong as asked, so it is not left to the clock. */
  function expire(id: string, chaos: { chaos?: Chaos }): void {
    const until = clock.now() + GIFT_CARD_WINDOW_MS
    const ends = store.payments.get(id)?.windowEndsAt ?? until
    try {
      windows.advance(Math.max(0, ends - JUST_BEFORE_MS - clock.now()))
      clock.moveTo(ends)
      if (store.payments.get(id)?.status === 'partial') payments.act(id, { type: 'end_window' }, chaos)
      windows.advance(Math.max(0, until - clock.now()))
    } catch (error) {
      throw error instanceof SandboxError ? new ApiError(400, error.message) : error
    }
  }

  return router
}

/** Checks what the payment is to be made of. @returns what makes it */
function newPayment(
  { payments, store, checkTarget }: Context,
  { payment: given, mode = 'test' }: Trigger,
): () => Payment {
  if (mode !== 'test' && mode !== 'live') throw new ApiError(400, 'mode is test or live.')
  const url = given?.webhook_url
  // Before the schema, which does not say how to get to localhost.
  if (typeof url === 'string') requireTarget(checkTarget, 'webhook_url', url)
  const { amount, currency, webhook_url: webhookUrl, metadata } = fits('api/payment-create-request', given)
  if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'amount must be more than zero.')
  const [organisation] = store.organisations.list()
  if (organisation === undefined) throw new Error('a sandbox begins with an organisation')
  const made = { organisationId: organisation.id, mode, amount, currency, webhookUrl, metadata } as const
  return () => payments.create(made)
}

function readTrigger(body: unknown): Trigger {
  const { event, fields, steps } = (body ?? {}) as Partial<Trigger>
  if (!EVENT_NAMES.some((name) => name === event) || typeof fields !== 'object' || !Array.isArray(steps)) {
    throw new ApiError(400, 'Send JSON with an event, its fields and the steps that lead to it.')
  }
  return body as Trigger
}

const fitting = (step: PaymentAction): PaymentAction => fits('api/payment-action', step)

function fits<Value>(schema: SchemaName, value: Value | undefined): Value {
  const found = validate(schema, value ?? null)
  if (found.length > 0 || value === undefined) throw new ApiError(400, `It does not fit. ${explain(found)}`)
  return value
}

/** In terms of the event, and without the id of a payment that is undone again. */
function explained(error: unknown, { event }: Wish, { id, isNew }: { id: string; isNew: boolean }): unknown {
  if (error instanceof IllegalTransition && !isNew) {
    const [state = ''] = error.message.split(':')
    return new ApiError(409, `${state}: ${event} comes of one ${COMES_OF[event]}.`)
  }
  const isOurs = error instanceof ApiError || error instanceof BadAction || error instanceof IllegalTransition
  if (!isOurs || !isNew) return error
  return new ApiError(400, error.message.replaceAll(`payment ${id}`, 'the payment'))
}
