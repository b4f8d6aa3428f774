import type { RequestHandler } from 'express'
import { ApiError } from '../http/api-error.ts'
import type { OriginOf } from '../http/origin.ts'
import { isLoopbackName, nameInHost, originOfPage } from '../http/peer.ts'

/**
 * Protects pages that anyone with their address may use. The Host header must name a loopback address or the sandbox's own
 * host, which stops DNS rebinding. On a write, the Origin header must be that of the page, with its scheme, which stops forms
 * and scripts of other sites in the same browser. Programs send no Origin and are admitted.
 * @param origin returns the sandbox's origin for a Host header; by default only loopback hosts are admitted
 */
export function ownPagesOnly(origin: OriginOf = () => ''): RequestHandler {
  return (request, _response, next) => {
    const { host = '' } = request.headers
    const name = nameInHost(host)
    const own = origin(host)
    if (
      name === undefined ||
      !(isLoopbackName(name) || (URL.canParse(own) && name === new URL(own).hostname))
    ) {
      throw new ApiError(
        403,
        'Open the sandbox at 127.0.0.1 or localhost, or restart it with this name as its host.',
      )
    }
    if (request.method === 'GET' || request.method === 'HEAD') return next()
    const from = request.headers.origin
    const isOwn = from === undefined || from === originOfPage(request)
    if (isOwn && request.get('Sec-Fetch-Site') !== 'cross-site') return next()
    throw new ApiError(403, 'Only pages of the sandbox itself can submit this form.')
  }
}
