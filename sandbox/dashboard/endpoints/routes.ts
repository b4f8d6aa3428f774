import { type Request, type Response, Router } from 'express'
import { requireTarget } from '../../api/targets.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import { type EndpointMode, EVENT_NAMES } from '../../model.ts'
import { addressNames, field, fields, isIdleListener, problemOf } from '../../pages/index.ts'
import { redirectTo } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { choice } from '../shared/query.ts'
import type { Show } from '../shared/screen.ts'

const MODES = ['test', 'live', 'both'] as const satisfies readonly EndpointMode[]

/** The Endpoints screen: the list, and forms that create, enable, disable and delete an endpoint. Interface 2.1. */
export function endpointRoutes(context: Context, show: Show): Router {
  const { store, endpoints, checkTarget } = context
  const nameOf = addressNames(context)
  const router = Router()

  function list(
    request: Request,
    response: Response,
    { problem, status = 200 }: { problem?: string; status?: number } = {},
  ): void {
    const { organization } = scopeOf(response)
    const listed = store.endpoints
      .ofOrganization(organization.id)
      .toReversed()
      .map((endpoint) => ({
        ...endpoint,
        url: nameOf({ url: endpoint.url, endpointId: endpoint.id }),
        isIdle: isIdleListener(endpoint),
      }))
    show(response, {
      template: 'endpoints/endpoints',
      title: 'Endpoints',
      entry: '/endpoints',
      status,
      data: {
        endpoints: listed.filter(({ isIdle }) => !isIdle),
        idle: listed.filter(({ isIdle }) => isIdle),
        choices: { modes: MODES, events: EVENT_NAMES },
        problem,
        given: {
          url: field(request, 'url'),
          description: field(request, 'description'),
          mode: field(request, 'mode') || 'test',
          events: problem === undefined ? EVENT_NAMES : fields(request, 'events'),
        },
      },
    })
  }

  router.get('/endpoints', (request, response) => list(request, response))

  router.post('/endpoints', (request, response) => {
    const { organization, base } = scopeOf(response)
    const url = field(request, 'url')
    const chosen = fields(request, 'events')
    const events = EVENT_NAMES.filter((name) => chosen.includes(name))
    try {
      requireTarget(checkTarget, 'url', url)
      if (events.length === 0) throw new ApiError(400, 'Choose at least one event.')
      endpoints.create({
        organizationId: organization.id,
        url,
        events,
        mode: choice(field(request, 'mode'), MODES),
        description: field(request, 'description') || undefined,
      })
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return list(request, response, { problem: problem.message, status: problem.status })
    }
    redirectTo(response, `${base}/endpoints`, 'endpoint_created')
  })

  router.post('/endpoints/:id/toggle', (request, response) => {
    const { organization, base } = scopeOf(response)
    const id = request.params['id']
    const isEnabled = field(request, 'is_enabled') === 'true'
    const description = store.endpoints.get(id)?.description ?? null
    if (!endpoints.update(organization.id, id, { isEnabled, description })) throw notFound()
    redirectTo(response, `${base}/endpoints`, isEnabled ? 'endpoint_enabled' : 'endpoint_disabled')
  })

  router.post('/endpoints/:id/delete', ({ params }, response) => {
    const { organization, base } = scopeOf(response)
    if (!endpoints.delete(organization.id, params['id'])) throw notFound()
    redirectTo(response, `${base}/endpoints`, 'endpoint_deleted')
  })

  return router
}

const notFound = () =>
  new ApiError(404, 'There is no endpoint with this id. It may have been deleted already.')
