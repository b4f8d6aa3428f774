import { type RequestHandler, Router } from 'express'
import type { EndpointCreateRequest } from '../../schemas/types.ts'
import type { Context } from '../compose.ts'
import { ApiError } from '../errors.ts'
import { ignoredBody, jsonBody } from '../http/bodies.ts'
import { knownMethodsOnly, STRICT } from '../http/routing.ts'
import { type Endpoint, EVENT_NAMES, type EventName } from '../model.ts'
import { keyOf, logCalls, requireKey } from './calls.ts'
import { targetFirst } from './inputs.ts'
import { openApiDocument, prepareOpenApi } from './openapi.ts'
import { paymentRoutes } from './payments.ts'
import { endpointView, errorResponses, newEndpointView, respond } from './responses.ts'

const METHODS_OF: Readonly<Record<string, readonly string[]>> = {
  '/webhooks': ['GET', 'HEAD', 'POST'],
  '/webhooks/:id': ['GET', 'HEAD', 'DELETE'],
  '/payments': ['GET', 'HEAD', 'POST'],
  '/payments/:id': ['GET', 'HEAD'],
  '/payments/:id/resend-webhook': ['POST'],
  '/openapi.json': ['GET', 'HEAD'],
}

/**
 * The API of interface 4, to mount under /v1 (interface 9).
 * @param onFailure receives internal errors, which no request should be able to cause
 */
export function apiRoutes(context: Context, onFailure: (error: unknown) => void): Router {
  prepareOpenApi()
  const router = Router(STRICT)
  router.use(logCalls(context, onFailure))
  if (context.botProtection) router.use(botProtection)
  router.use(requireEncodedPath)
  router.use(knownMethodsOnly(METHODS_OF))
  router.get('/openapi.json', (request, response) => {
    response.json(openApiDocument(context.origin(request.get('Host'))))
  })
  webhookRoutes(router, context)
  paymentRoutes(router, context)

  router.use(() => {
    throw new ApiError(404, 'Not found.')
  })
  router.use(errorResponses(onFailure))
  return router
}

/** Express decodes only the parameters of a path that it knows, and would answer 404 to the others. */
const requireEncodedPath: RequestHandler = ({ path }, _response, next) => {
  try {
    decodeURIComponent(path)
  } catch {
    throw new ApiError(400, 'The path is not correctly encoded.')
  }
  next()
}

/** The calls on endpoints. Interface 4.1 to 4.4. */
function webhookRoutes(router: Router, { endpoints, keys, store, notice }: Context): void {
  function own(organizationId: string, id: string): Endpoint {
    const endpoint = store.endpoints.get(id)
    // Another organization's endpoint gets the same response as one that does not exist.
    if (endpoint?.organizationId !== organizationId || endpoint.deletedAt !== null) throw notFound()
    return endpoint
  }

  router.post(
    '/webhooks',
    requireKey(keys, 'webhooks:write'),
    ...jsonBody('api/endpoint-create-request', targetFirst('url')),
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

const notFound = () => new ApiError(404, 'Webhook endpoint not found')

const AUTOMATED =
  /^(curl|wget|python|aiohttp|httpx|go-http-client|java|okhttp|apache-httpclient|node|undici|axios|got|ruby|faraday|guzzlehttp|php|perl|libwww|postmanruntime|insomnia)\b/i

const PAGE = `<!doctype html>
<html lang="en">
<title>Access denied</title>
<h1>Error 1010</h1>
<p>The owner of this service has banned your access based on the signature of your client.</p>
<p>Set an explicit User-Agent that names your application.</p>
</html>
`

/** Acts like the edge network in front of the service: blocks a User-Agent that is missing or looks automated. Interface 5.2. */
const botProtection: RequestHandler = (request, response, next) => {
  const agent = request.get('User-Agent')?.trim() ?? ''
  if (agent !== '' && !AUTOMATED.test(agent)) return next()
  response.status(403).type('html').send(PAGE)
}
