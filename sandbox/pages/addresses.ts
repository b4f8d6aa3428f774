import type { Context } from '../compose.ts'
import { isListenerHost } from '../deliveries/targets.ts'
import type { Endpoint, Organization } from '../model.ts'

/** The path of an organization's dashboard, without a trailing slash. */
export const dashboardPath = (organization: Pick<Organization, 'name'>): string =>
  `/dashboard/${slugOf(organization)}`

/** Whether an endpoint belongs to a `hookproof listen` that is not running. It is kept for its queued deliveries. */
export const isIdleListener = ({ url, isEnabled }: Pick<Endpoint, 'url' | 'isEnabled'>): boolean =>
  isListener(url) && !isEnabled

/** Whether a URL is that of a `hookproof listen`. */
export const isListener = (url: string): boolean => URL.canParse(url) && isListenerHost(new URL(url).hostname)

/**
 * Returns a function that makes a recipient's URL readable: an endpoint of `hookproof listen` has a made-up host name,
 * so the URL that it forwards to is shown. Any other URL is returned unchanged.
 */
export function addressNames({ store, forwards }: Pick<Context, 'store' | 'forwards'>) {
  return ({ url, endpointId }: { url: string; endpointId: string | null }): string => {
    if (endpointId === null || !isListener(url)) return url
    // The endpoint's description still has the URL after the listener has stopped.
    const lastKnown = /https?:\S+/.exec(store.endpoints.get(endpointId)?.description ?? '')?.[0]
    return `${forwards.routeOf(endpointId)?.href ?? lastKnown ?? url} (hookproof listen)`
  }
}

/** The name of an organization in URLs: `Tea House` is `tea-house`. It survives a restart of the sandbox; ids need not. */
export const slugOf = ({ name }: Pick<Organization, 'name'>): string =>
  name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
