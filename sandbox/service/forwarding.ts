import { SandboxError } from '../errors.ts'
import { newId } from '../ids.ts'
import { EVENT_NAMES, type EventName } from '../model.ts'
import type { Base } from './payments.ts'

/** What a listener is: an endpoint of its own, whose deliveries go to an address of this machine while it listens. */
interface Forward {
  readonly endpointId: string
  /** Signs the deliveries: that of the organisation, so that a receiver needs to know no other. */
  readonly secret: string
  /** Nothing new goes there from now on. */
  readonly end: () => void
}

/** Endpoints that are there for as long as someone listens: `hookproof listen`. */
export interface Forwarding {
  /** @throws SandboxError unless `to` is an http or https address, without a user name and a fragment */
  begin: (to: string, events: readonly EventName[]) => Forward
  /** Where the deliveries to such an endpoint go; undefined for all other addresses, and while nobody listens. */
  routeOf: (url: URL) => URL | undefined
  /** Ends them all, before the store is closed. */
  stop: () => void
}

/** What the names of such endpoints end with. RFC 2606: nobody ever owns them. */
const DOMAIN = '.listen.example'

/** Makes the keeper of these endpoints. What a sandbox that was killed has left enabled it turns off. */
export function forwarding({ store, clock, feed }: Pick<Base, 'store' | 'clock' | 'feed'>): Forwarding {
  // More than one may listen for the same; what comes goes to the last that began.
  let open: { readonly url: string; readonly to: URL; readonly end: () => void }[] = []

  const own = () =>
    store.organisations
      .list()
      .flatMap(({ id }) => store.endpoints.ofOrganisation(id))
      .filter(({ url }) => new URL(url).hostname.endsWith(DOMAIN))

  function enable(id: string, isEnabled: boolean): void {
    const endpoint = store.endpoints.get(id)
    // It may have been deleted, or everything forgotten, while someone listened.
    if (endpoint === undefined || endpoint.deletedAt !== null) return
    store.endpoints.update(id, { isEnabled, description: endpoint.description })
    feed.publish({ kind: 'endpoint', id })
  }

  for (const { id, isEnabled } of own()) if (isEnabled) enable(id, false)

  return {
    begin: (given, events) => {
      const to = targetOf(given)
      const url = urlFor(to, events)
      const [organisation] = store.organisations.list()
      if (organisation === undefined) throw new Error('a sandbox begins with an organisation')
      const secret = organisation.webhookUrlSecret
      // The same one each time, so that what was queued when the listener broke off still finds its way.
      const id = own().find((one) => one.url === url)?.id ?? newId('we_')
      if (store.endpoints.get(id) === undefined) {
        const description = `hookproof listen, to ${to.href}`
        const endpoint = { id, organisationId: organisation.id, url, secret, events: [...events] }
        store.endpoints.insert({ ...endpoint, mode: 'both', description, createdAt: clock.now() })
      }
      enable(id, true)
      const listener = { url, to, end }
      function end(): void {
        if (!open.includes(listener)) return
        open = open.filter((one) => one !== listener)
        if (open.every((one) => one.url !== url)) enable(id, false)
      }
      open = [...open, listener]
      return { endpointId: id, secret, end }
    },
    routeOf: (url) => open.findLast((one) => one.url === url.href)?.to,
    stop: () => {
      for (const { end } of open) end()
    },
  }
}

function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '') {
    return url
  }
  throw new SandboxError(
    'bad_option',
    'the address to forward to must be an http or https one, without a user name and a fragment, such as http://localhost:3000/webhooks.',
  )
}

/** The public name that stands for an address of this machine and a choice of events. */
function urlFor({ hostname, port, protocol, pathname, search }: URL, events: readonly EventName[]): string {
  const host = hostname.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const place = `${host}-${port || protocol.slice(0, -1)}`.replaceAll(/^-+/g, '')
  const chosen = events.map((name) => name.replace('payment.', '')).toSorted()
  const choice = events.length === EVENT_NAMES.length ? '' : `${chosen.join('-')}.`
  return new URL(`https://${choice}${place}${DOMAIN}${pathname}${search}`).href
}
