import type { RequestHandler } from 'express'
import { ApiError } from '../http/api-error.ts'
import type { OriginOf } from '../http/origin.ts'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Admits only the browser of the person who started the sandbox, since the pages have no passwords. The Host header must
 * name a loopback address or the sandbox's own host, which stops DNS rebinding. On a write, the Origin header must match
 * the Host, which stops forms and scripts of other sites in the same browser. Programs send no Origin and are admitted.
 * @param origin returns the sandbox's origin for a Host header; by default only loopback hosts are admitted
 */
export function ownPagesOnly(origin: OriginOf = () => ''): RequestHandler {
  return (request, _response, next) => {
    const host = request.get('Host') ?? ''
    const name = hostnameOf(`http://${host}`)
    if (name === undefined || !(LOOPBACK.includes(name) || name === hostnameOf(origin(host)))) {
      throw new ApiError(
        403,
        'Open the sandbox at 127.0.0.1 or localhost, or restart it with this name as its host.',
      )
    }
    if (request.method === 'GET' || request.method === 'HEAD') return next()
    const from = request.get('Origin')
    const isOwn = from === undefined || hostOfOrigin(from) === host
    if (isOwn && request.get('Sec-Fetch-Site') !== 'cross-site') return next()
    throw new ApiError(403, 'Only pages of the sandbox itself can submit this form.')
  }
}

/** The host name in a URL, without the port; undefined if it is not a URL. */
const hostnameOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname : undefined

/** The host of an Origin header; an opaque origin is the word `null` and has none. */
const hostOfOrigin = (origin: string): string | undefined => /^https?:\/\/([^/]+)$/.exec(origin)?.[1]
