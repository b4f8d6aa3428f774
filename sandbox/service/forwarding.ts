import { Agent } from 'node:https'
import { createSecureContext, rootCertificates } from 'node:tls'
import type { Forward, Forwards } from '../deliveries/routes.ts'
import { isListenerHost, LISTENER_DOMAIN } from '../deliveries/targets.ts'
import { SandboxError } from '../errors.ts'
import { newId } from '../ids.ts'
import { type Delivery, EVENT_NAMES, type EventName, type Organization } from '../model.ts'
import type { Base } from './payments.ts'

/** How a listener forwards. */
export interface ForwardOptions {
  /** Header lines besides those of the service. */
  readonly headers?: Forward['headers']
  /** Certificates in PEM, trusted besides those of public authorities. */
  readonly ca?: string | undefined
  /** Accept any certificate. */
  readonly insecure?: boolean | undefined
  /** Send events of this time that it has not been sent, in milliseconds before now. */
  readonly backfillMs?: number | undefined
}

/** How many of the latest events are looked at for those that a listener missed. */
const MOST_BACKFILLED = 1000

/**
 * Endpoints that are enabled while `hookproof listen` runs: their deliveries go to a local URL. It first disables endpoints that a killed sandbox left enabled, and pauses their
 * deliveries.
 */
export function forwarding({ store, clock, feed }: Pick<Base, 'store' | 'clock' | 'feed'>) {
  // Several may listen with the same URL; the one started last gets the deliveries.
  let open: (Forward & { endpointId: string; end: () => void })[] = []

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

  /** Queues events that an endpoint has not been sent. @returns their number */
  function backfill(endpointId: string, url: string, names: readonly EventName[], ms: number): number {
    const organizationId = store.organizations.first().id
    const now = clock.now()
    return store.transaction(() => {
      const ids = store.events.unsentTo(endpointId, organizationId, {
        since: now - ms,
        names,
        most: MOST_BACKFILLED,
      })
      for (const eventId of ids) {
        const delivery = {
          id: newId('dlv_'),
          eventId,
          organizationId,
          endpointId,
          url,
          cause: 'event',
        } as const
        store.deliveries.insert({ ...delivery, body: null, chaos: null, nextAttemptAt: now, createdAt: now })
      }
      return ids.length
    })
  }

  const forwards: Forwards = (id) => open.findLast(({ endpointId }) => endpointId === id)
  const routeOf = (endpointId: string | null): URL | undefined => forwards(endpointId)?.to

  for (const { id, isEnabled } of store.organizations.list().slice(0, 1).flatMap(own)) {
    if (isEnabled) enable(id, false)
  }

  return {
    /**
     * @returns secret: signs the deliveries, that of the organization, so that a receiver needs only one; missed: how many
     * events occurred since it was stopped in this sandbox, which are not queued for it; backfilled: how many earlier ones are now; end: stops new deliveries
     * @throws SandboxError unless `target` is an http or https URL without a user name or fragment, and `ca` certificates
     */
    start: (target: string, names: readonly EventName[], options: ForwardOptions = {}) => {
      const to = parseTarget(target)
      const { headers = [], backfillMs } = options
      const agent = agentFor(options)
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
      const backfilled = backfillMs === undefined ? 0 : backfill(id, url, names, backfillMs)
      const since = last === undefined ? 0 : store.events.since(organization.id, last, names)
      const missed = Math.max(0, since - backfilled)
      stopped.delete(id)
      enable(id, true)
      const listener = { endpointId: id, to, headers, agent, end }
      function end(): void {
        if (!open.includes(listener)) return
        open = open.filter((other) => other !== listener)
        if (open.some((other) => other.endpointId === id)) return
        stopped.set(id, store.events.last())
        enable(id, false)
      }
      open = [...open, listener]
      return { endpointId: id, secret, missed, backfilled, end }
    },
    /** Where deliveries to such an endpoint go, and how; undefined for all others, and while no listener runs. */
    forwards,
    routeOf,
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

/**
 * Connects to receivers whose certificates Node.js does not trust. It keeps no connection, so none needs to be closed.
 * @throws SandboxError
 */
function agentFor({ ca, insecure }: ForwardOptions): Agent | undefined {
  if (ca === undefined && insecure !== true) return undefined
  try {
    return new Agent({
      ...(ca !== undefined && { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) }),
      ...(insecure === true && { rejectUnauthorized: false }),
    })
  } catch (error) {
    throw new SandboxError('bad_option', '"ca" must be certificates in PEM.', { cause: error })
  }
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
