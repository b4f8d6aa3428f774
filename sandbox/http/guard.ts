import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Request, RequestHandler } from 'express'
import { ApiError } from '../errors.ts'

/**
 * Admits programs and browsers on the sandbox's own machine, and others with the password, by HTTP Basic authentication
 * with any user name. Whether a client is on this machine follows from the address of its socket. Its Host header must name
 * this machine too, or another site could have rebound its name. The Origin, if present, must be the sandbox's own, since
 * any site can send forms to it.
 * @param origin returns the sandbox's origin for a client on this machine
 */
export function ownerOnly(origin: OriginOf, password: string | undefined): RequestHandler {
  return (request, response, next) => {
    const isHere = isOwnName(request, origin()) && isLocalPeer(request)
    if (!isHere && !(password !== undefined && hasPassword(request, password))) {
      if (password === undefined)
        throw new ApiError(
          403,
          'Only available on the machine of the sandbox, at 127.0.0.1 or localhost. For others, restart it with --dashboard-password.',
        )
      response.set('WWW-Authenticate', 'Basic realm="hookproof sandbox", charset="UTF-8"')
      throw new ApiError(401, 'Enter the dashboard password. The user name does not matter.')
    }
    if (!isOwnPage(request) || (isWrite(request) && isCrossSite(request))) {
      throw new ApiError(403, 'Only pages of the sandbox itself can do this.')
    }
    next()
  }
}

const isWrite = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD'

const isCrossSite = (request: Request): boolean => request.get('Sec-Fetch-Site') === 'cross-site'

/** Compares hashes, so that the time says nothing about the password or its length. */
function hasPassword(request: Request, password: string): boolean {
  const [, encoded = ''] = /^Basic +([\w+/=-]+)$/i.exec(request.get('Authorization') ?? '') ?? []
  const given = Buffer.from(encoded, 'base64').toString()
  return timingSafeEqual(hash(given.slice(given.indexOf(':') + 1)), hash(password))
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Protects pages that anyone with their address may use. The Host header must name a loopback address or the sandbox's own
 * host, which stops DNS rebinding. On a write, the Origin header must be that of the page, with its scheme, which stops forms
 * and scripts of other sites in the same browser. Programs send no Origin and are admitted.
 * @param origin returns the sandbox's origin for a Host header
 */
export function ownPagesOnly(origin: OriginOf): RequestHandler {
  return (request, _response, next) => {
    if (!isOwnName(request, origin(request.headers.host ?? ''))) {
      throw new ApiError(
        403,
        'Open the sandbox at 127.0.0.1 or localhost, or restart it with this name as its host.',
      )
    }
    if (!isWrite(request) || (isOwnPage(request) && !isCrossSite(request))) return next()
    throw new ApiError(403, 'Only pages of the sandbox itself can submit this form.')
  }
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether an IP address, as a socket reports it, is this machine's loopback. IPv4-mapped addresses count as IPv4. */
export function isLoopbackAddress(address: string | undefined): boolean {
  const family = isIP(address ?? '')
  return family !== 0 && LOOPBACK.check(address ?? '', family === 4 ? 'ipv4' : 'ipv6')
}

/** Whether the host name of a URL always leads to this machine. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || isLoopbackAddress(name.replaceAll(/^\[|\]$/g, ''))

/**
 * Whether a request comes from a program on this machine, by the address of its socket, which a client cannot forge. A proxy
 * on this machine forwards requests of others.
 */
const isLocalPeer = ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopbackAddress(socket.remoteAddress) &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined

/** Whether the Host header of a request names a loopback address or the host of the sandbox's origin. */
function isOwnName({ headers }: Request, origin: string): boolean {
  const from = `http://${headers.host ?? ''}`
  if (!URL.canParse(from)) return false
  const name = new URL(from).hostname
  return isLoopbackName(name) || (URL.canParse(origin) && name === new URL(origin).hostname)
}

/** Whether a request is without an Origin, as from programs, or has the one that a browser sends with forms of its own page. */
function isOwnPage({ headers }: Request): boolean {
  // Set by proxies that add TLS. Pages of other sites cannot set it.
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  return headers.origin === undefined || headers.origin === `${scheme}://${headers.host ?? ''}`
}

/** Returns the sandbox's origin, such as `http://127.0.0.1:4100`, for a client that sent this Host header. */
export type OriginOf = (host?: string) => string

/** A host name or IP address with an optional port, and nothing that would change the URL around it. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * How the sandbox determines its own origin. If it listens on loopback only, it ignores the Host header: another site's
 * page may have rebound that name to this machine. If other machines can reach it, it uses the name that they used,
 * since it cannot know that name otherwise.
 * @param own the origin for this machine
 * @param listensOn the address it listens on
 */
export function originOf(own: string, listensOn: string): OriginOf {
  if (isLoopbackName(listensOn.toLowerCase())) return () => own
  return (host) =>
    host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`) ? `http://${host}` : own
}
