import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Where to connect. Resolved once, so that a name cannot change to another host during a run. */
export interface Address {
  readonly host: string
  readonly port: number
  /** Returns the resolved addresses. */
  readonly lookup: LookupFunction
  /** Whether all addresses of the host are this machine's. */
  readonly loopback: boolean
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Resolves the addresses of a URL.
 * @throws the error of the lookup, with its `code`, when the host is unknown
 */
export async function addressOf(url: URL): Promise<Address> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = await lookup(host, { all: true })
  const [{ address, family } = { address: host, family: isIP(host) }] = addresses
  return {
    host,
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    lookup(_host, options, done) {
      if (options.all) done(null, addresses)
      else done(null, address, family)
    },
    loopback: addresses.every(({ address, family }) =>
      loopback.check(address, family === 6 ? 'ipv6' : 'ipv4'),
    ),
  }
}
