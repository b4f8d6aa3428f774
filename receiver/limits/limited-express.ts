import type { IncomingMessage, ServerResponse } from 'node:http'
import { type NodeHandler, nodeHandler } from '../express.ts'
import { type ReceiverOptions, refuse } from '../receive.ts'
import { inOneLine } from '../shared/errors.ts'
import { logLine } from '../shared/log-line.ts'
import { type DrainOptions, drainRequest } from './body/drain.ts'
import { readWithinLimits } from './node-body.ts'
import { guardOutcome, type OutcomeOptions } from './outcome.ts'
import { type LimitOptions, limitedReceiver, limitsOf } from './overload.ts'
import { refusal } from './refusals.ts'

export type { NodeHandler } from '../express.ts'
export type { OnOutcome, OutcomeOptions } from './outcome.ts'
export type { LimitOptions } from './overload.ts'
export { type DrainOptions, drainRequest }

export type HandlerOptions = ReceiverOptions & LimitOptions & OutcomeOptions

/**
 * A handler for POST in Express, and in every stack with node:http's request and response: reads the bytes within limits,
 * verifies, stores and answers 200. It does not process events (see `startProcessing`). Mount it before any body parser, or
 * after `express.raw({ type: () => true, inflate: false })`. SPEC.md 1, 4, 5, 6 and 10.
 * @throws TypeError if an option would accept or reject every delivery, or a number is not an integer of at least 1.
 */
export function webhookHandler(options: HandlerOptions): NodeHandler {
  const limits = limitsOf(options)
  const readBody = (request: IncomingMessage, response: ServerResponse) =>
    readWithinLimits(request, response, limits)
  const receive = limitedReceiver(options, limits.overload)
  const handle = nodeHandler(receive, guardOutcome(options, logLine), readBody)
  return (request, response, next = (error) => answerFault(response, error)) => {
    if (typeof response?.writeHead !== 'function') {
      return Promise.reject(new TypeError(WRONG_STACK))
    }
    // Node.js would read an endless body until the request times out.
    if (request.method !== 'POST') drainRequest(request)
    return handle(request, response, next)
  }
}

const WRONG_STACK =
  'webhookHandler: it was not called with the request and response of node:http. Use webhookPlugin for Fastify, and fetchHandler where handlers get a Request.'

/** For stacks without `next`, such as plain node:http, where a rejected promise would end the process. */
function answerFault(response: ServerResponse, error: unknown): void {
  logLine(`a delivery failed: ${inOneLine(error)}`)
  if (response.headersSent) return void response.destroy()
  const { status, headers, body } = refuse(refusal('internal_error'))
  response.writeHead(status, headers).end(body)
}
