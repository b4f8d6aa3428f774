import { newId } from '../ids.ts'
import { type Endpoint, type EndpointMode, EVENT_NAMES, type EventName } from '../model.ts'
import type { EndpointSettings } from '../store/accounts.ts'
import type { Base } from './payments.ts'

/** The fields of a new endpoint. Interface 4.1; `description` is for the dashboard. */
type NewEndpoint = {
  organizationId: string
  url: string
  /** All events when absent. */
  events?: readonly EventName[] | undefined
  mode?: EndpointMode | undefined
  description?: string | null | undefined
}

/** Creates, changes and deletes endpoints. Those that change one return false if it does not exist. */
export function endpointService({ store, clock, feed, deliverer }: Base) {
  /** Runs a change of an endpoint that exists, and publishes it. */
  function change(organizationId: string, id: string, run: () => void): boolean {
    const endpoint = store.endpoints.get(id)
    if (endpoint?.organizationId !== organizationId || endpoint.deletedAt !== null) return false
    run()
    feed.publish({ kind: 'endpoint', id })
    return true
  }

  /** The secret is returned only here. */
  function create({
    organizationId,
    url,
    events = EVENT_NAMES,
    mode = 'live',
    description = null,
  }: NewEndpoint) {
    const endpoint = {
      id: newId('we_'),
      organizationId,
      url,
      secret: newId('whsec_', 32),
      events: [...new Set(events)],
      mode,
      description,
      createdAt: clock.now(),
    }
    store.endpoints.insert(endpoint)
    feed.publish({ kind: 'endpoint', id: endpoint.id })
    return { ...endpoint, isEnabled: true, deletedAt: null }
  }

  /** Stops all deliveries to it and aborts those in flight: from now on there is no secret to sign any. Interface 4.4. */
  function remove(organizationId: string, id: string): boolean {
    const deleted = store.transaction(() => {
      const done = store.endpoints.delete(organizationId, id, clock.now())
      if (done) store.deliveries.cancelOfEndpoint(id, clock.now())
      return done
    })
    if (!deleted) return false
    deliverer.endpointDeleted(id)
    feed.publish({ kind: 'endpoint', id })
    return true
  }

  return {
    create,
    delete: remove,
    /** Changes settings, which the interface has no call for. */
    update: (organizationId: string, id: string, settings: EndpointSettings) =>
      change(organizationId, id, () => store.endpoints.update(id, settings)),
    /**
     * Replaces it with a new endpoint that has the same settings and another secret. Interface 4.4.
     * @returns undefined if it does not exist
     */
    roll: (organizationId: string, id: string): Endpoint | undefined =>
      store.transaction(() => {
        const old = store.endpoints.get(id)
        if (old === undefined || !remove(organizationId, id)) return undefined
        const { url, events, mode, isEnabled, description } = old
        const created = create({ organizationId, url, events, mode, description })
        if (!isEnabled) store.endpoints.update(created.id, { isEnabled })
        return created
      }),
  }
}
