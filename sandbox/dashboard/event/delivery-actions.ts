import { type Response, Router } from 'express'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import type { Delivery } from '../../model.ts'
import { type MessageName, redirectTo, returnPath } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { editedBody } from './edited-body.ts'

/** The actions on deliveries: resend, send edited, retry now, cancel. */
export function deliveryRoutes({ store, deliveries }: Context): Router {
  const router = Router()

  /** Runs an action on a delivery of this organization, then returns to the page of its form. */
  function action(name: string, message: MessageName, run: (delivery: Delivery) => void): void {
    router.post(`/deliveries/:id/${name}`, (request, response) => {
      const delivery = find(response, request.params['id'])
      run(delivery)
      redirectTo(response, returnPath(request, scopeOf(response), `/events/${delivery.eventId}`), message)
    })
  }

  function find(response: Response, id: unknown): Delivery {
    const delivery = store.deliveries.get(String(id))
    if (delivery?.organizationId !== scopeOf(response).organization.id) {
      throw new ApiError(404, 'There is no delivery with this id.')
    }
    return delivery
  }

  action('resend', 'resent', ({ id }) => void deliveries.redeliver(id))
  action('retry', 'retried', ({ id }) => {
    if (!deliveries.retryNow(id)) throw new ApiError(409, 'The delivery is no longer pending.')
  })
  action('cancel', 'canceled', ({ id }) => {
    if (!deliveries.cancel(id)) throw new ApiError(409, 'The delivery has already ended.')
  })

  router.post('/deliveries/:id/send-edited', (request, response) => {
    const { id, eventId } = find(response, request.params['id'])
    deliveries.redeliver(id, Buffer.from(editedBody(request)))
    redirectTo(response, `${scopeOf(response).base}/events/${eventId}`, 'edited_sent')
  })

  return router
}
