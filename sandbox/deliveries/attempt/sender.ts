import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { vettedLookup } from '../targets/lookup.ts'
import type { Routes } from '../targets/routes.ts'
import { checkTarget } from '../targets/targets.ts'
import { type Failure, failure } from './failure.ts'
import { post, type Way } from './post.ts'
import type { Answer } from './response.ts'

export interface SenderOptions {
  /** The operator's routes. */
  readonly routes?: Routes | undefined
  /** From the first look at the name to the last byte of the answer, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca?: string | undefined
  /** How names are resolved where no route leads; injected by tests. */
  readonly lookup?: LookupFunction | undefined
}

/** One attempt, ready to go onto the wire. */
interface Outgoing {
  /** The recipient's registered URL. */
  readonly url: string
  readonly body: Uint8Array
  /** The value of X-Service-Signature. */
  readonly signature: string
}

/** What became of an attempt: an answer or a failure. */
export interface Exchange {
  /** All headers as they went out; none when the target was refused. */
  readonly sent: Record<string, string>
  readonly durationMs: number
  readonly answer?: Answer
  readonly failure?: Failure
}

/** Sends attempts; keeps connections open between them. */
export interface Sender {
  /** Never rejects: what goes wrong on the way is a result. The signal breaks it off. */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<Exchange>
  close(): void
}

/**
 * Makes the sender of interface 4.8: POSTs the exact bytes to public HTTPS targets, or where a route leads. It connects
 * to the address that was vetted, with the Host and the server name of the registered URL. A redirect is an answer like
 * any other and is not followed: it could lead anywhere.
 */
export function createSender(options: SenderOptions = {}): Sender {
  const { routes = () => undefined, timeoutMs = 10_000, ca, lookup = vettedLookup() } = options
  // Apart, so that a connection which a route opened to a private address is never used for another target.
  const vetted = new https.Agent({ keepAlive: true })
  const routed = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }

  function wayTo(url: string): Way | Failure {
    const route = URL.canParse(url) ? routes(new URL(url)) : undefined
    if (route?.protocol === 'http:') return { url: route, agent: routed.http }
    if (route !== undefined) return { url: route, agent: routed.https, ca }
    const target = checkTarget(url)
    return target.ok ? { url: target.url, agent: vetted, lookup, ca } : failure('blocked', target.refused)
  }

  return {
    async send({ url, body, signature }, signal) {
      const way = wayTo(url)
      if ('error' in way) return { sent: {}, durationMs: 0, failure: way }
      const sent = {
        Host: new URL(url).host,
        'User-Agent': 'hookproof-sandbox',
        'Content-Type': 'application/json',
        'X-Service-Signature': signature,
        'Content-Length': String(body.length),
        Connection: 'keep-alive',
      }
      const started = performance.now()
      const { result, late } = await within(timeoutMs, signal, (ends) => post(way, sent, body, ends))
      const durationMs = Math.round(performance.now() - started)
      if (!('error' in result)) return { sent, durationMs, answer: result }
      if (signal.aborted) return { sent, durationMs, failure: failure('aborted') }
      const overdue = failure('timeout', `no whole answer came within ${timeoutMs / 1000} s`)
      return { sent, durationMs, failure: late ? overdue : result }
    },
    close() {
      for (const agent of [vetted, routed.http, routed.https]) agent.destroy()
    },
  }
}

/** Gives work a signal that ends it with another, or when its time is over. */
async function within<Result>(
  ms: number,
  signal: AbortSignal,
  work: (ends: AbortSignal) => Promise<Result>,
): Promise<{ result: Result; late: boolean }> {
  const ending = new AbortController()
  const end = () => ending.abort()
  let late = false
  // AbortSignal.timeout would leave a timer behind for each of thousands of attempts.
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
