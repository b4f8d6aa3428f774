import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './address.ts'

/** A target that the policy refuses when the connection would be made; no connection was made. */
class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError'
  readonly code = 'TARGET_BLOCKED'
}

/** Finds all addresses of a name, as `dns.lookup` does. */
export type Resolver = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** The system's resolver, its hosts file included. */
const systemResolver: Resolver = (hostname, callback) => systemLookup(hostname, { all: true }, callback)

/**
 * A `lookup` for `net.connect` that hands on public addresses only (interface 4.8 and 8). The socket connects to the
 * very addresses that were judged, so a name that answers differently the next time gains nothing. One private address
 * among the answers blocks the name: which of them the socket takes is not ours to say.
 * @param resolver and isPublic are injected by tests, which have no public address to connect to
 */
export function vettedLookup(
  resolver: Resolver = systemResolver,
  isPublic = isPublicAddress,
): LookupFunction {
  return (hostname, options, callback) => {
    resolver(hostname, (error, found) => {
      if (error) return callback(error, [])
      const [first] = found
      if (first === undefined) return callback(notFound(hostname), [])
      if (!found.every(({ address }) => isPublic(address))) return callback(blocked(hostname), [])
      if (options.all === true) return callback(null, found)
      return callback(null, first.address, first.family)
    })
  }
}

const blocked = (hostname: string) =>
  new BlockedTargetError(`${hostname} leads to an address that is not public; give it a route with --route.`)

const notFound = (hostname: string) =>
  Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
