import { type FetchHandler, webHandler } from '../fetch.ts'
import type { ReceiverOptions } from '../receive.ts'
import { guardOutcome, type OutcomeOptions } from './outcome.ts'
import { type LimitOptions, limitedReceiver, limitsOf } from './overload.ts'
import { readWebBody } from './web-body.ts'

export type { FetchHandler } from '../fetch.ts'
export type { OnOutcome, OutcomeOptions } from './outcome.ts'
export type { LimitOptions } from './overload.ts'

export type FetchOptions = ReceiverOptions & LimitOptions & OutcomeOptions

/**
 * A handler for POST with the web standard's `Request` and `Response`, for Hono, Next.js, SvelteKit, Bun, Deno, workerd and
 * others: reads the bytes within limits, verifies, stores and answers 200. It does not process events (see
 * `startProcessing`). SPEC.md 1, 4, 5, 6 and 10.
 * @throws TypeError if an option would accept or reject every delivery, or a number is not an integer of at least 1.
 */
export function fetchHandler(options: FetchOptions): FetchHandler {
  const limits = limitsOf(options)
  const readBody = (request: Request) => readWebBody(request, limits)
  const receive = limitedReceiver(options, limits.overload)
  return webHandler(receive, guardOutcome(options, logError), readBody)
}

// Every runtime has it, unlike a file descriptor for standard error.
// oxlint-disable-next-line no-console
const logError = (line: string): void => console.error(`hookproof: ${line}`)
