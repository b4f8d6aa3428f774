import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { vettedLookup } from '../targets/lookup.ts'
import type { Forwards, Routes } from '../targets/routes.ts'
import { checkTarget } from '../targets/targets.ts'
import { type Failure, failure } from './failure.ts'
import { type Connection, post } from './post.ts'
import type { ReceiverResponse } from './response.ts'

export interface SenderOptions {
  /** The operator's routes. */
  readonly routes?: Routes | undefined
  /** Where deliveries to an endpoint go while it has a listener. */
  readonly forwards?: Forwards | undefined
  /** From the DNS lookup to the last byte of the response, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined
  /** Whether any certificate is accepted where the deliveries to an endpoint are forwarded. */
  readonly skipsVerify?: ((endpointId: string | null) => boolean) | undefined
  /** Resolves names of targets without a route; injected by tests. */
  readonly lookup?: LookupFunction | undefined
}

/** One attempt, ready to send. */
interface Outgoing {
  /** The recipient's registered URL. */
  readonly url: string
  /** The registered endpoint; null or absent for a webhook_url. */
  readonly endpointId?: string | null
  readonly body: Uint8Array
  /** The value of X-Service-Signature. */
  readonly signature: string
}

/** The result of an attempt: a response or a failure. */
export interface Exchange {
  /** All headers as sent; none if the target was blocked. */
  readonly sent: Record<string, string>
  readonly durationMs: number
  readonly response?: ReceiverResponse
  readonly failure?: Failure
}

/** Sends attempts and keeps connections open between them. */
export interface Sender {
  /** Never rejects: failures are results. The signal aborts it. */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<Exchange>
  close(): void
}

/**
 * Creates the sender of interface 4.8: it POSTs the exact bytes to public HTTPS targets, or where a route leads. It
 * connects to the checked address, with the Host and the server name of the registered URL. It does not follow
 * redirects, which could lead anywhere.
 */
export function createSender(options: SenderOptions = {}): Sender {
  const {
    routes = () => undefined,
    forwards = () => undefined,
    skipsVerify = () => false,
    timeoutMs = 10_000,
    ca,
    lookup = vettedLookup(),
  } = options
  // Separate agents, so that a routed connection to a private address is never reused for another target.
  const vetted = new https.Agent({ keepAlive: true })
  const routed = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }
  const unverified = new https.Agent({ keepAlive: true })

  function connectionTo(url: string, endpointId: string | null): Connection | Failure {
    const route = forwards(endpointId) ?? (URL.canParse(url) ? routes(new URL(url)) : undefined)
    if (route?.protocol === 'http:') return { url: route, agent: routed.http }
    if (route !== undefined && skipsVerify(endpointId))
      return { url: route, agent: unverified, rejectUnauthorized: false }
    if (route !== undefined) return { url: route, agent: routed.https, ca }
    const target = checkTarget(url)
    return target.ok ? { url: target.url, agent: vetted, lookup, ca } : failure('blocked', target.refused)
  }

  return {
    async send({ url, endpointId = null, body, signature }, signal) {
      const connection = connectionTo(url, endpointId)
      if ('error' in connection) return { sent: {}, durationMs: 0, failure: connection }
      const sent = {
        Host: new URL(url).host,
        'User-Agent': 'hookproof-sandbox',
        'Content-Type': 'application/json',
        'X-Service-Signature': signature,
        'Content-Length': String(body.length),
        Connection: 'keep-alive',
      }
      const started = performance.now()
      const { result, late } = await within(timeoutMs, signal, (ends) => post(connection, sent, body, ends))
      const durationMs = Math.round(performance.now() - started)
      if (!('error' in result)) return { sent, durationMs, response: result }
      if (signal.aborted) return { sent, durationMs, failure: failure('aborted') }
      const overdue = failure('timeout', `no complete response within ${timeoutMs / 1000} s`)
      return { sent, durationMs, failure: late ? overdue : result }
    },
    close() {
      for (const agent of [vetted, routed.http, routed.https, unverified]) agent.destroy()
    },
  }
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
