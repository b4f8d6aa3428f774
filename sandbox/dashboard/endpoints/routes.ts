import { type Request, type Response, Router } from 'express'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import { EVENT_NAMES } from '../../model.ts'
import { addressNames, field, isIdleListener, problemOf } from '../../pages/index.ts'
import { recipients } from '../../store/queries/recipients.ts'
import { redirectTo, returnPath } from '../shared/flash-message.ts'
import { healthOf } from '../shared/health.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import type { Show } from '../shared/screen.ts'
import { givenIn, MODES, readEndpoint } from './form.ts'
import { endpointPageRoutes } from './page.ts'

/** The Endpoints screen: the list, and forms that create, enable, disable and delete an endpoint. Interface 2.1. */
export function endpointRoutes(context: Context, show: Show): Router {
  const { store, endpoints, checkTarget } = context
  const nameOf = addressNames(context)
  const recipientsOf = recipients(store.database)
  const router = Router()

  function list(
    request: Request,
    response: Response,
    { problem, status = 200 }: { problem?: string; status?: number } = {},
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
        given: { ...given, events: problem === undefined ? EVENT_NAMES : given.events },
      },
    })
  }

  router.use(endpointPageRoutes(context, show))

  router.get('/endpoints', (request, response) => list(request, response))

  router.post('/endpoints', (request, response) => {
    const { organization, base } = scopeOf(response)
    try {
      endpoints.create({ ...readEndpoint(request, checkTarget), organizationId: organization.id })
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return list(request, response, { problem: problem.message, status: problem.status })
    }
    redirectTo(response, `${base}/endpoints`, 'endpoint_created')
  })

  router.post('/endpoints/:id/toggle', (request, response) => {
    const scope = scopeOf(response)
    const { organization } = scope
    const id = request.params['id']
    const isEnabled = field(request, 'is_enabled') === 'true'
    const description = store.endpoints.get(id)?.description ?? null
    if (!endpoints.update(organization.id, id, { isEnabled, description })) throw notFound()
    const back = returnPath(request, scope, '/endpoints')
    redirectTo(response, back, isEnabled ? 'endpoint_enabled' : 'endpoint_disabled')
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
