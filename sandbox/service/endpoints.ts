import { newId } from '../ids.ts'
import { type Endpoint, type EndpointMode, EVENT_NAMES, type EventName } from '../model.ts'
import type { Base } from './payments.ts'

/** What an endpoint is made of. Interface 4.1; `description` is for the dashboard. */
interface NewEndpoint {
  organisationId: string
  url: string
  /** All of them when absent. */
  events?: readonly EventName[] | undefined
  mode?: EndpointMode | undefined
  description?: string | undefined
}

export interface EndpointService {
  /** The one time that the secret is handed out. */
  create: (endpoint: NewEndpoint) => Endpoint & { secret: string }
  /** Nothing goes there from now on, what is in flight is aborted. @returns false if there is none. Interface 4.4 */
  delete: (organisationId: string, id: string) => boolean
  /** @returns false if there is none */
  update: (organisationId: string, id: string, change: Pick<Endpoint, 'isEnabled' | 'description'>) => boolean
}

/** Makes the service on endpoints. */
export function endpointService({ store, clock, feed, deliverer }: Base): EndpointService {
  const isThere = (organisationId: string, id: string): boolean => {
    const endpoint = store.endpoints.get(id)
    return endpoint?.organisationId === organisationId && endpoint.deletedAt === null
  }
  return {
    create: ({ organisationId, url, events = EVENT_NAMES, mode = 'live', description }) => {
      const endpoint = {
        id: newId('we_'),
        organisationId,
        url,
        secret: newId('whsec_', 32),
        events: [...new Set(events)],
        mode,
        description: description ?? null,
        createdAt: clock.now(),
      }
      store.endpoints.insert(endpoint)
      feed.publish({ kind: 'endpoint', id: endpoint.id })
      return { ...endpoint, isEnabled: true, deletedAt: null }
    },
    delete: (organisationId, id) => {
      const deleted = store.transaction(() => {
        const done = store.endpoints.delete(organisationId, id, clock.now())
        if (done) store.deliveries.cancelOfEndpoint(id, clock.now())
        return done
      })
      if (!deleted) return false
      deliverer.endpointDeleted(id)
      feed.publish({ kind: 'endpoint', id })
      return true
    },
    update: (organisationId, id, change) => {
      if (!isThere(organisationId, id)) return false
      store.endpoints.update(id, change)
      feed.publish({ kind: 'endpoint', id })
      return true
    },
  }
}
