import { Router } from 'express'
import type { EndpointCreateRequest } from '../../schemas/types.ts'
import type { Context } from '../context.ts'
import { STRICT } from '../http/strict.ts'
import { type Endpoint, EVENT_NAMES, type EventName } from '../model.ts'
import { keyOf, requireKey } from './auth.ts'
import { ignoredBody, jsonBody } from './body.ts'
import { ApiError } from './errors.ts'
import { respond } from './respond.ts'
import { targetFirst } from './targets.ts'
import { endpointView, newEndpointView } from './views.ts'

/** The calls on endpoints. Interface 4.1 to 4.4. */
export function webhookRoutes({ endpoints, keys, store, checkTarget, notice }: Context): Router {
  const router = Router(STRICT)

  function own(organizationId: string, id: string): Endpoint {
    const endpoint = store.endpoints.get(id)
    // Another organization's endpoint gets the same response as one that does not exist.
    if (endpoint?.organizationId !== organizationId || endpoint.deletedAt !== null) throw notFound()
    return endpoint
  }

  router.post(
    '/webhooks',
    requireKey(keys, 'webhooks:write'),
    ...jsonBody('api/endpoint-create-request', targetFirst(checkTarget, 'url')),
    (request, response) => {
      const { url, events, mode }: EndpointCreateRequest = request.body
      const { organizationId, mode: made } = keyOf(response)
      const endpoint = endpoints.create({ organizationId, url, events: knownEvents(events), mode })
      if (made === 'test' && endpoint.mode === 'live') {
        response.set('X-Sandbox-Hint', HINT)
        notice(`${endpoint.id}: ${HINT}`)
      }
      respond(response, 201, 'api/endpoint-create-response', newEndpointView(endpoint))
    },
  )

  router.get('/webhooks', requireKey(keys, 'webhooks:read'), (_request, response) => {
    const data = store.endpoints.ofOrganization(keyOf(response).organizationId).map(endpointView)
    respond(response, 200, 'api/endpoint-list', { data })
  })

  router.get('/webhooks/:id', requireKey(keys, 'webhooks:read'), ({ params }, response) => {
    respond(
      response,
      200,
      'api/endpoint',
      endpointView(own(keyOf(response).organizationId, String(params['id']))),
    )
  })

  router.delete(
    '/webhooks/:id',
    requireKey(keys, 'webhooks:write'),
    ...ignoredBody,
    ({ params }, response) => {
      if (!endpoints.delete(keyOf(response).organizationId, String(params['id']))) throw notFound()
      response.status(204).end()
    },
  )

  return router
}

/** The filter of interface 2.1. Unknown names are rejected, since a misspelled name would never match. */
function knownEvents(events: readonly string[] | undefined): EventName[] | undefined {
  if (events === undefined) return undefined
  const known = events.filter((name): name is EventName => (EVENT_NAMES as readonly string[]).includes(name))
  if (known.length === events.length) return known
  throw new ApiError(400, `events contains an unknown name. The events are ${EVENT_NAMES.join(', ')}.`)
}

/** Interface 2.3: the default surprises those who only have test payments. */
const HINT =
  'A test key registered an endpoint for live payments only (the default mode). For test payments, add "mode": "test" or "both".'

/** The message of interface 4.3. */
const notFound = () => new ApiError(404, 'Webhook endpoint not found')
