import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Delivery } from '../contracts/webhook/delivery.ts'
import type { Target } from '../contracts/webhook/target.ts'
import type { WireError } from '../engine/exchange.ts'
import { afterAwake } from '../engine/time/awake.ts'
import { classify, timedOut } from '../engine/wire/errors.ts'
import { destination, headerLines } from '../engine/wire/request.ts'
import { readResponse } from '../engine/wire/responses.ts'
import { tlsOptions } from '../engine/wire/trust.ts'

/** A delivery that was sent, and its response; times are those of `performance.now()`. */
export interface Attempt {
  readonly delivery: Delivery
  readonly sentAt: number
  /** When the first byte of the response arrived; undefined without a response. */
  readonly answeredAt: number | undefined
  readonly status: number | undefined
  /** Why there is no response. */
  readonly error: WireError | undefined
}

/**
 * Sends one delivery on a new connection. A response counts once its head has arrived.
 *
 * @param onFirstByte called with the first bytes of a response as soon as they arrive, if they begin a 200
 */
export function send(
  delivery: Delivery,
  target: Target,
  onFirstByte: () => void = () => undefined,
): Promise<Attempt> {
  const isSecure = target.url.protocol === 'https:'
  const client = isSecure ? https : http
  return new Promise((resolve) => {
    const sentAt = performance.now()
    let answeredAt: number | undefined
    // Only the first call counts.
    const settle = (result: Pick<Attempt, 'status' | 'error'>): void =>
      resolve({ delivery, sentAt, answeredAt, ...result })
    const request = client.request({
      ...destination(target.url),
      ...(isSecure ? tlsOptions(target.trust) : {}),
      agent: false,
      method: delivery.method,
      headers: [...headerLines(delivery, target), ['Connection', 'close']].flat(),
    })
    // What follows the head changes nothing, but is read, within the same limits.
    const cancelDeadline = afterAwake(target.timeoutMs, () => {
      settle({ status: undefined, error: timedOut(target.timeoutMs) })
      request.destroy()
    })
    request.on('socket', (socket: Socket) => {
      socket.on('error', () => undefined)
      // Before the parser, so that a kill comes as early as the byte does.
      socket.prependOnceListener('data', (chunk: Buffer) => {
        answeredAt = performance.now()
        if (/^HTTP\/1\.[01] 200\b/.test(chunk.subarray(0, 16).toString('latin1'))) onFirstByte()
      })
    })
    request.on('response', ({ statusCode: status }) => settle({ status, error: undefined }))
    readResponse(
      request,
      ({ status }) => {
        cancelDeadline()
        settle({ status, error: undefined })
      },
      (error) => {
        cancelDeadline()
        settle({ status: undefined, error: classify(error) })
      },
    )
    request.end(delivery.body)
  })
}
