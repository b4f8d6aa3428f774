import http from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery, HeaderLine } from '../delivery.ts'
import type { Answer, Exchange } from '../exchange.ts'
import type { Target } from '../target.ts'
import { afterAwake, stopwatch } from '../time/awake.ts'
import { KEPT_BYTES, reasonOf } from './answers.ts'
import { writeBody } from './body.ts'
import { classify, timedOut } from './errors.ts'
import { destination, headerLines } from './head.ts'
import { sendRaw } from './raw.ts'
import { tlsOptions } from './trust.ts'

const SETTLE_MS = 30

/** Sends deliveries to one target. */
export interface Sender {
  /** Sends one delivery and waits for its response; a connection error is a result, not an exception. */
  readonly send: (delivery: Delivery) => Promise<Exchange>
  /** A sender that uses one connection as long as the receiver keeps it open. */
  readonly onOneConnection: () => Sender
  /** Sends several deliveries at the same time, by the sender that it passes to `send`. */
  readonly group: <T>(count: number, send: (sender: Sender) => Promise<T>) => Promise<T>
  /** Closes the idle connections. */
  readonly close: () => void
}

/**
 * Makes a sender on node:http: a client library would take longer to load than a run takes, and would normalize headers.
 */
export function createSender(target: Target, connections = Number.POSITIVE_INFINITY): Sender {
  const isSecure = target.url.protocol === 'https:'
  const client = isSecure ? https : http
  const settings = isSecure ? tlsOptions(target.trust) : {}
  const agent = new client.Agent({ ...settings, keepAlive: true, maxSockets: connections })
  // Keeps none of its connections, so that each one is new.
  const fresh = new client.Agent({ ...settings, keepAlive: true })
  fresh.maxFreeSockets = 0
  const options = destination(target.url)

  async function send(delivery: Delivery): Promise<Exchange> {
    if (delivery.transport?.kind === 'raw') return sendRaw(delivery, target)
    const { exchange, stale } = await attempt(delivery, agent)
    // The receiver notices a broken connection only after a moment.
    if (exchange.unanswered === true) await pause(SETTLE_MS)
    // A receiver may close an idle connection just as it is reused. Another idle one may end in the same way.
    if (!stale) return exchange
    const again = (await attempt(delivery, fresh)).exchange
    // Nobody is there any more: the delivery itself may have been the reason.
    return again.error?.code === 'refused' ? exchange : again
  }

  function attempt(delivery: Delivery, by: http.Agent): Promise<{ exchange: Exchange; stale: boolean }> {
    return new Promise((resolve) => {
      const taken = stopwatch()
      const headers = headerLines(delivery, target).flat()
      const path = delivery.route?.(options.path) ?? options.path
      const request = client.request({ ...options, path, agent: by, method: delivery.method, headers })
      let bytesBefore = 0
      request.on('socket', (socket) => {
        bytesBefore = socket.bytesRead
        // A receiver may answer and reset while the body is still being sent: that error can follow the response, when
        // node:http no longer listens, and would end this process.
        if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
      })
      const settle = (result: Partial<Exchange>, stale = false): void => {
        cancel()
        if (result.answer === undefined) request.destroy()
        // Only the first call counts; a promise ignores the others.
        resolve({ exchange: { delivery, answer: undefined, error: undefined, ...result }, stale })
      }
      const cancel = afterAwake(target.timeoutMs, () => settle({ error: timedOut(target.timeoutMs) }))
      request.on('error', (failure) => {
        const error = classify(failure)
        const isSilent = (request.socket?.bytesRead ?? 0) === bytesBefore
        settle({ error }, request.reusedSocket && isSilent && error.code === 'reset')
      })
      request.on('response', (response) => {
        const time = taken()
        collect(response).then(
          ({ body, truncated }) => settle({ answer: answerOf(response, body, truncated, time) }),
          (failure: unknown) => settle({ error: classify(failure) }),
        )
      })
      writeBody(request, delivery).then(
        (complete) => (complete ? undefined : settle({ unanswered: true })),
        (failure: unknown) => settle({ error: classify(failure) }),
      )
    })
  }

  const sender: Sender = {
    send,
    group: (_, together) => together(sender),
    onOneConnection: () => createSender(target, 1),
    close() {
      agent.destroy()
      fresh.destroy()
    },
  }
  return sender
}

const ignore = (): void => undefined

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

function answerOf(
  response: http.IncomingMessage,
  body: Buffer,
  truncated: boolean,
  time: Pick<Answer, 'ms' | 'wallMs'>,
): Answer {
  const raw = response.rawHeaders
  const headers: HeaderLine[] = []
  for (let index = 0; index < raw.length; index += 2) headers.push([raw[index] ?? '', raw[index + 1] ?? ''])
  const status = response.statusCode ?? 0
  return { status, ...reasonOf(status, response.statusMessage), headers, body, truncated, ...time }
}
