import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only block from which addresses of the public IPv6 internet are given out. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** The well-known prefix under which a NAT64 shows IPv4 addresses: what DNS64 answers on networks without IPv4. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address is one of the public internet (interface 4.8 and 8). What is not known to be public is not:
 * every special-use block of the IANA registries is out, and so is IPv6 space that nobody was given. The IPv4-mapped and
 * the NAT64 form are judged by the IPv4 address in them; 6to4, Teredo and the IPv4-compatible form are out altogether.
 * @param address as `dns.lookup` or a socket gives it; anything else is not public
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

/** ipaddr.js takes `::10.0.0.1` for an IPv4-mapped address, which it is not; it reads groups of digits rightly. */
function inHexadecimal(address: string): string {
  const [bare = ''] = address.split('%')
  return new URL(`http://[${bare}]/`).hostname.slice(1, -1)
}
