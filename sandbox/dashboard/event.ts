import { createHash } from 'node:crypto'
import { type Response, Router } from 'express'
import { ApiError } from '../api/errors.ts'
import type { Context } from '../context.ts'
import type { Delivery, Event } from '../model.ts'
import { attempts } from '../store/attempts.ts'
import { attemptView } from './attempt-view.ts'
import { curlScript } from './curl.ts'
import { deskOf, type Show } from './desk.ts'
import type { EventView } from './event-view.ts'

/** One event: its exact bytes, and everything about its deliveries. */
export function showEvent(context: Context, show: Show, viewOf: (event: Event) => EventView): Router {
  const { store, routeTo } = context
  const tried = attempts(store.database)
  const router = Router()

  /** An event of this organisation; any other is not told from one that never was. */
  function own(response: Response, id: unknown): Event {
    const event = store.events.get(String(id))
    if (event?.organisationId !== deskOf(response).organisation.id) {
      throw new ApiError(404, 'There is no such event.')
    }
    return event
  }

  function secretOf({ endpointId }: Delivery, ofOrganisation: string): string | null {
    return endpointId === null ? ofOrganisation : (store.endpoints.get(endpointId)?.secret ?? null)
  }

  router.get('/events/:id', ({ params }, response) => {
    const event = own(response, params['id'])
    const { organisation } = deskOf(response)
    const view = viewOf(event)
    const deliveries = store.deliveries.ofEvent(event.id).map((delivery, index) => {
      const body = delivery.body ?? event.body
      const to = routeTo(delivery.url)
      const secret = secretOf(delivery, organisation.webhookUrlSecret)
      return {
        ...view.deliveries[index],
        createdAt: delivery.createdAt,
        endpointId: delivery.endpointId,
        hasOwnBytes: delivery.body !== null,
        body: textOf(body),
        routed: to,
        curl: secret === null ? undefined : curlScript({ url: to ?? delivery.url, body, secret }),
        tries: tried
          .ofDelivery(delivery.id)
          .map((attempt) => attemptView(attempt, body))
          .toReversed(),
      }
    })
    show(response, {
      template: 'event',
      title: event.name,
      entry: '/events',
      data: {
        event: view,
        body: {
          text: textOf(event.body),
          pretty: prettyOf(event.body),
          bytes: event.body.length,
          sha256: createHash('sha256').update(event.body).digest('hex'),
        },
        deliveries: deliveries.toReversed(),
      },
    })
  })

  router.get('/events/:id/fixture', ({ params }, response) => {
    const { id, name, body } = own(response, params['id'])
    response.attachment(`${name}-${id}.json`).type('application/json').send(Buffer.from(body))
  })

  return router
}

/** For reading only: what is sent are the bytes. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function prettyOf(bytes: Uint8Array): string {
  return JSON.stringify(JSON.parse(textOf(bytes)), null, 2)
}
