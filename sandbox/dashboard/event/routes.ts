import { createHash } from 'node:crypto'
import type { Request, Response, Router } from 'express'
import { shellQuoted } from '../../../fixtures/shell.ts'
import { requireTarget } from '../../api/inputs.ts'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field, fields } from '../../http/bodies.ts'
import { newId } from '../../ids.ts'
import type { Attempt, Delivery, Event } from '../../model.ts'
import { type Problem, rejectionOf } from '../../pages/errors.ts'
import { jsonMarkup, textOf } from '../shared/json.ts'
import { type MessageName, ownOf, redirectTo, returnPath, type Show, scopeOf } from '../shared/screen.ts'
import { type Badge, type EventView, eventViews } from '../shared/views.ts'
import { refusalView } from './refusal.ts'

/** The screen of one event: its exact bytes, its deliveries, and forms that resend, retry, cancel and send an edited body. */
export function eventRoutes(router: Router, context: Context, show: Show): void {
  const { store, deliveries, routeTo } = context
  const viewOf = eventViews(context)

  const find = (response: Response, id: unknown): Event =>
    ownOf(response, store.events.get(String(id)), 'event')

  /** The deliveries with their bytes and attempts, newest first. */
  function detailed(event: Event, { deliveries }: EventView, organizationSecret: string) {
    return deliveries.toReversed().map(({ delivery, ...view }) => {
      const { id, createdAt, endpointId } = delivery
      const body = delivery.body ?? event.body
      const target = routeTo(delivery)
      const secret = endpointId === null ? organizationSecret : store.endpoints.get(endpointId)?.secret
      const attempts = store.deliveries.attempts(id)
      const attemptViews = attempts
        .map((attempt) =>
          attemptView(attempt, { body, isOnPurpose: attempt.number <= delivery.faultyAttempts }),
        )
        .toReversed()
      const last = attempts.at(-1)
      return {
        ...view,
        createdAt,
        endpointId,
        isEdited: delivery.body !== null,
        body: textOf(body),
        // The readable URL of a listener is its target already.
        routedTo: view.url === delivery.url ? target : undefined,
        curl: secret == null ? undefined : curlScript(target ?? delivery.url, body, secret),
        attemptViews,
        refused:
          last !== undefined && secret != null && attemptViews[0]?.isRefusal === true
            ? { delivery: { id, url: view.url }, attempt: last, body, secret }
            : undefined,
      }
    })
  }

  /**
   * @param rejected a form of this page that was rejected; its fields keep their values
   * @param hashed a form with what a receiver hashed
   */
  async function page(
    response: Response,
    event: Event,
    { rejected, hashed }: { rejected?: Problem & { url: string; body: string }; hashed?: Request } = {},
  ): Promise<void> {
    const { organization } = scopeOf(response)
    const view = viewOf(event)
    const shown = detailed(event, view, organization.webhookUrlSecret)
    show(response.status(rejected?.status ?? 200), 'event/event', event.name, {
      event: view,
      rejected,
      body: {
        text: textOf(event.body),
        formatted: jsonMarkup(event.body),
        bytes: event.body.length,
        sha256: createHash('sha256').update(event.body).digest('hex'),
      },
      deliveries: shown,
      refusal: await refusalView(
        shown.flatMap(({ refused }) => refused ?? []),
        hashed,
      ),
      recipients: newestPerRecipient(shown),
    })
  }

  /**
   * Sends a body as a delivery of an event to a URL that is not one of its recipients. Like a delivery to a webhook_url, it
   * is signed with the organization's secret. The caller has checked the URL; it is checked again when it is sent.
   */
  function sendTo({ id: eventId, organizationId }: Event, url: string, body: Uint8Array): void {
    const [id, now] = [newId('dlv_'), context.clock.now()]
    const made = { id, eventId, organizationId, endpointId: null, url, cause: 'edited', body } as const
    store.deliveries.insert({ ...made, chaos: null, nextAttemptAt: now, createdAt: now })
    deliveries.wake()
  }

  // The second is where a form goes, whose page is loaded again when it changes.
  router.get(['/events/:id', '/events/:id/refused'], ({ params }, response) =>
    page(response, find(response, params['id'])),
  )

  router.post('/events/:id/refused', (request, response) =>
    page(response, find(response, request.params['id']), { hashed: request }),
  )

  router.post('/events/:id/send', (request, response) => {
    const event = find(response, request.params['id'])
    let url = field(request, 'url')
    const body = editedBody(request)
    const rejected = rejectionOf(() => (url = requireTarget(null, url)))
    if (rejected !== undefined) return page(response, event, { rejected: { ...rejected, url, body } })
    sendTo(event, url, Buffer.from(body))
    return redirectTo(response, `${scopeOf(response).base}/events/${event.id}`, 'edited_sent')
  })

  router.get('/events/:id/fixture', ({ params }, response) => {
    const { id, name, body } = find(response, params['id'])
    response.attachment(`${name}-${id}.json`).type('application/json').send(Buffer.from(body))
  })

  /** Runs an action on a delivery of this organization, then returns to the page of its form. */
  function action(name: string, message: MessageName, run: (delivery: Delivery) => void): void {
    router.post(`/deliveries/:id/${name}`, (request, response) => {
      const delivery = findDelivery(response, request.params['id'])
      run(delivery)
      redirectTo(response, returnPath(request, scopeOf(response), `/events/${delivery.eventId}`), message)
    })
  }

  const findDelivery = (response: Response, id: unknown): Delivery =>
    ownOf(response, store.deliveries.get(String(id)), 'delivery')

  action('resend', 'resent', ({ id }) => void deliveries.redeliver(id))
  action('retry', 'retried', ({ id }) => {
    if (!deliveries.retryNow(id)) throw new ApiError(409, 'The delivery is no longer pending.')
  })
  action('cancel', 'canceled', ({ id }) => {
    if (!deliveries.cancel(id)) throw new ApiError(409, 'The delivery has already ended.')
  })

  router.post('/deliveries/:id/send-edited', (request, response) => {
    const { id, eventId } = findDelivery(response, request.params['id'])
    deliveries.redeliver(id, Buffer.from(editedBody(request)))
    redirectTo(response, `${scopeOf(response).base}/events/${eventId}`, 'edited_sent')
  })
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

/** The body that a person edited. Browsers send a line break in a form as CR LF; it was typed as LF. */
function editedBody(request: Pick<Request, 'body'>): string {
  const [given = ''] = fields(request, 'body')
  return given.replaceAll('\r\n', '\n')
}

/** An attempt as the screen of its event shows it. @param body the bytes that were sent */
function attemptView(attempt: Attempt, { body, isOnPurpose }: { body: Uint8Array; isOnPurpose: boolean }) {
  const { number, startedAt, durationMs, status, error, detail } = attempt
  const { requestHeaders, responseHeaders, responseBody } = attempt
  const wasSent = Object.keys(requestHeaders).length > 0
  const t = /(?:^|,)t=(\d+)/.exec(requestHeaders['X-Service-Signature'] ?? '')?.[1]
  return {
    number,
    at: startedAt,
    badge: badgeOf(status, error, isOnPurpose),
    // As to a wrong signature.
    isRefusal: !isOnPurpose && (status === 400 || status === 401),
    isOnPurpose,
    durationMs,
    detail: detail ?? undefined,
    requestHeaders: wasSent ? headerLines(requestHeaders) : undefined,
    // Interface 5.3 rule 3.
    signedPayload: t === undefined ? undefined : `${t}.${textOf(body)}`,
    response:
      responseHeaders === null
        ? undefined
        : {
            headers: headerLines(responseHeaders),
            body: textOf(responseBody ?? new Uint8Array()),
            bytes: responseBody?.length ?? 0,
          },
  }
}

/** A fault that was asked for has an outcome, but is no failure; an acceptance of it is one. */
function badgeOf(status: number | null, error: string | null, isOnPurpose: boolean): Badge {
  if (isOnPurpose) {
    const isAccepted = status !== null && status >= 200 && status < 300
    return { text: String(status ?? 'dropped'), tone: isAccepted ? 'error' : 'neutral' }
  }
  if (status === null) {
    return { text: error ?? 'no response', tone: error === 'aborted' ? 'neutral' : 'error' }
  }
  if (status === 200) return { text: '200', tone: 'success' }
  return { text: String(status), tone: status > 200 && status < 300 ? 'warning' : 'error' }
}

const headerLines = (headers: Record<string, string | string[]>): string =>
  Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n')

/**
 * A shell script that sends a delivery as the service does. It signs when it runs, since a copied signature is stale
 * after five minutes (interface 5.3 rule 4). It needs openssl and curl.
 * @param body the exact bytes, in UTF-8
 */
function curlScript(url: string, body: Uint8Array, secret: string): string {
  return [
    `body=${shellQuoted([textOf(body)])}`,
    't=$(date +%s)',
    `v1=$(printf '%s.%s' "$t" "$body" | openssl dgst -sha256 -hmac ${shellQuoted([secret])} -r | cut -d ' ' -f 1)`,
    `printf '%s' "$body" | curl -i ${shellQuoted([url])} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "X-Service-Signature: t=$t,v1=$v1" \\`,
    '  --data-binary @-',
  ].join('\n')
}
