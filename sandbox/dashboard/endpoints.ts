import { type Request, type Response, Router } from 'express'
import { ApiError } from '../api/errors.ts'
import { requireTarget } from '../api/targets.ts'
import type { Context } from '../context.ts'
import { type EndpointMode, EVENT_NAMES } from '../model.ts'
import { addressNames, field, fields, isIdleListener, problemOf } from '../pages/index.ts'
import { deskOf, type Show } from './desk.ts'
import { choice } from './query.ts'
import { leadTo } from './said.ts'

const MODES = ['test', 'live', 'both'] as const satisfies readonly EndpointMode[]

/** Endpoints: the list, a form that registers one, and how one is switched off or deleted. Interface 2.1. */
export function endpointRoutes(context: Context, show: Show): Router {
  const { store, endpoints, checkTarget } = context
  const nameOf = addressNames(context)
  const router = Router()

  function list(
    request: Request,
    response: Response,
    more: { problem?: string; status?: number } = {},
  ): void {
    const { organization } = deskOf(response)
    const listed = store.endpoints
      .ofOrganization(organization.id)
      .toReversed()
      .map((one) => ({
        ...one,
        url: nameOf({ url: one.url, endpointId: one.id }),
        isIdle: isIdleListener(one),
      }))
    show(response, {
      template: 'endpoints',
      title: 'Endpoints',
      entry: '/endpoints',
      status: more.status ?? 200,
      data: {
        endpoints: listed.filter(({ isIdle }) => !isIdle),
        idle: listed.filter(({ isIdle }) => isIdle),
        choices: { modes: MODES, events: EVENT_NAMES },
        problem: more.problem,
        given: {
          url: field(request, 'url'),
          description: field(request, 'description'),
          mode: field(request, 'mode') || 'test',
          events: more.problem === undefined ? EVENT_NAMES : fields(request, 'events'),
        },
      },
    })
  }

  router.get('/endpoints', (request, response) => list(request, response))

  router.post('/endpoints', (request, response) => {
    const { organization, base } = deskOf(response)
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
    leadTo(response, `${base}/endpoints`, 'endpoint_created')
  })

  router.post('/endpoints/:id/switch', (request, response) => {
    const { organization, base } = deskOf(response)
    const id = request.params['id']
    const isEnabled = field(request, 'is_enabled') === 'true'
    const description = store.endpoints.get(id)?.description ?? null
    if (!endpoints.update(organization.id, id, { isEnabled, description })) throw notFound()
    leadTo(response, `${base}/endpoints`, 'endpoint_changed')
  })

  router.post('/endpoints/:id/delete', ({ params }, response) => {
    const { organization, base } = deskOf(response)
    if (!endpoints.delete(organization.id, params['id'])) throw notFound()
    leadTo(response, `${base}/endpoints`, 'endpoint_deleted')
  })

  return router
}

const notFound = () => new ApiError(404, 'There is no such endpoint: it may have been deleted already.')
