import { type FetchHandler, webHandler } from '../fetch.ts'
import { type ReceiverOptions, refuse } from '../receive.ts'
import { guardOutcome, type OutcomeOptions } from './outcome.ts'
import { type LimitOptions, limitedReceiver, limitsOf } from './overload.ts'
import { refusal } from './refusals.ts'
import { readWebBody } from './web-body.ts'

export type { FetchHandler } from '../fetch.ts'
export type { OnOutcome, OutcomeOptions } from './outcome.ts'
export type { LimitOptions } from './overload.ts'

export type FetchOptions = ReceiverOptions & LimitOptions & OutcomeOptions

/** Makes the options, for example after it has opened the inbox. */
export type FetchOptionsLater = () => FetchOptions | Promise<FetchOptions>

/**
 * A handler for POST with the web standard's `Request` and `Response`, for Hono, Next.js, SvelteKit, Bun, Deno, workerd and
 * others: reads the bytes within limits, verifies, stores and answers 200. It does not process events (see
 * `startProcessing`). SPEC.md 1, 4, 5, 6 and 10.
 * @param options the options, or a function that returns them, which runs at the first request: for frameworks that load routes
 * while they build, when there is no secret and no inbox should be opened. While it fails, requests get 500 and call it again.
 * @throws TypeError if an option would accept or reject every delivery, or a number is not an integer of at least 1.
 * @example
 * export const POST = fetchHandler(async () => ({ secrets: process.env.WEBHOOK_SECRET, inbox: await sqliteInbox({ path }) }))
 */
export function fetchHandler(options: FetchOptions | FetchOptionsLater): FetchHandler {
  return typeof options === 'function' ? startedByRequest(options) : handlerWith(options)
}

function handlerWith(options: FetchOptions): FetchHandler {
  const limits = limitsOf(options)
  const readBody = (request: Request) => readWebBody(request, limits)
  const receive = limitedReceiver(options, limits.overload)
  return webHandler(receive, guardOutcome(options, logError), readBody)
}

function startedByRequest(start: FetchOptionsLater): FetchHandler {
  let options: Promise<FetchOptions> | undefined
  let handle: FetchHandler | undefined
  const report = guardOutcome({}, logError)
  return async (request) => {
    try {
      options ??= Promise.resolve().then(start)
      // Options that are wrong stay wrong: they are not made again.
      const made = await options.catch((error: unknown) => {
        options = undefined
        throw error
      })
      handle ??= handlerWith(made)
    } catch (error) {
      const { status, headers, body, outcome } = refuse(refusal('internal_error', error))
      report(outcome)
      return new Response(body, { status, headers })
    }
    return handle(request)
  }
}

// Every runtime has it, unlike a file descriptor for standard error.
// oxlint-disable-next-line no-console
const logError = (line: string): void => console.error(`hookproof: ${line}`)
