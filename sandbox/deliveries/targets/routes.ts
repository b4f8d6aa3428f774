import { checkTarget } from './targets.ts'

/** One entry of the operator's route map: what begins with `from` is sent to `to` instead. */
export interface Route {
  readonly from: URL
  readonly to: URL
}

/** A route that can not be used; the message names it and says how to mend that. */
export class RouteError extends Error {
  override readonly name = 'RouteError'
  readonly code = 'BAD_ROUTE'
}

/** Finds where a URL is really sent; undefined when no route covers it. */
export type Routes = (url: URL) => URL | undefined

/**
 * Reads a value of `--route`, such as `https://shop.example/=http://localhost:3000/`: the only way for a delivery to
 * get to a private address (interface 4.8), which the operator opens and a merchant can not.
 * @throws RouteError unless it is two absolute addresses, the first of https, the second of http or https, without
 * user names, queries and fragments, and the first is one that may be registered
 */
export function parseRoute(text: string): Route {
  // The first address may itself hold a "=", the scheme after it tells which one separates.
  const [, from = '', to = ''] = /^(https:\/\/.+?)=(https?:\/\/.+)$/i.exec(text) ?? []
  if (!URL.canParse(from) || !URL.canParse(to))
    throw bad(text, 'give two absolute addresses with = between them')
  const route = { from: new URL(from), to: new URL(to) }
  for (const { username, password, search, hash } of [route.from, route.to]) {
    if (username + password + search + hash === '') continue
    throw bad(text, 'leave out user names, queries and fragments')
  }
  // The API would refuse whatever it could be for.
  if (!checkTarget(route.from.href).ok) {
    throw bad(text, 'the first address can never be registered, take one with a public name')
  }
  return route
}

/**
 * Makes the route map. A route covers a URL of the same origin whose path begins with its own, at a whole segment; the
 * longest wins, and the rest of the path and the query are kept. Only the connection goes elsewhere: the body, the
 * signature and the header `Host` stay those of the registered URL. With an https route the certificate is checked for
 * the name in the route's own address, since that is what the operator typed.
 * @throws RouteError when two routes begin alike
 */
export function routeMap(routes: readonly Route[]): Routes {
  const longestFirst = routes.toSorted((a, b) => startOf(b.from).length - startOf(a.from).length)
  const starts = longestFirst.map(({ from }) => startOf(from))
  const twice = starts.find((start, index) => start === starts[index + 1])
  if (twice !== undefined) throw bad(twice, 'there are two routes for it; keep one')
  return (url) => {
    const route = longestFirst.find(({ from }) =>
      `${url.origin}${url.pathname}/`.startsWith(`${startOf(from)}/`),
    )
    if (route === undefined) return undefined
    const rest = `${url.origin}${url.pathname}`.slice(startOf(route.from).length)
    return new URL(`${startOf(route.to)}${rest}${url.search}`)
  }
}

/** The address without the slash at its end, so that whole segments are compared. */
const startOf = (url: URL): string => `${url.origin}${url.pathname.replace(/\/$/, '')}`

function bad(what: string, mend: string): RouteError {
  // A password does not belong into a log.
  const shown = what.replaceAll(/\/\/[^/@]*@/g, '//…@')
  return new RouteError(`--route ${shown}: ${mend}, such as https://shop.example/=http://localhost:3000/.`)
}
