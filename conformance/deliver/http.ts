import http from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery, HeaderLine } from '../case/delivery.ts'
import type { Answer, Exchange } from '../case/model.ts'
import type { Target } from '../run/target.ts'
import { framing, writeBody } from './body.ts'
import { classify, timedOut } from './errors.ts'

/** How much of an answer's body is kept, in bytes. */
export const KEPT_BYTES = 64 * 1024

const SETTLE_MS = 30

/** Sends deliveries to one target. */
export interface Sender {
  /** Sends one delivery and waits for its answer; a failure on the wire is a result, not an exception. */
  readonly send: (delivery: Delivery) => Promise<Exchange>
  /** A sender that keeps to one connection as long as the receiver leaves it open. */
  readonly onOneConnection: () => Sender
  /** Closes the connections that were kept open. */
  readonly close: () => void
}

/**
 * Makes a sender on node:http: a client library would cost more time to load than a run takes, and would write
 * headers in its own way.
 */
export function createSender(target: Target, connections = Number.POSITIVE_INFINITY): Sender {
  const client = target.url.protocol === 'https:' ? https : http
  const agent = new client.Agent({ keepAlive: true, maxSockets: connections })
  const options = { ...destination(target.url), agent }

  async function send(delivery: Delivery): Promise<Exchange> {
    const { exchange, stale } = await attempt(delivery)
    // Whatever a broken connection does to the receiver, it takes a moment to be seen there.
    if (exchange.unanswered === true) await pause(SETTLE_MS)
    // A receiver may close an idle connection just as it is used again: that is its right, so send on a new one.
    return stale ? (await attempt(delivery)).exchange : exchange
  }

  function attempt(delivery: Delivery): Promise<{ exchange: Exchange; stale: boolean }> {
    return new Promise((resolve) => {
      const started = performance.now()
      const headers = headerLines(delivery, target).flat()
      const request = client.request({ ...options, method: delivery.method, headers })
      const settle = (came: Partial<Exchange>, stale = false): void => {
        clearTimeout(deadline)
        if (came.answer === undefined) request.destroy()
        // Only the first of these counts; a promise ignores the rest.
        resolve({ exchange: { delivery, answer: undefined, error: undefined, ...came }, stale })
      }
      const deadline = setTimeout(() => settle({ error: timedOut(target.timeoutMs) }), target.timeoutMs)
      request.on('error', (failure) => {
        const error = classify(failure)
        settle({ error }, request.reusedSocket && error.code === 'reset')
      })
      request.on('response', (response) => {
        const ms = performance.now() - started
        collect(response).then(
          ({ body, truncated }) => settle({ answer: answerOf(response, body, truncated, ms) }),
          (failure: unknown) => settle({ error: classify(failure) }),
        )
      })
      writeBody(request, delivery).then(
        (whole) => (whole ? undefined : settle({ unanswered: true })),
        (failure: unknown) => settle({ error: classify(failure) }),
      )
    })
  }

  return {
    send,
    onOneConnection: () => createSender(target, 1),
    close: () => agent.destroy(),
  }
}

/** All header lines of a delivery as they go out, in order. */
export function headerLines(delivery: Delivery, target: Target): HeaderLine[] {
  const name = inCase(target.signatureHeader, delivery.nameCase)
  const signature = delivery.signature.map((value): HeaderLine => [name, asBytes(value)])
  const given = new Set(target.headers.map(([own]) => own.toLowerCase()))
  const usual: HeaderLine[] = [
    ['Host', target.url.host],
    ['User-Agent', 'hookproof'],
  ]
  const ours = usual.filter(([own]) => !given.has(own.toLowerCase()))
  return [...ours, ...target.headers, ...delivery.headers, ...signature, ...framing(delivery)]
}

/** Where a URL leads, as a socket and a request line need it. */
export function destination(url: URL): { host: string; port: number; path: string } {
  const secure = url.protocol === 'https:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
  }
}

/** A header is bytes; text beyond ASCII travels as its UTF-8 bytes. */
function asBytes(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

function inCase(name: string, nameCase: Delivery['nameCase']): string {
  if (nameCase === 'lower') return name.toLowerCase()
  return nameCase === 'upper' ? name.toUpperCase() : name
}

function collect(response: http.IncomingMessage): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      if (size < KEPT_BYTES) chunks.push(chunk.subarray(0, KEPT_BYTES - size))
      size += chunk.length
    })
    response.on('end', () => resolve({ body: Buffer.concat(chunks), truncated: size > KEPT_BYTES }))
    response.on('error', reject)
  })
}

function answerOf(response: http.IncomingMessage, body: Buffer, truncated: boolean, ms: number): Answer {
  const raw = response.rawHeaders
  const headers: HeaderLine[] = []
  for (let index = 0; index < raw.length; index += 2) headers.push([raw[index] ?? '', raw[index + 1] ?? ''])
  return { status: response.statusCode ?? 0, headers, body, truncated, ms }
}
