import { Router } from 'express'
import { requireTarget } from '../../api/targets.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import { EVENT_NAMES, type EventName } from '../../model.ts'
import { addressNames, field, isIdleListener, problemOf } from '../../pages/index.ts'
import { redirectTo } from '../shared/flash-message.ts'
import { jsonMarkup } from '../shared/json-markup.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { choice } from '../shared/query.ts'
import type { Show } from '../shared/screen.ts'
import { fieldsOf, meaningOf } from './fields.ts'
import { sampleOf, sendVariant } from './send.ts'
import { VARIANTS, variantOf } from './variants.ts'

/** The event catalog: each event with its fields and variants, and a form that sends one. */
export function catalogRoutes(context: Context, show: Show): Router {
  const { store, checkTarget } = context
  const nameOf = addressNames(context)
  const router = Router()

  router.get('/catalog', (_request, response) => {
    show(response, {
      template: 'catalog/catalog',
      title: 'Event catalog',
      entry: '/catalog',
      data: {
        entries: EVENT_NAMES.map((name) => ({
          name,
          meaning: meaningOf(name),
          variants: VARIANTS.filter(({ event }) => event === name),
        })),
      },
    })
  })

  function page(
    response: Parameters<Show>[0],
    name: EventName,
    rejected?: { message: string; status: number; variant: string; url: string },
  ): void {
    const { organization } = scopeOf(response)
    const now = context.clock.now()
    const endpoints = store.endpoints.ofOrganization(organization.id)
    show(response, {
      template: 'catalog/event',
      title: name,
      entry: '/catalog',
      status: rejected?.status ?? 200,
      data: {
        name,
        meaning: meaningOf(name),
        fields: fieldsOf(name),
        variants: VARIANTS.filter(({ event }) => event === name).map((variant) => ({
          ...variant,
          sample: jsonMarkup(Buffer.from(JSON.stringify(sampleOf(variant, now)))),
        })),
        endpoints: endpoints
          .filter((endpoint) => !isIdleListener(endpoint))
          .map(({ id, url }) => ({ id, url: nameOf({ url, endpointId: id }) })),
        rejected,
      },
    })
  }

  router.get('/catalog/:name', ({ params }, response) => page(response, eventIn(params['name'])))

  router.post('/catalog/:name/send', (request, response) => {
    const { organization, base } = scopeOf(response)
    const name = eventIn(request.params['name'])
    const variant = variantOf(field(request, 'variant'))
    if (variant?.event !== name) throw new ApiError(400, 'Choose the variant to send.')
    const endpointId = field(request, 'endpoint')
    let url = field(request, 'url')
    const endpoint = store.endpoints.ofOrganization(organization.id).find(({ id }) => id === endpointId)
    try {
      if (endpoint === undefined) url = requireTarget(checkTarget, null, url)
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return page(response, name, { ...problem, variant: variant.id, url })
    }
    const { id } = sendVariant(context, variant, {
      organizationId: organization.id,
      mode: endpoint?.mode === 'live' ? 'live' : 'test',
      to: endpoint === undefined ? { url, endpointId: null } : { url: endpoint.url, endpointId: endpoint.id },
    })
    redirectTo(response, `${base}/events/${id}`, 'test_sent')
  })

  return router
}

function eventIn(given: unknown): EventName {
  const name = choice(given, EVENT_NAMES)
  if (name === undefined) throw new ApiError(404, 'The service has no event with this name.')
  return name
}
