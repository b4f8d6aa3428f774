import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'
import { isListenerHost, LISTENER_DOMAIN } from './listeners.ts'

/** Why nothing can be delivered to a URL. */
type TargetProblem =
  | 'malformed'
  | 'not_https'
  | 'userinfo'
  | 'localhost'
  | 'not_public'
  | 'port_0'
  | 'fragment'
  | 'listener'

/** The result of {@link checkTarget}; `refused` is a sentence for people that includes the fix. */
export type TargetVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: TargetProblem; readonly refused: string }

const ROUTE_HINT =
  'For a receiver on this machine, start the sandbox with --route https://shop.example/=http://localhost:3000/ and use https://shop.example/webhooks here. Or leave this out and run npx hookproof listen --forward-to http://localhost:3000/webhooks.'

const SENTENCES: Readonly<Record<TargetProblem, string>> = {
  malformed: 'The URL is malformed. Use an absolute URL, such as https://shop.example/webhooks.',
  not_https: 'The URL must start with https://.',
  userinfo: 'The URL must not contain a user name or password.',
  localhost: `The URL must be publicly reachable: localhost is not allowed. ${ROUTE_HINT}`,
  not_public: `The URL must be publicly reachable: private and special-use addresses are not allowed. ${ROUTE_HINT}`,
  port_0: 'The URL must not use port 0.',
  listener: `Names under ${LISTENER_DOMAIN} are reserved for npx hookproof listen.`,
  fragment: 'The URL must not contain a fragment: the part after # is never sent.',
}

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
export function checkTarget(url: string): TargetVerdict {
  if (!URL.canParse(url)) return refuse('malformed')
  const parsed = new URL(url)
  const problem = parsed.protocol === 'https:' ? problemOf(parsed) : problemWithoutTls(parsed)
  return problem === undefined ? { ok: true, url: parsed } : refuse(problem)
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

const refuse = (problem: TargetProblem): TargetVerdict => ({
  ok: false,
  problem,
  refused: SENTENCES[problem],
})
