import type { RequestHandler } from 'express'
import { ApiError } from '../api/errors.ts'
import type { OriginOf } from '../origin.ts'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * The pages have no passwords, so only the browser of whoever started the sandbox may use them. The Host must be a
 * loopback one or one that the sandbox is reached by: that stops names that were rebound to this machine. On a write,
 * the Origin must be the page's own: that stops forms and scripts of other pages in the same browser. A program sends no
 * Origin, and is let in.
 * @param origin where the sandbox is reached by who sent this Host, when that is not certain to be a loopback address
 */
export function ownPagesOnly(origin: OriginOf = () => ''): RequestHandler {
  return (request, _response, next) => {
    const host = request.get('Host') ?? ''
    const name = nameIn(`http://${host}`)
    if (name === undefined || !(LOOPBACK.includes(name) || name === nameIn(origin(host)))) {
      throw new ApiError(
        403,
        'Open the sandbox by 127.0.0.1 or localhost, or start it with --host and this name.',
      )
    }
    if (request.method === 'GET' || request.method === 'HEAD') return next()
    const from = request.get('Origin')
    const isOwn = from === undefined || originHost(from) === host
    if (isOwn && request.get('Sec-Fetch-Site') !== 'cross-site') return next()
    throw new ApiError(403, 'Only the pages of the sandbox itself may do that.')
  }
}

/** The host name in an address, without the port; undefined when there is none. */
const nameIn = (address: string): string | undefined =>
  URL.canParse(address) ? new URL(address).hostname : undefined

/** Of an address as a browser writes it; an opaque origin is the word null, and has no host. */
const originHost = (origin: string): string | undefined => /^https?:\/\/([^/]+)$/.exec(origin)?.[1]
