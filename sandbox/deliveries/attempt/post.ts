import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { hostOf } from '../targets/targets.ts'
import { classify, type Failure, failure } from './failure.ts'
import { type ReceiverResponse, readResponse } from './response.ts'

/** Where a request is really sent, and how to connect. */
export interface Connection {
  readonly url: URL
  readonly agent: http.Agent
  /** Resolves the name; by default the system's resolver. */
  readonly lookup?: LookupFunction | undefined
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined
  /** False accepts any certificate. */
  readonly rejectUnauthorized?: false
}

/** How long one of several addresses may take to connect before the next is tried, in milliseconds; 250, the default of Node.js, is too short over long distances. */
const NEXT_ADDRESS_AFTER = 2000

/**
 * POSTs once, and again on a new connection if the receiver had just closed a kept-alive one, as it may at any time.
 * Never rejects.
 * @param headers all headers, including Host and Content-Length
 */
export async function post(
  connection: Connection,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<ReceiverResponse | Failure> {
  const first = await once(connection, headers, body, signal)
  if ('stale' in first && !signal.aborted)
    return once({ ...connection, agent: undefined }, headers, body, signal)
  return first
}

/** Error codes of a connection that the other side closed. */
const CLOSED = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

const ignore = (): void => undefined

interface Stale extends Failure {
  readonly stale: true
}

function once(
  connection: Omit<Connection, 'agent'> & { agent: http.Agent | undefined },
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<ReceiverResponse | Failure | Stale> {
  const { url, agent = false, lookup, ca, rejectUnauthorized } = connection
  const host = hostOf(url)
  const secure = url.protocol === 'https:'
  const options = {
    method: 'POST',
    host,
    port: url.port === '' ? (secure ? 443 : 80) : url.port,
    path: `${url.pathname}${url.search}`,
    // Otherwise Node.js would use the Host header, which differs on a route.
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER,
    headers,
    agent,
    lookup,
    ca,
    ...(rejectUnauthorized === false && { rejectUnauthorized }),
    signal,
  }
  return new Promise((resolve) => {
    const request = (secure ? https : http).request(options)
    let responded = false
    request.on('socket', (socket) => {
      // A receiver may respond and reset while the body is still being sent: that error can follow the response, when
      // node:http no longer listens, and would end this process.
      if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
    })
    request.on('error', (error) => {
      const closed = CLOSED.has((error as NodeJS.ErrnoException).code)
      // A promise ignores all but the first of these calls.
      resolve(request.reusedSocket && closed ? { ...classify(error), stale: true } : classify(error))
    })
    request.on('response', (response) => {
      responded = true
      readResponse(response).then(resolve, (error: unknown) => resolve(classify(error)))
    })
    // Closed without a response or an error, for example by a receiver that switches protocols.
    request.on('close', () => {
      if (!responded) resolve(failure('reset'))
    })
    request.end(body)
  })
}
