import { createHash, timingSafeEqual } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import { ApiError } from './api-error.ts'
import type { OriginOf } from './origin.ts'
import { isLocalPeer, isLoopbackName, nameInHost, originOfPage } from './peer.ts'

/** Who may use the dashboard and the control API. */
export interface OwnerOptions {
  /** The sandbox's origin for a client on this machine. */
  readonly origin: OriginOf
  /** Admits clients on other machines, by HTTP Basic authentication with any user name. Without it they are not admitted. */
  readonly password: string | undefined
}

/**
 * Admits programs and browsers on the sandbox's own machine, and others with the password. Whether a client is on this
 * machine follows from the address of its socket. Its Host header must name this machine too, or another site could have
 * rebound its name. The Origin, if present, must be the sandbox's own, since any site can send forms to it.
 */
export function ownerOnly({ origin, password }: OwnerOptions): RequestHandler {
  return (request, response, next) => {
    const { host = '' } = request.headers
    const name = nameInHost(host)
    const isOwnName = name !== undefined && (isLoopbackName(name) || name === nameInHost(hostOf(origin())))
    if (!(isOwnName && isLocalPeer(request)) && !(password !== undefined && hasPassword(request, password))) {
      if (password === undefined) throw new ApiError(403, NOT_HERE)
      response.set('WWW-Authenticate', 'Basic realm="hookproof sandbox", charset="UTF-8"')
      throw new ApiError(401, 'Enter the dashboard password. The user name does not matter.')
    }
    const from = request.headers.origin
    const isOwnPage = from === undefined || from === originOfPage(request)
    if (!isOwnPage || (isWrite(request) && request.get('Sec-Fetch-Site') === 'cross-site')) {
      throw new ApiError(403, 'Only pages of the sandbox itself can do this.')
    }
    next()
  }
}

const NOT_HERE =
  'Only available on the machine of the sandbox, at 127.0.0.1 or localhost. For others, restart it with --dashboard-password.'

const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, '')

const isWrite = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD'

/** Compares hashes, so that the time says nothing about the password or its length. */
function hasPassword(request: Request, password: string): boolean {
  const [, encoded = ''] = /^Basic +([\w+/=-]+)$/i.exec(request.get('Authorization') ?? '') ?? []
  const given = Buffer.from(encoded, 'base64').toString()
  return timingSafeEqual(hash(given.slice(given.indexOf(':') + 1)), hash(password))
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
