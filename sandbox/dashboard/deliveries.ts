import { type Response, Router } from 'express'
import { ApiError } from '../api/errors.ts'
import type { Context } from '../context.ts'
import type { Delivery } from '../model.ts'
import { failedIds } from '../store/queries/events.ts'
import { deskOf } from './desk.ts'
import { editedText } from './edited.ts'
import { wantedOf } from './event-filter.ts'
import { backTo, leadTo } from './said.ts'

/** What a person does to deliveries by hand. */
export function deliveryRoutes({ store, deliveries }: Context): Router {
  const router = Router()
  const failedOf = failedIds(store.database)

  function own(response: Response, id: unknown): Delivery {
    const delivery = store.deliveries.get(String(id))
    if (delivery?.organizationId !== deskOf(response).organization.id) {
      throw new ApiError(404, 'There is no such delivery.')
    }
    return delivery
  }

  router.post('/deliveries/:id/redeliver', (request, response) => {
    const { id, eventId } = own(response, request.params['id'])
    deliveries.redeliver(id)
    leadTo(response, backTo(request, deskOf(response), `/events/${eventId}`), 'redelivered')
  })

  router.post('/deliveries/:id/edited', (request, response) => {
    const { id, eventId } = own(response, request.params['id'])
    deliveries.redeliver(id, Buffer.from(editedText(request)))
    leadTo(response, `${deskOf(response).base}/events/${eventId}`, 'edited')
  })

  router.post('/deliveries/:id/retry', (request, response) => {
    const { id, eventId } = own(response, request.params['id'])
    if (!deliveries.retryNow(id)) throw new ApiError(409, 'The delivery does not wait any more.')
    leadTo(response, backTo(request, deskOf(response), `/events/${eventId}`), 'retried')
  })

  router.post('/deliveries/:id/cancel', (request, response) => {
    const { id, eventId } = own(response, request.params['id'])
    if (!deliveries.cancel(id)) throw new ApiError(409, 'The delivery has ended already.')
    leadTo(response, backTo(request, deskOf(response), `/events/${eventId}`), 'cancelled')
  })

  router.post('/deliveries/redeliver-failed', (request, response) => {
    const desk = deskOf(response)
    const ids = failedOf({ organizationId: desk.organization.id, ...wantedOf(request) })
    store.transaction(() => {
      for (const id of ids) deliveries.redeliver(id)
    })
    leadTo(response, backTo(request, desk, '/events'), 'failed_redelivered', ids.length)
  })

  return router
}
