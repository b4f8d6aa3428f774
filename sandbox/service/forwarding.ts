import type { Forwards } from '../deliveries/routes.ts'
import { isListenerHost, LISTENER_DOMAIN } from '../deliveries/targets.ts'
import { SandboxError } from '../errors.ts'
import { newId } from '../ids.ts'
import { type Delivery, EVENT_NAMES, type EventName, type Organization } from '../model.ts'
import type { Base } from './payments.ts'

/**
 * Endpoints that are enabled while `hookproof listen` runs: their deliveries go to a local URL. It first disables endpoints that a killed sandbox left enabled, and pauses their
 * deliveries.
 */
export function forwarding({ store, clock, feed }: Pick<Base, 'store' | 'clock' | 'feed'>) {
  // Several may listen with the same URL; the one started last gets the deliveries.
  let open: { endpointId: string; to: URL; skipVerify: boolean; end: () => void }[] = []

  /** The last event before each listener was stopped. */
  const stopped = new Map<string, number>()

  /** An organization's listeners. A file of an earlier version may have endpoints of these names that were registered: they have a secret. */
  const own = ({ id, webhookUrlSecret }: Organization) =>
    store.endpoints
      .ofOrganization(id)
      .filter(({ url, secret }) => secret === webhookUrlSecret && isListenerHost(new URL(url).hostname))

  function enable(id: string, isEnabled: boolean): void {
    const endpoint = store.endpoints.get(id)
    // It may have been deleted, or the sandbox reset, in the meantime.
    if (endpoint === undefined || endpoint.deletedAt !== null) return
    store.transaction(() => {
      store.endpoints.update(id, { isEnabled })
      if (isEnabled) store.deliveries.resumeOfEndpoint(id, clock.now())
      else store.deliveries.pauseOfEndpoint(id)
    })
    feed.publish({ kind: 'endpoint', id })
  }

  const listenerOf = (id: string | null) => open.findLast(({ endpointId }) => endpointId === id)
  const routeOf: Forwards = (endpointId) => listenerOf(endpointId)?.to

  for (const { id, isEnabled } of store.organizations.list().slice(0, 1).flatMap(own)) {
    if (isEnabled) enable(id, false)
  }

  return {
    /**
     * @param skipVerify accept any certificate
     * @returns secret: signs the deliveries, that of the organization, so that a receiver needs only one; missed: how many
     * events occurred since it was stopped in this sandbox, which were not queued for it; end: stops new deliveries
     * @throws SandboxError unless `target` is an http or https URL without a user name or fragment
     */
    start: (target: string, names: readonly EventName[], skipVerify = false) => {
      const to = parseTarget(target)
      const url = urlFor(to, names)
      const organization = store.organizations.first()
      const secret = organization.webhookUrlSecret
      // Reused, so that deliveries queued while the listener was gone still arrive.
      const id = own(organization).find((known) => known.url === url)?.id ?? newId('we_')
      if (store.endpoints.get(id) === undefined) {
        const description = `hookproof listen, to ${to.href}`
        const endpoint = { id, organizationId: organization.id, url, secret, events: [...names] }
        store.endpoints.insert({ ...endpoint, mode: 'both', description, createdAt: clock.now() })
      }
      const last = stopped.get(id)
      const missed = last === undefined ? 0 : store.events.since(organization.id, last, names)
      stopped.delete(id)
      enable(id, true)
      const listener = { endpointId: id, to, skipVerify, end }
      function end(): void {
        if (!open.includes(listener)) return
        open = open.filter((other) => other !== listener)
        if (open.some((other) => other.endpointId === id)) return
        stopped.set(id, store.events.last())
        enable(id, false)
      }
      open = [...open, listener]
      return { endpointId: id, secret, missed, end }
    },
    /** Where deliveries to such an endpoint go; undefined for all others, and while no listener runs. */
    routeOf,
    /** Whether any certificate is accepted where deliveries to an endpoint go. */
    skipsVerify: (endpointId: string | null) => listenerOf(endpointId)?.skipVerify === true,
    /** Whether a delivery goes to a listener that is not running; it is paused. */
    isAway: ({ endpointId, url }: Pick<Delivery, 'endpointId' | 'url'>) =>
      isListenerHost(new URL(url).hostname) &&
      routeOf(endpointId) === undefined &&
      own(store.organizations.first()).some(({ id }) => id === endpointId),
    /** Ends all listeners, before the store is closed. */
    stop: () => {
      for (const { end } of open) end()
    },
  }
}

function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '') {
    return url
  }
  throw new SandboxError(
    'bad_option',
    'the URL to forward to must be an http or https URL without a user name or fragment, such as http://localhost:3000/webhooks.',
  )
}

/** A public URL that stands for a local URL and a selection of events. */
function urlFor({ hostname, port, protocol, pathname, search }: URL, events: readonly EventName[]): string {
  // A hyphen is doubled, so that `a-b` and `a.b` differ.
  const host = hostname.replaceAll('-', '--').replaceAll(/[^a-z0-9-]/g, '-')
  const place = `${host}-${port || protocol.slice(0, -1)}`.replaceAll(/^-+/g, '')
  const selected = events.map((name) => name.replace('payment.', '')).toSorted()
  const filter = events.length === EVENT_NAMES.length ? '' : `${selected.join('-')}.`
  return new URL(`https://${filter}${place}.${LISTENER_DOMAIN}${pathname}${search}`).href
}
