import { Router } from 'express'
import { ApiError } from '../api/errors.ts'
import type { Context } from '../context.ts'
import { RedeliveryError } from '../deliveries/index.ts'
import { STRICT } from '../http/strict.ts'
import { eventIds } from '../store/queries/events.ts'
import { eventViews } from './event-view.ts'

const DEFAULT_LIMIT = 20
const MAXIMUM = 100

/** Lists events with their deliveries, and resends them: for `hookproof events`. */
export function eventRoutes(context: Context): Router {
  const { store, payments, deliveries } = context
  const router = Router(STRICT)
  const idsOf = eventIds(store.database)
  const viewOf = eventViews(context)

  router.get('/events', ({ query }, response) => {
    const limit = Number(query['limit'] ?? DEFAULT_LIMIT)
    if (!Number.isInteger(limit) || limit < 1 || limit > MAXIMUM) {
      throw new ApiError(400, `limit must be a whole number from 1 to ${MAXIMUM}.`)
    }
    const { payment, state } = query
    if (state !== undefined && state !== 'pending')
      throw new ApiError(400, 'state must be "pending" or absent.')
    const [organization] = store.organizations.list()
    const paymentId = typeof payment === 'string' ? payment : undefined
    if (paymentId !== undefined && store.payments.get(paymentId) === undefined) {
      throw new ApiError(404, `Payment ${paymentId} does not exist.`)
    }
    const filter = { state: state && 'unfinished', paymentId, limit } as const
    const found = organization && idsOf({ organizationId: organization.id, ...filter })
    const data = (found ?? []).flatMap((id) => {
      const event = store.events.get(id)
      return event === undefined ? [] : [viewOf(event)]
    })
    response.json({ data })
  })

  router.post('/events/:id/resend', ({ params }, response) => {
    const id = params.id
    const event = store.events.get(id)
    if (event !== undefined) {
      return void response.status(202).json({ event_id: id, deliveries: payments.resendEvent(event) })
    }
    try {
      const { eventId } = deliveries.redeliver(id)
      response.status(202).json({ event_id: eventId, deliveries: 1 })
    } catch (error) {
      if (!(error instanceof RedeliveryError)) throw error
      if (error.code === 'endpoint_deleted') throw new ApiError(409, error.message)
      throw new ApiError(404, `No event or delivery has the id ${id}.`)
    }
  })

  return router
}
