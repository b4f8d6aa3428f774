import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'

/** Why a URL can not be delivered to. */
type TargetProblem = 'malformed' | 'not_https' | 'userinfo' | 'localhost' | 'not_public'

/** The answer of {@link checkTarget}; `refused` is a sentence for people that says how to mend it. */
export type TargetVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: TargetProblem; readonly refused: string }

const ROUTE_HINT =
  'Register a public name, and start the sandbox with --route https://shop.example/=http://localhost:3000/ to have its deliveries sent to this machine.'

const SENTENCES: Readonly<Record<TargetProblem, string>> = {
  malformed: 'The URL can not be read. Give an absolute one, such as https://shop.example/webhooks.',
  not_https: 'The URL must begin with https://.',
  userinfo: 'The URL must not hold a user name or password.',
  localhost: `The URL must be publicly reachable: localhost is refused. ${ROUTE_HINT}`,
  not_public: `The URL must be publicly reachable: private and special-use addresses are refused. ${ROUTE_HINT}`,
}

/** Ends of names that no public name server answers for: RFC 6762, RFC 8375, ICANN's, and that of old hosts files. */
const PRIVATE_SUFFIXES = ['.local', '.home.arpa', '.internal', '.localdomain']

/**
 * The target policy at registration and before each attempt (interface 4.8 and 8): public HTTPS only. A name is not
 * resolved here; what it resolves to is checked by {@link vettedLookup} when the connection is made. An address in the
 * URL never gets there, and so is judged here, in whatever spelling: the URL parser reads them all.
 * @param url what the merchant gave
 */
export function checkTarget(url: string): TargetVerdict {
  if (!URL.canParse(url)) return refuse('malformed')
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:') return refuse('not_https')
  if (parsed.username !== '' || parsed.password !== '') return refuse('userinfo')
  const problem = problemOfHost(hostOf(parsed))
  return problem === undefined ? { ok: true, url: parsed } : refuse(problem)
}

/** The host of a URL as sockets want it: an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

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
