import { createHash } from 'node:crypto'
import { type Response, Router } from 'express'
import { ApiError } from '../api/errors.ts'
import { requireTarget } from '../api/targets.ts'
import type { Context } from '../context.ts'
import type { Delivery, Event } from '../model.ts'
import { field, problemOf } from '../pages/index.ts'
import { attempts } from '../store/attempts.ts'
import { attemptView } from './attempt-view.ts'
import { curlScript } from './curl.ts'
import { deskOf, type Show } from './desk.ts'
import { editedText } from './edited.ts'
import type { EventView } from './event-view.ts'
import { leadTo } from './said.ts'
import { sendTo } from './send-to.ts'

/** One event: its exact bytes, and everything about its deliveries. */
export function showEvent(context: Context, show: Show, viewOf: (event: Event) => EventView): Router {
  const { store, routeTo, checkTarget } = context
  const tried = attempts(store.database)
  const router = Router()

  /** An event of this organization; any other is not told from one that never was. */
  function own(response: Response, id: unknown): Event {
    const event = store.events.get(String(id))
    if (event?.organizationId !== deskOf(response).organization.id) {
      throw new ApiError(404, 'There is no such event.')
    }
    return event
  }

  function secretOf({ endpointId }: Delivery, ofOrganization: string): string | null {
    return endpointId === null ? ofOrganization : (store.endpoints.get(endpointId)?.secret ?? null)
  }

  /** @param refused a form of this page that could not be sent, to be filled in as it was */
  function page(response: Response, event: Event, refused?: Refused): void {
    const { organization } = deskOf(response)
    const view = viewOf(event)
    const views = new Map(view.deliveries.map((one) => [one.id, one]))
    const deliveries = store.deliveries.ofEvent(event.id).flatMap((delivery) => {
      const shown = views.get(delivery.id)
      if (shown === undefined) return []
      const body = delivery.body ?? event.body
      const to = routeTo(delivery.url)
      const secret = secretOf(delivery, organization.webhookUrlSecret)
      return {
        ...shown,
        createdAt: delivery.createdAt,
        endpointId: delivery.endpointId,
        hasOwnBytes: delivery.body !== null,
        body: textOf(body),
        // The name of a listener says that already.
        routed: shown.url === delivery.url ? to : undefined,
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
      status: refused?.status ?? 200,
      data: {
        event: view,
        refused,
        body: {
          text: textOf(event.body),
          pretty: prettyOf(event.body),
          bytes: event.body.length,
          sha256: createHash('sha256').update(event.body).digest('hex'),
        },
        deliveries: deliveries.toReversed(),
        recipients: newestOfEach(deliveries.toReversed()),
      },
    })
  }

  router.get('/events/:id', ({ params }, response) => page(response, own(response, params['id'])))

  router.post('/events/:id/send', (request, response) => {
    const event = own(response, request.params['id'])
    const url = field(request, 'url')
    const body = editedText(request)
    try {
      requireTarget(checkTarget, 'url', url)
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return page(response, event, { ...problem, url, body })
    }
    sendTo(context, event, { url, body: Buffer.from(body) })
    leadTo(response, `${deskOf(response).base}/events/${event.id}`, 'edited')
  })

  router.get('/events/:id/fixture', ({ params }, response) => {
    const { id, name, body } = own(response, params['id'])
    response.attachment(`${name}-${id}.json`).type('application/json').send(Buffer.from(body))
  })

  return router
}

/** What was typed into a form that could not be sent, and why it could not. */
interface Refused {
  readonly status: number
  readonly message: string
  readonly url: string
  readonly body: string
}

/** One delivery for each recipient that something can be sent to; newest first, as they come. */
function newestOfEach<One extends Recipient>(deliveries: readonly One[]): One[] {
  const open = deliveries.filter(({ canEdit }) => canEdit)
  return open.filter(
    ({ url, endpointId }, index) =>
      open.findIndex((one) => one.url === url && one.endpointId === endpointId) === index,
  )
}

type Recipient = Pick<EventView['deliveries'][number], 'url' | 'canEdit'> & Pick<Delivery, 'endpointId'>

/** For reading only: what is sent are the bytes. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function prettyOf(bytes: Uint8Array): string {
  return JSON.stringify(JSON.parse(textOf(bytes)), null, 2)
}
