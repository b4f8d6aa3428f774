import { type Response, Router } from 'express'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import { type Endpoint, EVENT_NAMES } from '../../model.ts'
import { addressNames, field, isListener, problemOf } from '../../pages/index.ts'
import { endpointCounts, endpointDeliveries, endpointHistory } from '../../store/queries/endpoint-history.ts'
import { sendVariant } from '../catalog/send.ts'
import { VARIANTS, variantOf } from '../catalog/variants.ts'
import { DELIVERY_STATES, storeState } from '../shared/event-filter.ts'
import { eventViews } from '../shared/event-view.ts'
import { redirectTo } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { choice } from '../shared/query.ts'
import type { Show } from '../shared/screen.ts'
import { axisTop, barsOf, countAxisTop, reasonsOf, summaryOf } from './chart.ts'
import { givenIn, MODES, readEndpoint } from './form.ts'

const PAGE_SIZE = 25

/** The screen of one endpoint: its deliveries and health, and forms that change it. */
export function endpointPageRoutes(context: Context, show: Show): Router {
  const { store, endpoints, checkTarget } = context
  const historyOf = endpointHistory(store.database)
  const deliveriesOf = endpointDeliveries(store.database)
  const countsOf = endpointCounts(store.database)
  const nameOf = addressNames(context)
  const viewOf = eventViews(context)
  const router = Router()

  /** An endpoint of this organization. An endpoint of another one looks as if it did not exist. */
  function find(response: Response, id: unknown): Endpoint {
    const endpoint = store.endpoints.get(String(id))
    if (endpoint?.organizationId !== scopeOf(response).organization.id || endpoint.deletedAt !== null) {
      throw new ApiError(404, 'There is no endpoint with this id. It may have been deleted already.')
    }
    return endpoint
  }

  /** @param rejected a form of this page that was rejected; its fields keep their values */
  function page(
    response: Response,
    endpoint: Endpoint,
    rejected?: { message: string; status: number; given: ReturnType<typeof givenIn> },
  ): void {
    const { base } = scopeOf(response)
    const { id, url, mode, events, description } = endpoint
    const attempts = historyOf(id)
    const { query } = response.req
    const number = Math.max(1, Math.floor(Number(query['page']) || 1))
    const state = choice(query['state'], DELIVERY_STATES)
    const found = deliveriesOf(id, {
      state: storeState(state),
      limit: PAGE_SIZE + 1,
      offset: (number - 1) * PAGE_SIZE,
    })
    const filter = state === undefined ? '' : `state=${state}&`
    const linkTo = (other: number) => `${base}/endpoints/${id}?${filter}page=${other}#deliveries`
    const { cancelled: canceled, ...counts } = countsOf(id)
    show(response, {
      template: 'endpoints/endpoint-page',
      title: nameOf({ url, endpointId: id }),
      entry: '/endpoints',
      status: rejected?.status ?? 200,
      data: {
        endpoint,
        url: nameOf({ url, endpointId: id }),
        isListener: isListener(url),
        summary: summaryOf(attempts),
        bars: barsOf(attempts),
        axisTop,
        countAxisTop,
        reasons: reasonsOf(attempts),
        state,
        counts: Object.entries({ ...counts, canceled }),
        failedCount: counts.failed + counts.failing,
        deliveries: found.slice(0, PAGE_SIZE).flatMap(listed),
        newer: number > 1 ? linkTo(number - 1) : undefined,
        older: found.length > PAGE_SIZE ? linkTo(number + 1) : undefined,
        variants: VARIANTS,
        choices: { modes: MODES, events: EVENT_NAMES },
        problem: rejected?.message,
        given: rejected?.given ?? { url, mode, events, description: description ?? '' },
      },
    })
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
    const endpoint = find(response, request.params['id'])
    const { base, organization } = scopeOf(response)
    if (isListener(endpoint.url)) throw new ApiError(409, 'hookproof listen sets this endpoint itself.')
    try {
      const { mode = endpoint.mode, ...settings } = readEndpoint(request, checkTarget)
      endpoints.edit(organization.id, endpoint.id, { ...settings, mode })
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return page(response, endpoint, { ...problem, given: givenIn(request) })
    }
    redirectTo(response, `${base}/endpoints/${endpoint.id}`, 'endpoint_changed')
  })

  router.post('/endpoints/:id/roll', (request, response) => {
    const endpoint = find(response, request.params['id'])
    const { base, organization } = scopeOf(response)
    if (isListener(endpoint.url)) throw new ApiError(409, 'hookproof listen sets this endpoint itself.')
    const created = endpoints.roll(organization.id, endpoint.id)
    redirectTo(response, `${base}/endpoints/${created?.id ?? endpoint.id}`, 'secret_rolled')
  })

  router.post('/endpoints/:id/test', (request, response) => {
    const { id, mode } = find(response, request.params['id'])
    const { base, organization } = scopeOf(response)
    const variant = variantOf(field(request, 'variant'))
    if (variant === undefined) throw new ApiError(400, 'Choose the event to send.')
    const { url } = find(response, id)
    sendVariant(context, variant, {
      organizationId: organization.id,
      mode: mode === 'live' ? 'live' : 'test',
      to: { url, endpointId: id },
    })
    redirectTo(response, `${base}/endpoints/${id}`, 'test_sent')
  })

  return router
}
