import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only block from which public IPv6 addresses are assigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The well-known prefix of IPv4 addresses behind NAT64, which DNS64 returns on networks without IPv4. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address is public (interface 4.8 and 8). Anything not known to be public is not: every special-use block
 * of the IANA registries, and unassigned IPv6 space. IPv4-mapped and NAT64 addresses count as the IPv4 address that they
 * contain; 6to4, Teredo and IPv4-compatible addresses are never public.
 * @param address as returned by `dns.lookup` or a socket; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return isPublicIpv4(ipaddr.IPv4.parse(address))
  return family === 6 && isPublicIpv6(ipaddr.IPv6.parse(inHexadecimal(address)))
}

const isPublicIpv4 = (address: ipaddr.IPv4): boolean => address.range() === 'unicast'

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address())
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast'
}

/** ipaddr.js mistakes `::10.0.0.1` for an IPv4-mapped address; it parses hexadecimal groups correctly. */
function inHexadecimal(address: string): string {
  const [bare = ''] = address.split('%')
  return new URL(`http://[${bare}]/`).hostname.slice(1, -1)
}
