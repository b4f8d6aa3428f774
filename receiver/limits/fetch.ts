import { type FetchHandler, webHandler } from '../fetch.ts'
import type { DeliveryOutcome, ReceiverOptions } from '../receive.ts'
import { type LimitOptions, limitsOf } from './options.ts'
import { limitedReceiver } from './receiver.ts'
import { readWebBody } from './web-body.ts'

export type { FetchHandler } from '../fetch.ts'
export type { LimitOptions } from './options.ts'

export type FetchOptions = ReceiverOptions &
  LimitOptions & {
    /** Called with each delivery before its answer is returned: log it, and wake the processing. */
    onOutcome?: (outcome: DeliveryOutcome) => void
  }

/**
 * A handler for POST with the web standard's `Request` and `Response`, for Hono, Next.js, SvelteKit, Bun, Deno, workerd and
 * others: reads the bytes within limits, verifies, stores and answers 200. It does not process events (see
 * `startProcessing`). SPEC.md 1, 4, 5, 6 and 10.
 * @throws TypeError if an option would accept or reject every delivery, or a number is not an integer of at least 1.
 */
export function fetchHandler(options: FetchOptions): FetchHandler {
  const limits = limitsOf(options)
  const readBody = (request: Request) => readWebBody(request, limits)
  return webHandler(limitedReceiver(options, limits.overload), options.onOutcome, readBody)
}
