import type { Request, Response, Router } from 'express'
import { requireTarget } from '../../api/inputs.ts'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field, fields } from '../../http/bodies.ts'
import { type Endpoint, type EndpointMode, EVENT_NAMES } from '../../model.ts'
import { addressNames, isIdleListener, isListener } from '../../pages/addresses.ts'
import { type Problem, rejectionOf } from '../../pages/errors.ts'
import { endpointCounts, endpointDeliveries, endpointHistory, recipients } from '../../store/health.ts'
import { sendVariant, VARIANTS, variantOf } from '../catalog/variants.ts'
import { choice, DELIVERY_STATES } from '../shared/filters.ts'
import { redirectTo, returnPath, type Show, scopeOf } from '../shared/screen.ts'
import { eventViews, healthOf } from '../shared/views.ts'
import { axisTop, barsOf, reasonsOf, summaryOf } from './chart.ts'

const PAGE_SIZE = 25

/** The Endpoints screens: the list and each endpoint, and forms that create, change, enable, disable and delete one. Interface 2.1. */
export function endpointRoutes(router: Router, context: Context, show: Show): void {
  const { store, endpoints } = context
  const nameOf = addressNames(context)
  const viewOf = eventViews(context)
  const recipientsOf = recipients(store.database)

  function list(
    request: Request,
    response: Response,
    { message: problem, status = 200 }: Partial<Problem> = {},
  ): void {
    const { organization } = scopeOf(response)
    const given = givenIn(request)
    const own = store.endpoints.ofOrganization(organization.id)
    const health = healthOf(recipientsOf(organization.id), own)
    const listed = own.toReversed().map((endpoint) => ({
      ...endpoint,
      url: nameOf({ url: endpoint.url, endpointId: endpoint.id }),
      isIdle: isIdleListener(endpoint),
      // An endpoint whose URL was changed is listed with each; the latest is first.
      health: health.find(({ endpointId }) => endpointId === endpoint.id),
    }))
    show(response.status(status), 'endpoints/endpoints', 'Endpoints', {
      endpoints: listed.filter(({ isIdle }) => !isIdle),
      idle: listed.filter(({ isIdle }) => isIdle),
      choices: { modes: MODES, events: EVENT_NAMES },
      problem,
      given: { ...given, events: problem === undefined ? EVENT_NAMES : given.events },
    })
  }

  router.get('/endpoints', (request, response) => list(request, response))

  router.post('/endpoints', (request, response) => {
    const { organization, base } = scopeOf(response)
    const rejected = rejectionOf(
      () => void endpoints.create({ ...readEndpoint(request), organizationId: organization.id }),
    )
    if (rejected !== undefined) return list(request, response, rejected)
    redirectTo(response, `${base}/endpoints`, 'endpoint_created')
  })

  router.post('/endpoints/:id/toggle', (request, response) => {
    const scope = scopeOf(response)
    const { organization } = scope
    const id = request.params['id']
    const isEnabled = field(request, 'is_enabled') === 'true'
    if (!endpoints.update(organization.id, id, { isEnabled })) throw notFound()
    const back = returnPath(request, scope, '/endpoints')
    redirectTo(response, back, isEnabled ? 'endpoint_enabled' : 'endpoint_disabled')
  })

  router.post('/endpoints/:id/delete', ({ params }, response) => {
    const { organization, base } = scopeOf(response)
    if (!endpoints.delete(organization.id, params['id'])) throw notFound()
    redirectTo(response, `${base}/endpoints`, 'endpoint_deleted')
  })

  // The screen of one endpoint: its deliveries and health, and forms that change it.

  /** An endpoint of this organization. An endpoint of another one looks as if it did not exist. */
  function find(response: Response, id: unknown): Endpoint {
    const endpoint = store.endpoints.get(String(id))
    if (endpoint?.organizationId !== scopeOf(response).organization.id || endpoint.deletedAt !== null) {
      throw notFound()
    }
    return endpoint
  }

  function findChangeable(response: Response, id: unknown): Endpoint {
    const endpoint = find(response, id)
    if (isListener(endpoint.url)) throw new ApiError(409, 'hookproof listen sets this endpoint itself.')
    return endpoint
  }

  /** @param rejected a form of this page that was rejected; its fields keep their values */
  function page(
    response: Response,
    endpoint: Endpoint,
    rejected?: Problem & { given: ReturnType<typeof givenIn> },
  ): void {
    const { base } = scopeOf(response)
    const { id, url, mode, events, description } = endpoint
    const all = endpointHistory(store.database, id)
    const attempts = all.filter(({ onPurpose }) => onPurpose === 0)
    const { query } = response.req
    const number = Math.max(1, Math.floor(Number(query['page']) || 1))
    const state = choice(query['state'], DELIVERY_STATES)
    const found = endpointDeliveries(store.database, id, {
      state,
      limit: PAGE_SIZE + 1,
      offset: (number - 1) * PAGE_SIZE,
    })
    const filter = state === undefined ? '' : `state=${state}&`
    const linkTo = (other: number) => `${base}/endpoints/${id}?${filter}page=${other}#deliveries`
    const counts = endpointCounts(store.database, id)
    show(
      response.status(rejected?.status ?? 200),
      'endpoints/endpoint-page',
      nameOf({ url, endpointId: id }),
      {
        endpoint,
        url: nameOf({ url, endpointId: id }),
        isListener: isListener(url),
        onPurpose: all.length - attempts.length,
        summary: summaryOf(attempts),
        bars: barsOf(attempts),
        axisTop,
        reasons: reasonsOf(attempts),
        state,
        counts: Object.entries(counts),
        failedCount: counts.failed + counts.failing,
        deliveries: found.slice(0, PAGE_SIZE).flatMap(listed),
        newer: number > 1 ? linkTo(number - 1) : undefined,
        older: found.length > PAGE_SIZE ? linkTo(number + 1) : undefined,
        variants: VARIANTS,
        choices: { modes: MODES, events: EVENT_NAMES },
        problem: rejected?.message,
        given: rejected?.given ?? { url, mode, events, description: description ?? '' },
      },
    )
  }

  function listed(id: string) {
    const event = store.events.get(store.deliveries.get(id)?.eventId ?? '')
    if (event === undefined) return []
    const view = viewOf(event)
    const delivery = view.deliveries.find((other) => other.id === id)
    return delivery === undefined ? [] : [{ event: view, delivery }]
  }

  router.get('/endpoints/:id', ({ params }, response) => page(response, find(response, params['id'])))

  router.post('/endpoints/:id/edit', (request, response) => {
    const endpoint = findChangeable(response, request.params['id'])
    const { base, organization } = scopeOf(response)
    const rejected = rejectionOf(() => {
      const { mode = endpoint.mode, ...settings } = readEndpoint(request)
      endpoints.update(organization.id, endpoint.id, { ...settings, mode })
    })
    if (rejected !== undefined) return page(response, endpoint, { ...rejected, given: givenIn(request) })
    redirectTo(response, `${base}/endpoints/${endpoint.id}`, 'endpoint_changed')
  })

  router.post('/endpoints/:id/roll', (request, response) => {
    const endpoint = findChangeable(response, request.params['id'])
    const { base, organization } = scopeOf(response)
    const created = endpoints.roll(organization.id, endpoint.id)
    redirectTo(response, `${base}/endpoints/${created?.id ?? endpoint.id}`, 'secret_rolled')
  })

  router.post('/endpoints/:id/test', (request, response) => {
    const { id, mode, url } = find(response, request.params['id'])
    const { base, organization } = scopeOf(response)
    const variant = variantOf(field(request, 'variant'))
    if (variant === undefined) throw new ApiError(400, 'Choose the event to send.')
    const to = { organizationId: organization.id, to: { url, endpointId: id } }
    sendVariant(context, variant, { ...to, mode: mode === 'live' ? 'live' : 'test' })
    redirectTo(response, `${base}/endpoints/${id}`, 'test_sent')
  })
}

const notFound = () =>
  new ApiError(404, 'There is no endpoint with this id. It may have been deleted already.')

/** The modes in the order of the form. */
const MODES = ['test', 'live', 'both'] as const satisfies readonly EndpointMode[]

/**
 * Reads the form that creates or changes an endpoint.
 * @throws ApiError with one sentence about the first invalid field
 */
function readEndpoint(request: Pick<Request, 'body'>) {
  const url = requireTarget(null, field(request, 'url'))
  const chosen = fields(request, 'events')
  const events = EVENT_NAMES.filter((name) => chosen.includes(name))
  if (events.length === 0) throw new ApiError(400, 'Choose at least one event.')
  const mode = choice(field(request, 'mode'), MODES)
  return { url, events, mode, description: field(request, 'description') || null }
}

/** The fields as they were sent, to show them again. */
const givenIn = (request: Pick<Request, 'body'>) => ({
  url: field(request, 'url'),
  description: field(request, 'description'),
  mode: field(request, 'mode') || 'test',
  events: fields(request, 'events'),
})
