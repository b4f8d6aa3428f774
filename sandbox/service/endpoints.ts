import type { WaitingDeliveries } from '../deliveries/waiting.ts'
import { newId } from '../ids.ts'
import { type Endpoint, type EndpointMode, EVENT_NAMES, type EventName } from '../model.ts'
import type { Base } from './payments.ts'

/** The fields of a new endpoint. Interface 4.1; `description` is for the dashboard. */
interface NewEndpoint {
  organizationId: string
  url: string
  /** All events when absent. */
  events?: readonly EventName[] | undefined
  mode?: EndpointMode | undefined
  description?: string | undefined
}

/** What can be changed of an endpoint. */
interface Settings {
  readonly url: string
  readonly events: readonly EventName[]
  readonly mode: EndpointMode
  readonly description?: string | undefined
}

export interface EndpointService {
  /** The secret is returned only here. */
  create: (endpoint: NewEndpoint) => Endpoint & { secret: string }
  /**
   * Stops all deliveries to it and aborts those in flight: from now on there is no secret to sign any. Interface 4.4.
   * @returns false if it does not exist
   */
  delete: (organizationId: string, id: string) => boolean
  /** @returns false if it does not exist */
  update: (organizationId: string, id: string, change: Pick<Endpoint, 'isEnabled' | 'description'>) => boolean
  /** Changes the settings, which the interface has no call for. @returns false if it does not exist */
  edit: (organizationId: string, id: string, settings: Settings) => boolean
  /**
   * Replaces it with a new endpoint that has the same settings and another secret. Interface 4.4.
   * @returns undefined if it does not exist
   */
  roll: (organizationId: string, id: string) => Endpoint | undefined
}

/** Creates the endpoint service. */
export function endpointService({
  store,
  clock,
  feed,
  deliverer,
  waiting,
}: Base & { waiting: WaitingDeliveries }): EndpointService {
  const exists = (organizationId: string, id: string): boolean => {
    const endpoint = store.endpoints.get(id)
    return endpoint?.organizationId === organizationId && endpoint.deletedAt === null
  }
  const service: EndpointService = {
    create: ({ organizationId, url, events = EVENT_NAMES, mode = 'live', description }) => {
      const endpoint = {
        id: newId('we_'),
        organizationId,
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
    delete: (organizationId, id) => {
      const deleted = store.transaction(() => {
        const done = store.endpoints.delete(organizationId, id, clock.now())
        if (done) waiting.cancel(id)
        return done
      })
      if (!deleted) return false
      deliverer.endpointDeleted(id)
      feed.publish({ kind: 'endpoint', id })
      return true
    },
    update: (organizationId, id, change) => {
      if (!exists(organizationId, id)) return false
      store.endpoints.update(id, change)
      feed.publish({ kind: 'endpoint', id })
      return true
    },
    edit: (organizationId, id, { url, events, mode, description = null }) => {
      if (!exists(organizationId, id)) return false
      store.endpoints.edit(id, { url, events: [...new Set(events)], mode, description })
      feed.publish({ kind: 'endpoint', id })
      return true
    },
    roll: (organizationId, id) =>
      store.transaction(() => {
        const old = store.endpoints.get(id)
        if (old === undefined || !service.delete(organizationId, id)) return undefined
        const { url, events, mode, isEnabled } = old
        const description = old.description ?? undefined
        const created = service.create({ organizationId, url, events, mode, description })
        if (!isEnabled) store.endpoints.update(created.id, { isEnabled, description: old.description })
        return created
      }),
  }
  return service
}
