import { createHash } from 'node:crypto'
import { type Response, Router } from 'express'
import { requireTarget } from '../../api/targets.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import type { Delivery, Event } from '../../model.ts'
import { field, problemOf } from '../../pages/index.ts'
import { attempts } from '../../store/attempts.ts'
import { type EventView, eventViews } from '../shared/event-view.ts'
import { redirectTo } from '../shared/flash-message.ts'
import { jsonMarkup } from '../shared/json-markup.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import type { Show } from '../shared/screen.ts'
import { attemptView } from './attempt-view.ts'
import { curlScript } from './curl.ts'
import { editedBody } from './edited-body.ts'
import { sendTo } from './send-to.ts'

/** The screen of one event: its exact bytes, its deliveries, and forms that send an edited body. */
export function eventRoutes(context: Context, show: Show): Router {
  const { store, routeTo, checkTarget } = context
  const viewOf = eventViews(context)
  const ended = attempts(store.database)
  const router = Router()

  /** An event of this organization. An event of another one looks as if it did not exist. */
  function find(response: Response, id: unknown): Event {
    const event = store.events.get(String(id))
    if (event?.organizationId !== scopeOf(response).organization.id) {
      throw new ApiError(404, 'There is no event with this id.')
    }
    return event
  }

  function secretOf({ endpointId }: Delivery, organizationSecret: string): string | null {
    return endpointId === null ? organizationSecret : (store.endpoints.get(endpointId)?.secret ?? null)
  }

  /** The deliveries with their bytes and attempts, oldest first. */
  function detailed(event: Event, view: EventView, organizationSecret: string) {
    const views = new Map(view.deliveries.map((delivery) => [delivery.id, delivery]))
    return store.deliveries.ofEvent(event.id).flatMap((delivery) => {
      const summary = views.get(delivery.id)
      if (summary === undefined) return []
      const body = delivery.body ?? event.body
      const target = routeTo(delivery)
      const secret = secretOf(delivery, organizationSecret)
      return {
        ...summary,
        createdAt: delivery.createdAt,
        endpointId: delivery.endpointId,
        isEdited: delivery.body !== null,
        body: textOf(body),
        // The readable URL of a listener is its target already.
        routedTo: summary.url === delivery.url ? target : undefined,
        curl: secret === null ? undefined : curlScript({ url: target ?? delivery.url, body, secret }),
        attemptViews: ended
          .ofDelivery(delivery.id)
          .map((attempt) => attemptView(attempt, body))
          .toReversed(),
      }
    })
  }

  /** @param rejected a form of this page that was rejected; its fields keep their values */
  function page(response: Response, event: Event, rejected?: RejectedForm): void {
    const { organization } = scopeOf(response)
    const view = viewOf(event)
    const deliveries = detailed(event, view, organization.webhookUrlSecret).toReversed()
    show(response, {
      template: 'event/event',
      title: event.name,
      entry: '/events',
      status: rejected?.status ?? 200,
      data: {
        event: view,
        rejected,
        body: {
          text: textOf(event.body),
          formatted: jsonMarkup(event.body),
          bytes: event.body.length,
          sha256: createHash('sha256').update(event.body).digest('hex'),
        },
        deliveries,
        recipients: newestPerRecipient(deliveries),
      },
    })
  }

  router.get('/events/:id', ({ params }, response) => page(response, find(response, params['id'])))

  router.post('/events/:id/send', (request, response) => {
    const event = find(response, request.params['id'])
    let url = field(request, 'url')
    const body = editedBody(request)
    try {
      url = requireTarget(checkTarget, null, url)
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return page(response, event, { ...problem, url, body })
    }
    sendTo(context, event, { url, body: Buffer.from(body) })
    redirectTo(response, `${scopeOf(response).base}/events/${event.id}`, 'edited_sent')
  })

  router.get('/events/:id/fixture', ({ params }, response) => {
    const { id, name, body } = find(response, params['id'])
    response.attachment(`${name}-${id}.json`).type('application/json').send(Buffer.from(body))
  })

  return router
}

/** The input of a rejected form, and the reason. */
interface RejectedForm {
  readonly status: number
  readonly message: string
  readonly url: string
  readonly body: string
}

type Recipient = Pick<EventView['deliveries'][number], 'url' | 'canEdit'> & Pick<Delivery, 'endpointId'>

/** The newest delivery of each recipient that can still be sent to. @param deliveries newest first */
function newestPerRecipient<D extends Recipient>(deliveries: readonly D[]): D[] {
  const editable = deliveries.filter(({ canEdit }) => canEdit)
  return editable.filter(
    ({ url, endpointId }, index) =>
      editable.findIndex((other) => other.url === url && other.endpointId === endpointId) === index,
  )
}

/** For display only: deliveries send the bytes. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
