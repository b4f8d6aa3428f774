import { newId } from '../ids.ts'
import { type Endpoint, type EndpointMode, EVENT_NAMES, type EventName } from '../model.ts'
import type { Base } from './payments.ts'

/** The fields of a new endpoint. Interface 4.1; `description` is for the dashboard. */
interface NewEndpoint {
  organisationId: string
  url: string
  /** All events when absent. */
  events?: readonly EventName[] | undefined
  mode?: EndpointMode | undefined
  description?: string | undefined
}

export interface EndpointService {
  /** The secret is returned only here. */
  create: (endpoint: NewEndpoint) => Endpoint & { secret: string }
  /** Stops all deliveries to it and aborts those in flight. @returns false if it does not exist. Interface 4.4 */
  delete: (organisationId: string, id: string) => boolean
  /** @returns false if it does not exist */
  update: (organisationId: string, id: string, change: Pick<Endpoint, 'isEnabled' | 'description'>) => boolean
}

/** Creates the endpoint service. */
export function endpointService({ store, clock, feed, deliverer }: Base): EndpointService {
  const exists = (organisationId: string, id: string): boolean => {
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
      if (!exists(organisationId, id)) return false
      store.endpoints.update(id, change)
      feed.publish({ kind: 'endpoint', id })
      return true
    },
  }
}
