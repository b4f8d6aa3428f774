import type { Router } from 'express'
import schema from '../../../schemas/event.strict.json' with { type: 'json' }
import { requireTarget } from '../../api/inputs.ts'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field } from '../../http/bodies.ts'
import { EVENT_NAMES, type EventName } from '../../model.ts'
import { addressNames, isIdleListener } from '../../pages/addresses.ts'
import { type Problem, rejectionOf } from '../../pages/errors.ts'
import { choice } from '../shared/filters.ts'
import { jsonMarkup } from '../shared/json.ts'
import { redirectTo, type Show, scopeOf } from '../shared/screen.ts'
import { sampleOf, sendVariant, VARIANTS, variantOf } from './variants.ts'

/** The event catalog: each event with its fields and variants, and a form that sends one. */
export function catalogRoutes(router: Router, context: Context, show: Show): void {
  const { store } = context
  const nameOf = addressNames(context)

  router.get('/catalog', (_request, response) => {
    show(response, 'catalog/catalog', 'Event catalog', {
      entries: EVENT_NAMES.map((name) => ({
        name,
        meaning: meaningOf(name),
        variants: VARIANTS.filter(({ event }) => event === name),
      })),
    })
  })

  function page(
    response: Parameters<Show>[0],
    name: EventName,
    rejected?: Problem & { variant: string; url: string },
  ): void {
    const { organization } = scopeOf(response)
    const now = context.clock.now()
    const endpoints = store.endpoints.ofOrganization(organization.id)
    show(response.status(rejected?.status ?? 200), 'catalog/event', name, {
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
    const problem = rejectionOf(() => {
      if (endpoint === undefined) url = requireTarget(null, url)
    })
    if (problem !== undefined) return page(response, name, { ...problem, variant: variant.id, url })
    const to = endpoint === undefined ? { url, endpointId: null } : { url: endpoint.url, endpointId }
    const mode = endpoint?.mode === 'live' ? 'live' : 'test'
    const { id } = sendVariant(context, variant, { organizationId: organization.id, mode, to })
    redirectTo(response, `${base}/events/${id}`, 'test_sent')
  })
}

function eventIn(given: unknown): EventName {
  const name = choice(given, EVENT_NAMES)
  if (name === undefined) throw new ApiError(404, 'The service has no event with this name.')
  return name
}

interface Definition {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Definition>>
}

const definitions = schema.$defs as unknown as Readonly<Record<string, Definition>>

const branchOf = (event: EventName): Definition | undefined =>
  Object.values(definitions).find(({ properties }) => properties?.['event']?.const === event)

/** What an event means, in the words of its schema. */
const meaningOf = (event: EventName): string => branchOf(event)?.description ?? ''

/** The fields of an event in the order in which the service sends them: their types, or the values that they can have. */
function fieldsOf(event: EventName) {
  const { properties = {}, required = [] } = branchOf(event) ?? {}
  return Object.entries(properties).map(([name, given]) => {
    const referred = definitions[given.$ref?.split('/').at(-1) ?? ''] ?? {}
    const definition = { ...referred, ...given }
    return {
      name,
      isAlways: required.includes(name),
      type: typeOf(definition),
      meaning: definition.description ?? '',
    }
  })
}

function typeOf({ type, enum: values, const: value }: Definition): string {
  if (value !== undefined) return JSON.stringify(value)
  if (values !== undefined) return values.map((one) => JSON.stringify(one)).join(', ')
  return [type ?? 'any'].flat().join(' or ')
}
