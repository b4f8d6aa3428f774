import type { Agent } from 'node:https'
import { checkTarget } from './targets.ts'

/** One route of the operator: deliveries to URLs that start with `from` go to `to` instead. */
export interface Route {
  readonly from: URL
  readonly to: URL
}

/** An invalid route; the message names the option `"routes"`, the route and the fix. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
  readonly code = 'BAD_ROUTE'
  /** The options of `createSandbox` that the message names. */
  readonly names = ['routes'] as const
}

/** Returns where deliveries to a URL are really sent; undefined when no route matches. */
export type Routes = (url: URL) => URL | undefined

/** Where deliveries to an endpoint of `hookproof listen` go for the time being, and how. */
export interface Forward {
  readonly to: URL
  /** Header lines of the user. They replace those of the same name, and no record has their values. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Connects to an https URL, where other certificates are accepted than those that Node.js trusts. */
  readonly agent?: Agent | undefined
}

/** Returns where deliveries to a registered endpoint go for the time being; undefined for all others, and for null. */
export type Forwards = (endpointId: string | null) => Forward | undefined

/**
 * Parses a route such as `https://shop.example/=http://localhost:3000/`. Routes are the only way to deliver to a private
 * address (interface 4.8): the operator can add one, a merchant cannot.
 * @throws RouteError unless it is two absolute URLs, the first with https, the second with http or https, without user
 * names, queries and fragments, and the first may be registered as an endpoint
 */
export function parseRoute(text: string): Route {
  // The first URL may contain "=" itself; the scheme after it identifies the separator.
  const [, from = '', to = ''] = /^(https:\/\/.+?)=(https?:\/\/.+)$/i.exec(text) ?? []
  if (!URL.canParse(from) || !URL.canParse(to)) throw bad(text, 'give two absolute URLs separated by =')
  const route = { from: new URL(from), to: new URL(to) }
  for (const { username, password, search, hash } of [route.from, route.to]) {
    if (username + password + search + hash === '') continue
    throw bad(text, 'remove user names, queries and fragments')
  }
  // The API would reject every URL that this route could match.
  if (!checkTarget(route.from.href).ok) {
    throw bad(text, 'the first URL must have a public host name')
  }
  return route
}

/**
 * Creates the route map. A route matches URLs of the same origin whose path starts with the route's path, in whole
 * segments. The longest match wins; the rest of the path and the query are kept. Only the connection goes elsewhere: the
 * body, the signature and the Host header are those of the registered URL. For an https route, TLS checks the
 * certificate against the host of `to`, which is what the operator typed.
 * @throws RouteError if two routes have the same `from`
 */
export function routeMap(routes: readonly Route[]): Routes {
  const longestFirst = routes.toSorted((a, b) => startOf(b.from).length - startOf(a.from).length)
  const starts = longestFirst.map(({ from }) => startOf(from))
  const twice = starts.find((start, index) => start === starts[index + 1])
  if (twice !== undefined) throw bad(twice, 'there are two routes for this URL, remove one')
  return (url) => {
    const route = longestFirst.find(({ from }) =>
      `${url.origin}${url.pathname}/`.startsWith(`${startOf(from)}/`),
    )
    if (route === undefined) return undefined
    const rest = `${url.origin}${url.pathname}`.slice(startOf(route.from).length)
    return new URL(`${startOf(route.to)}${rest}${url.search}`)
  }
}

/** The URL without a trailing slash, so that whole segments are compared. */
const startOf = (url: URL): string => `${url.origin}${url.pathname.replace(/\/$/, '')}`

function bad(route: string, fix: string): RouteError {
  // Passwords must not end up in a log.
  const shown = route.replace(/^.*@/s, '…@')
  return new RouteError(`"routes" ${shown}: ${fix}, such as https://shop.example/=http://localhost:3000/.`)
}
