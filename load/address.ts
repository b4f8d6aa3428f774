import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Where to connect, found out once, so that a name can not come to mean another host during a run. */
export interface Address {
  readonly host: string
  readonly port: number
  /** Tells the addresses that were found. */
  readonly lookup: LookupFunction
  /** Whether the host is this machine, by all of its addresses. */
  readonly loopback: boolean
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Finds the addresses of a URL.
 * @throws the error of the look-up, with its `code`, when there is no such host
 */
export async function addressOf(url: URL): Promise<Address> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const found = await lookup(host, { all: true })
  const [{ address, family } = { address: host, family: isIP(host) }] = found
  return {
    host,
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    lookup(_host, options, tell) {
      if (options.all) tell(null, found)
      else tell(null, address, family)
    },
    loopback: found.every(({ address, family }) => loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')),
  }
}
