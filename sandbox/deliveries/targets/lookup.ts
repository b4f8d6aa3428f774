import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './address.ts'

/** The target policy blocked the address before a connection was made. */
class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError'
  readonly code = 'TARGET_BLOCKED'
}

/** Resolves all addresses of a name, like `dns.lookup`. */
export type Resolver = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** The system's resolver, including its hosts file. */
const systemResolver: Resolver = (hostname, callback) => systemLookup(hostname, { all: true }, callback)

/**
 * A `lookup` for `net.connect` that returns public addresses only (interface 4.8 and 8). The socket connects to the
 * checked addresses, so a name that resolves differently the next time gains nothing. One private address among them
 * blocks the name, since the socket may pick any of them.
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
  new BlockedTargetError(
    `${hostname} resolves to an address that is not public. Add a route for it (--route).`,
  )

const notFound = (hostname: string) =>
  Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
