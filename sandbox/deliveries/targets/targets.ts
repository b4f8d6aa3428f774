import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'

/** Why a URL can not be delivered to. */
type TargetProblem = 'malformed' | 'not_https' | 'userinfo' | 'localhost' | 'not_public' | 'fragment'

/** The answer of {@link checkTarget}; `refused` is a sentence for people that says how to mend it. */
export type TargetVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: TargetProblem; readonly refused: string }

const ROUTE_HINT =
  'For a receiver on this machine start the sandbox with --route https://shop.example/=http://localhost:3000/ and give https://shop.example/webhooks here; or give nothing, and run npx hookproof listen --forward-to http://localhost:3000/webhooks.'

const SENTENCES: Readonly<Record<TargetProblem, string>> = {
  malformed: 'The URL can not be read. Give an absolute one, such as https://shop.example/webhooks.',
  not_https: 'The URL must begin with https://.',
  userinfo: 'The URL must not hold a user name or password.',
  localhost: `The URL must be publicly reachable: localhost is refused. ${ROUTE_HINT}`,
  not_public: `The URL must be publicly reachable: private and special-use addresses are refused. ${ROUTE_HINT}`,
  fragment: 'The URL must not hold a fragment: what stands after # is never sent.',
}

/**
 * Ends of names that no public name server answers for: RFC 6762, RFC 8375, ICANN's, that of old hosts files, RFC 7686
 * and RFC 9476.
 */
const PRIVATE_SUFFIXES = ['.local', '.home.arpa', '.internal', '.localdomain', '.onion', '.alt']

/**
 * The target policy at registration and before each attempt (interface 4.8 and 8): public HTTPS only. A name is not
 * resolved here; what it resolves to is checked by {@link vettedLookup} when the connection is made. An address in the
 * URL never gets there, and so is judged here, in whatever spelling: the URL parser reads them all.
 * @param url what the merchant gave
 */
export function checkTarget(url: string): TargetVerdict {
  if (!URL.canParse(url)) return refuse('malformed')
  const parsed = new URL(url)
  const problem = parsed.protocol === 'https:' ? problemOf(parsed) : problemWithoutTls(parsed)
  return problem === undefined ? { ok: true, url: parsed } : refuse(problem)
}

/** The host of a URL as sockets want it: an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

function problemOf(url: URL): TargetProblem | undefined {
  if (url.username !== '' || url.password !== '') return 'userinfo'
  return problemOfHost(hostOf(url)) ?? (url.href.includes('#') ? 'fragment' : undefined)
}

/** Of one on this machine that is told, and the way out: with https it would be refused as well. */
function problemWithoutTls(url: URL): TargetProblem {
  // `localhost:3000/webhooks` reads as an address of the scheme localhost.
  if (url.protocol === 'localhost:') return 'localhost'
  const problem = url.protocol === 'http:' ? problemOf(url) : undefined
  return problem === 'localhost' || problem === 'not_public' ? problem : 'not_https'
}

function problemOfHost(host: string): TargetProblem | undefined {
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'not_public'
  // A dot at the end only says that the name is complete.
  const name = host.replace(/\.$/, '')
  const labels = name.split('.')
  if (labels.some((label) => label === '') || name.length > 253) return 'malformed'
  if (labels.at(-1) === 'localhost') return 'localhost'
  // One label alone is a name of the local network, or of the file of hosts.
  if (labels.length === 1 || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix))) return 'not_public'
  return undefined
}

const refuse = (problem: TargetProblem): TargetVerdict => ({
  ok: false,
  problem,
  refused: SENTENCES[problem],
})
