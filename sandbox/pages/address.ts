import type { Context } from '../context.ts'
import type { Endpoint, Organization } from '../model.ts'

/** What the names of the endpoints of `hookproof listen` end with; service/forwarding.ts makes them. */
const LISTENER = '.listen.example'

/** What stands for an organization in addresses: stays the same when the sandbox is started anew. */
export const slugOf = ({ name }: Pick<Organization, 'name'>): string =>
  name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Where the dashboard of an organization begins. */
export const deskPath = (organization: Pick<Organization, 'name'>): string =>
  `/dashboard/${slugOf(organization)}`

/** Whether an endpoint is that of a `hookproof listen` that does not run; it is kept for what is still queued for it. */
export const isIdleListener = ({ url, isEnabled }: Pick<Endpoint, 'url' | 'isEnabled'>): boolean =>
  isListener(url) && !isEnabled

const isListener = (url: string): boolean => URL.canParse(url) && new URL(url).hostname.endsWith(LISTENER)

/**
 * Makes the function that names an address for people: that of a `hookproof listen` by where it really goes, which the
 * name made up for it does not say; any other as it is.
 */
export function addressNames({ store, forwards }: Pick<Context, 'store' | 'forwards'>) {
  return ({ url, endpointId }: { url: string; endpointId: string | null }): string => {
    if (endpointId === null || !isListener(url)) return url
    // When nobody listens, the endpoint's description still says it.
    const kept = /https?:\S+/.exec(store.endpoints.get(endpointId)?.description ?? '')?.[0]
    return `${forwards.routeOf(new URL(url))?.href ?? kept ?? url} (hookproof listen)`
  }
}
