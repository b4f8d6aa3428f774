import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The domain of the endpoints of `hookproof listen`. Nobody can own it (RFC 2606), and no other endpoint can have a name in
 * it: `checkTarget` refuses them.
 */
export const LISTENER_DOMAIN = 'listen.example'

/** Whether a host name, in lower case, is in {@link LISTENER_DOMAIN}. */
export const isListenerHost = (name: string): boolean =>
  `.${name.replace(/\.$/, '')}`.endsWith(`.${LISTENER_DOMAIN}`)

const ROUTE_HINT =
  'For a receiver on this machine, start the sandbox with --route https://shop.example/=http://localhost:3000/ and use https://shop.example/webhooks here. Or leave this out and run npx hookproof listen --forward-to http://localhost:3000/webhooks.'

const SENTENCES = {
  malformed: 'The URL is malformed. Use an absolute URL, such as https://shop.example/webhooks.',
  not_https: 'The URL must start with https://.',
  userinfo: 'The URL must not contain a user name or password.',
  localhost: `The URL must be publicly reachable: localhost is not allowed. ${ROUTE_HINT}`,
  not_public: `The URL must be publicly reachable: private and special-use addresses are not allowed. ${ROUTE_HINT}`,
  port_0: 'The URL must not use port 0.',
  listener: `Names under ${LISTENER_DOMAIN} are reserved for npx hookproof listen.`,
  fragment: 'The URL must not contain a fragment: the part after # is never sent.',
} as const

type TargetProblem = keyof typeof SENTENCES

/**
 * Suffixes that public DNS never resolves: RFC 6762, RFC 8375, ICANN's .internal, the .localdomain of old hosts files,
 * RFC 7686 and RFC 9476.
 */
const PRIVATE_SUFFIXES = ['.local', '.home.arpa', '.internal', '.localdomain', '.onion', '.alt']

/**
 * The target policy at registration and before each attempt (interface 4.8 and 8): public HTTPS only. It does not
 * resolve names; `vettedLookup` checks their addresses when the connection is made. An IP address in the URL is never
 * looked up, so it is checked here in every notation that the URL parser accepts.
 * @param url the URL from the merchant
 */
export function checkTarget(url: string) {
  if (!URL.canParse(url)) return refuse('malformed')
  const parsed = new URL(url)
  const problem = parsed.protocol === 'https:' ? problemOf(parsed) : problemWithoutTls(parsed)
  return problem === undefined ? ({ ok: true, url: parsed } as const) : refuse(problem)
}

/** The host of a URL as sockets expect it: an IPv6 address without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

function problemOf(url: URL): TargetProblem | undefined {
  if (url.username !== '' || url.password !== '') return 'userinfo'
  const problem = problemOfHost(hostOf(url))
  if (problem !== undefined) return problem
  // Nothing listens on it.
  if (url.port === '0') return 'port_0'
  return url.href.includes('#') ? 'fragment' : undefined
}

/** For a local address, reports that problem and its fix: it would not be allowed with https either. */
function problemWithoutTls(url: URL): TargetProblem {
  // `localhost:3000/webhooks` parses as a URL with the scheme localhost.
  if (url.protocol === 'localhost:') return 'localhost'
  const problem = url.protocol === 'http:' ? problemOf(url) : undefined
  return problem === 'localhost' || problem === 'not_public' ? problem : 'not_https'
}

function problemOfHost(host: string): TargetProblem | undefined {
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'not_public'
  // A trailing dot only marks the name as complete.
  const name = host.replace(/\.$/, '')
  const labels = name.split('.')
  if (labels.some((label) => label === '') || name.length > 253) return 'malformed'
  if (labels.at(-1) === 'localhost') return 'localhost'
  // A single label is a name of the local network or the hosts file.
  if (labels.length === 1 || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix))) return 'not_public'
  return isListenerHost(name) ? 'listener' : undefined
}

const refuse = (problem: TargetProblem) => ({ ok: false, problem, refused: SENTENCES[problem] }) as const

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

/** Resolves all addresses of a name, like `dns.lookup`. */
export type Resolver = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

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

const blocked = (hostname: string) => {
  const message = `${hostname} resolves to an address that is not public. Add a route for it (--route).`
  return Object.assign(new Error(message), { code: 'TARGET_BLOCKED' })
}

const notFound = (hostname: string) =>
  Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
