import type { Router } from 'express'
import type { Context } from '../compose.ts'
import { type Chaos, readChaos } from '../deliveries/chaos.ts'
import { ApiError } from '../errors.ts'
import type { Event } from '../model.ts'
import { addressNames } from '../pages/addresses.ts'
import { eventIds } from '../store/events.ts'

const DEFAULT_LIMIT = 20
const MAXIMUM = 100

/** Lists events with their deliveries, and resends them: for `hookproof events`. */
export function eventRoutes(router: Router, context: Context): void {
  const { store, payments, deliveries } = context
  const viewOf = eventViews(context)

  router.get('/events', ({ query }, response) => {
    const limit = Number(query['limit'] ?? DEFAULT_LIMIT)
    if (!Number.isInteger(limit) || limit < 1 || limit > MAXIMUM) {
      throw new ApiError(400, `limit must be a whole number from 1 to ${MAXIMUM}.`)
    }
    const { payment, state } = query
    if (state !== undefined && state !== 'pending')
      throw new ApiError(400, 'state must be "pending" or absent.')
    const paymentId = typeof payment === 'string' ? payment : undefined
    if (paymentId !== undefined && store.payments.get(paymentId) === undefined) {
      throw new ApiError(404, `Payment ${paymentId} does not exist.`)
    }
    const filter = { state: state && 'unfinished', paymentId, limit } as const
    const ids = eventIds(store.database, { organizationId: store.organizations.first().id, ...filter })
    const events = ids.map((id) => store.events.get(id)).filter((event) => event !== undefined)
    const data = events.map(viewOf)
    response.json({ data })
  })

  router.post('/events/:id/resend', ({ params }, response) => {
    const id = params.id
    const event = store.events.get(id)
    if (event !== undefined) {
      return void response.status(202).json({ event_id: id, deliveries: payments.resendEvent(event) })
    }
    if (store.deliveries.get(id) === undefined) {
      throw new ApiError(404, `No event or delivery has the id ${id}.`)
    }
    const { eventId } = deliveries.redeliver(id)
    response.status(202).json({ event_id: eventId, deliveries: 1 })
  })
}

/** Creates a function that returns an event with its deliveries, as `hookproof events` and `trigger` read it. */
export function eventViews(context: Pick<Context, 'store' | 'forwards'>) {
  const { store } = context
  const nameOf = addressNames(context)
  return ({ id, name, paymentId, createdAt }: Event) => ({
    id,
    event: name,
    payment_id: paymentId,
    created_at: new Date(createdAt).toISOString(),
    deliveries: store.deliveries.ofEvent(id).map((delivery) => {
      const last = store.deliveries.attempts(delivery.id).at(-1)
      const { state, url } = delivery
      return {
        id: delivery.id,
        url,
        shown_url: nameOf(delivery),
        // It failed, whatever happened afterwards: the resend is a delivery of its own.
        state: state === 'resent' ? 'failed' : state,
        attempts: delivery.attempts,
        status: last?.status ?? null,
        error: last?.error ?? null,
        ...(delivery.attempts > 0 && delivery.attempts <= delivery.faultyAttempts && { faulty: true }),
      }
    }),
  })
}

/** The chaos of a request body, if it has any. @throws ChaosError if it is invalid */
export const chaosOf = ({ chaos }: { readonly chaos?: unknown }): { chaos?: Chaos } =>
  chaos === undefined ? {} : { chaos: readChaos(chaos) }
