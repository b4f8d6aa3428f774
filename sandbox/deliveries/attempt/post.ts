import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { hostOf } from '../targets/targets.ts'
import { classify, type Failure, failure } from './failure.ts'
import { type Answer, readAnswer } from './response.ts'

/** Where a request is really sent, and how its connection is made. */
export interface Way {
  readonly url: URL
  readonly agent: http.Agent
  /** Resolves the name; the system's way when undefined. */
  readonly lookup?: LookupFunction | undefined
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca?: string | undefined
}

/** How long one address of several may take to connect before the next is tried, in ms; Node's 250 is too short abroad. */
const NEXT_ADDRESS_AFTER = 2000

/**
 * POSTs once, and once more on a new connection when the receiver closed a kept one in the moment of its use, which is
 * its right. Never rejects.
 * @param headers the whole of them, Host and Content-Length too
 */
export async function post(
  way: Way,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<Answer | Failure> {
  const first = await once(way, headers, body, signal)
  if ('stale' in first && !signal.aborted) return once({ ...way, agent: undefined }, headers, body, signal)
  return first
}

/** The codes of a connection that the other side has closed. */
const CLOSED = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

interface Stale extends Failure {
  readonly stale: true
}

function once(
  way: Omit<Way, 'agent'> & { agent: http.Agent | undefined },
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<Answer | Failure | Stale> {
  const { url, agent = false, lookup, ca } = way
  const host = hostOf(url)
  const secure = url.protocol === 'https:'
  const options = {
    method: 'POST',
    host,
    port: url.port === '' ? (secure ? 443 : 80) : url.port,
    path: `${url.pathname}${url.search}`,
    // Else Node would take the header Host for it, which on a route is another's.
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER,
    headers,
    agent,
    lookup,
    ca,
    signal,
  }
  return new Promise((resolve) => {
    const request = (secure ? https : http).request(options)
    let answering = false
    request.on('error', (error) => {
      const closed = CLOSED.has((error as NodeJS.ErrnoException).code)
      // Only the first of these counts; a promise ignores the rest.
      resolve(request.reusedSocket && closed ? { ...classify(error), stale: true } : classify(error))
    })
    request.on('response', (response) => {
      answering = true
      readAnswer(response).then(resolve, (error: unknown) => resolve(classify(error)))
    })
    // Without an answer or an error: a receiver that switches protocols, say.
    request.on('close', () => {
      if (!answering) resolve(failure('reset'))
    })
    request.end(body)
  })
}
