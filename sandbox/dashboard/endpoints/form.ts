import type { Request } from 'express'
import { requireTarget } from '../../api/targets.ts'
import { ApiError } from '../../http/api-error.ts'
import { type EndpointMode, EVENT_NAMES, type EventName } from '../../model.ts'
import { field, fields } from '../../pages/index.ts'
import type { CheckTarget } from '../../ports.ts'
import { choice } from '../shared/query.ts'

/** The modes in the order of the form. */
export const MODES = ['test', 'live', 'both'] as const satisfies readonly EndpointMode[]

/** The settings of an endpoint, from its form. */
interface Settings {
  readonly url: string
  readonly events: readonly EventName[]
  readonly mode: EndpointMode | undefined
  readonly description: string | undefined
}

/**
 * Reads the form that creates or changes an endpoint.
 * @throws ApiError with one sentence about the first invalid field
 */
export function readEndpoint(request: Pick<Request, 'body'>, checkTarget: CheckTarget): Settings {
  const url = requireTarget(checkTarget, null, field(request, 'url'))
  const chosen = fields(request, 'events')
  const events = EVENT_NAMES.filter((name) => chosen.includes(name))
  if (events.length === 0) throw new ApiError(400, 'Choose at least one event.')
  const mode = choice(field(request, 'mode'), MODES)
  return { url, events, mode, description: field(request, 'description') || undefined }
}

/** The fields as they were sent, to show them again. */
export const givenIn = (request: Pick<Request, 'body'>) => ({
  url: field(request, 'url'),
  description: field(request, 'description'),
  mode: field(request, 'mode') || 'test',
  events: fields(request, 'events'),
})
