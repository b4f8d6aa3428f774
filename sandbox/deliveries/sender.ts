import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AttemptError } from '../model.ts'
import type { Claimed } from '../store/deliveries.ts'
import { type Chaos, signatureFor } from './chaos.ts'
import type { Forward, Forwards, Routes } from './routes.ts'
import { checkTarget, hostOf, vettedLookup } from './targets.ts'

export interface SenderOptions {
  readonly routes?: Routes | undefined
  /** Where deliveries to an endpoint go while it has a listener. */
  readonly forwards?: Forwards | undefined
  /** From the DNS lookup to the last byte of the response, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined
  /** Resolves names of targets without a route; injected by tests. */
  readonly lookup?: LookupFunction | undefined
}

interface Outgoing {
  readonly url: string
  /** The registered endpoint; null or absent for a webhook_url. */
  readonly endpointId?: string | null
  readonly body: Uint8Array
  readonly signature: string
}

export interface Exchange {
  /** All headers as sent, without the values of a listener's own ones; none if the target was blocked. */
  readonly sent: Record<string, string>
  readonly durationMs: number
  readonly response?: ReceiverResponse
  readonly failure?: Failure
}

export type Sender = ReturnType<typeof createSender>

/**
 * Creates the sender of interface 4.8: it POSTs the exact bytes to public HTTPS targets, or where a route leads. It connects
 * to the checked address, with the Host and the server name of the registered URL, and keeps connections open between
 * attempts. The Host of what is forwarded is that of its target: an application may refuse any other. It does not follow redirects, which could lead anywhere.
 */
export function createSender(options: SenderOptions = {}) {
  const {
    routes = () => undefined,
    forwards = () => undefined,
    timeoutMs = 10_000,
    ca,
    lookup = vettedLookup(),
  } = options
  // Separate agents, so that a routed connection to a private address is never reused for another target.
  const vetted = new https.Agent({ keepAlive: true })
  const routed = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }

  function connectionTo(url: string, forward: Forward | undefined): Connection | Failure {
    const route = forward?.to ?? (URL.canParse(url) ? routes(new URL(url)) : undefined)
    if (route !== undefined) {
      if (route.protocol === 'http:') return { url: route, agent: routed.http }
      return { url: route, agent: forward?.agent ?? routed.https, ca }
    }
    const target = checkTarget(url)
    return target.ok ? { url: target.url, agent: vetted, lookup, ca } : failure('blocked', target.refused)
  }

  return {
    /** Never rejects: failures are results. The signal aborts it. */
    async send(outgoing: Outgoing, signal: AbortSignal): Promise<Exchange> {
      const { url, endpointId = null, body, signature } = outgoing
      const forward = forwards(endpointId)
      const connection = connectionTo(url, forward)
      if ('error' in connection) return { ...UNSENT, failure: connection }
      const service = {
        Host: forward?.to.host ?? new URL(url).host,
        'User-Agent': 'hookproof-sandbox',
        'Content-Type': 'application/json',
        'X-Service-Signature': signature,
        'Content-Length': String(body.length),
        Connection: 'keep-alive',
      }
      const { headers, shown: sent } = withOwn(service, forward?.headers)
      const started = performance.now()
      const { result, late } = await within(timeoutMs, signal, (ends) =>
        post(connection, headers, body, ends),
      )
      const durationMs = Math.round(performance.now() - started)
      if (!('error' in result)) return { sent, durationMs, response: result }
      if (signal.aborted) return { sent, durationMs, failure: failure('aborted') }
      const overdue = failure('timeout', `no complete response within ${timeoutMs / 1000} s`)
      return { sent, durationMs, failure: late ? overdue : result }
    },
    close(): void {
      for (const agent of [vetted, routed.http, routed.https]) agent.destroy()
    },
  }
}

/** What a record has instead of the value of a listener's own header. */
export const NOT_SHOWN = '[not shown]'

/** The headers of the service with those of a listener, and the same without the values of the latter. */
function withOwn(service: Record<string, string>, own: Forward['headers'] = []) {
  const isOwn = (name: string) => own.some(([other]) => other.toLowerCase() === name.toLowerCase())
  const rest = Object.entries(service).filter(([name]) => !isOwn(name))
  const headers = new Map(rest)
  for (const [name, value] of own) headers.set(name, [headers.get(name) ?? [], value].flat().join(', '))
  const hidden = own.map(([name]): [string, string] => [name, NOT_SHOWN])
  return { headers: Object.fromEntries(headers), shown: Object.fromEntries([...rest, ...hidden]) }
}

/** Runs work with a signal that aborts together with another signal, or when the time is over. */
async function within<Result>(
  ms: number,
  signal: AbortSignal,
  work: (ends: AbortSignal) => Promise<Result>,
): Promise<{ result: Result; late: boolean }> {
  const ending = new AbortController()
  const end = () => ending.abort()
  let late = false
  // AbortSignal.timeout would leave a timer for each of thousands of attempts.
  const timer = setTimeout(() => {
    late = true
    end()
  }, ms)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return { result: await work(ending.signal), late }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

const UNSENT = { sent: {}, durationMs: 0 }

export const unsent = (error: AttemptError, detail: string): Exchange => ({
  ...UNSENT,
  failure: { error, detail },
})

/**
 * Signs and sends a claimed delivery, unless its endpoint was deleted (interface 4.4) or chaos drops it. Never rejects.
 * @param using wall: real time, in milliseconds; signal: aborts it
 */
export async function sendClaimed(
  { delivery, body, secret }: Claimed,
  { sender, wall, signal }: { sender: Sender; wall: number; signal: AbortSignal },
): Promise<Exchange> {
  if (secret === null) return unsent('aborted', 'the endpoint was deleted and its secret destroyed')
  const { url, endpointId, attempts: attempt } = delivery
  const chaos: Chaos | null = delivery.chaos
  if (attempt <= (chaos?.dropFirst ?? 0)) {
    return unsent('timeout', 'dropped on purpose before sending (chaos: dropFirst)')
  }
  try {
    const signature = signatureFor({ secret, body, now: wall, chaos })
    return await sender.send({ url, endpointId, body, signature }, signal)
  } catch (error) {
    return { ...UNSENT, failure: classify(error) }
  }
}

interface Connection extends Pick<https.RequestOptions, 'agent' | 'lookup' | 'ca'> {
  readonly url: URL
}

/** How long one of several addresses may take to connect before the next is tried, in milliseconds; 250, the default of Node.js, is too short over long distances. */
const NEXT_ADDRESS_AFTER = 2000

/**
 * POSTs once, and again on a new connection if the receiver had just closed a kept-alive one, as it may at any time.
 * Never rejects.
 * @param headers all headers, including Host and Content-Length
 */
async function post(
  connection: Connection,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<ReceiverResponse | Failure> {
  const first = await once(connection, headers, body, signal)
  return 'stale' in first && !signal.aborted
    ? once({ ...connection, agent: false }, headers, body, signal)
    : first
}

const CLOSED = new Set<string | undefined>(['ECONNRESET', 'EPIPE'])

const ignore = (): void => undefined

function once(
  { url, ...how }: Connection,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<ReceiverResponse | (Failure & { stale?: true })> {
  const host = hostOf(url)
  const secure = url.protocol === 'https:'
  const options = {
    ...how,
    method: 'POST',
    host,
    port: url.port === '' ? (secure ? 443 : 80) : url.port,
    path: `${url.pathname}${url.search}`,
    // Otherwise Node.js would use the Host header, which differs on a route.
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER,
    headers,
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

const KEPT_BYTES = 64 * 1024

interface ReceiverResponse {
  readonly status: number
  /** As received; a repeated header has a list. */
  readonly headers: Record<string, string | string[]>
  readonly body: Buffer
  readonly truncated: boolean
}

/**
 * Reads a response to its end, or up to the size that is kept. It then closes the connection, since the body may be
 * endless.
 * @throws the socket's error if the connection breaks before that
 */
async function readResponse(response: IncomingMessage): Promise<ReceiverResponse> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early destroys the response and its connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > KEPT_BYTES) break
  }
  const body = Buffer.concat(chunks).subarray(0, KEPT_BYTES)
  const { statusCode: status = 0, rawHeaders } = response
  return { status, headers: headersOf(rawHeaders), body, truncated: size > KEPT_BYTES }
}

function headersOf(raw: readonly string[]): ReceiverResponse['headers'] {
  const headers = new Map<string, string[]>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    headers.set(name, [...(headers.get(name) ?? []), raw[index + 1] ?? ''])
  }
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  )
}

/** Why an attempt got no response: a kind for programs, and a line for people. */
interface Failure {
  readonly error: AttemptError
  readonly detail: string
}

const KINDS: Readonly<Record<string, AttemptError>> = {
  TARGET_BLOCKED: 'blocked',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ETIMEDOUT: 'timeout',
}

const MESSAGES: Readonly<Record<AttemptError, string>> = {
  dns: 'the host name could not be resolved',
  refused: 'the connection failed: is the receiver running?',
  timeout: 'no response in time',
  tls: 'the TLS handshake failed: does the receiver use https?',
  certificate:
    'the TLS handshake failed: the certificate must be valid for the host name and trusted by this machine',
  reset: 'the connection was closed before the response was complete',
  blocked: 'the target is not public: add a route for it (--route)',
  aborted: 'the attempt was aborted',
}

/** Maps a socket error to one of a few kinds, so that the same problem has the same message on every machine. */
function classify(error: unknown): Failure {
  const code = codeOf(error)
  // The HTTP parser rejected the response.
  if (code.startsWith('HPE_')) return { error: 'reset', detail: `the response was not valid HTTP (${code})` }
  const kind = KINDS[code] ?? handshakeKindOf(code) ?? 'reset'
  if (kind === 'blocked') return { error: kind, detail: (error as Error).message }
  return { error: kind, detail: code === '' ? MESSAGES[kind] : `${MESSAGES[kind]} (${code})` }
}

const failure = (error: AttemptError, detail = MESSAGES[error]): Failure => ({ error, detail })

function codeOf(error: unknown): string {
  // Of all tried addresses, the error of the first is the most useful.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** A certificate that this machine refuses has a code of its own; the alerts of the other side begin with ERR_SSL_. */
function handshakeKindOf(code: string): AttemptError | undefined {
  if (/EPROTO|_SSL_/.test(code)) return 'tls'
  if (/CERT|SIGNATURE|ISSUER|HOSTNAME/.test(code)) return 'certificate'
  return code.includes('TLS') ? 'tls' : undefined
}
