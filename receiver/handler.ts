import type { Request, RequestHandler } from 'express'
import { drainRequest } from './body/drain.ts'
import { readBody } from './body/read.ts'
import { discardRequest } from './body/turns.ts'
import { type RefusalCode, refusal } from './errors.ts'
import type { Inbox } from './inbox.ts'
import { requirePositiveIntegers } from './options.ts'
import { createOverload, type Overload } from './overload.ts'
import { type VerifiedDelivery, type Verify, WebhookError } from './verify.ts'

/** The outcome of one delivery, reported after the answer. It contains no secret; you may keep `delivery.body`. */
export type DeliveryOutcome =
  | { outcome: 'stored' | 'duplicate'; status: 200; delivery: VerifiedDelivery }
  | { outcome: 'refused'; status: number; error: WebhookError }

export interface HandlerOptions {
  verify: Verify
  inbox: Inbox
  /** The maximum size of a body, in bytes. */
  limitBytes?: number
  /** How long a body may take to arrive, in milliseconds. */
  bodyTimeoutMs?: number
  /** Limits the load; handlers that share it share its limits. */
  overload?: Overload
  /** Called with each delivery after the answer: log it, and wake the processing. */
  onOutcome?: (outcome: DeliveryOutcome) => void
}

/** Senders of these bodies are cut off, because the rest of the body would take too long or too much work to drain. */
const CUT_OFF: ReadonlySet<string> = new Set<RefusalCode>([
  'body_too_slow',
  'body_too_fragmented',
  'body_evicted',
])

const RETRY_AFTER_SECONDS = '5'

// Serialized once: response.json would do it for each delivery and take a fifth of the time of the entire path.
const ACKNOWLEDGED = JSON.stringify({ received: true })
const ACKNOWLEDGED_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(ACKNOWLEDGED),
}

/**
 * An Express handler for POST: reads the bytes, verifies, stores and answers 200. It does not process events (see
 * `startProcessing`). Mount it before any body parser, or after `express.raw({ type: () => true, inflate: false })`.
 * SPEC.md 1, 4, 5, 6 and 10.
 * @throws TypeError if a number is not an integer of at least 1.
 */
export function webhookHandler(options: HandlerOptions): RequestHandler {
  const { verify, inbox, limitBytes = 1024 * 1024, bodyTimeoutMs = 10_000, onOutcome = () => {} } = options
  const { overload = createOverload() } = options
  requirePositiveIntegers({ limitBytes, bodyTimeoutMs })
  const limits = { limitBytes, timeoutMs: bodyTimeoutMs, overload }

  return async (request, response) => {
    let reservedBytes = 0
    try {
      overload.requireCapacity()
      const body = Buffer.isBuffer(request.body) ? request.body : await readBody(request, limits)
      if (body !== request.body) reservedBytes = body.length
      const delivery = verify(body, valuesOf('x-service-signature', request))
      const outcome = await store(inbox, delivery, overload)
      response.writeHead(200, ACKNOWLEDGED_HEADERS).end(ACKNOWLEDGED)
      onOutcome({ outcome, status: 200, delivery })
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      // From most senders the rest of the body is drained, or the answer could be lost with the connection.
      if (CUT_OFF.has(error.code)) {
        response.set('Connection', 'close')
        discardRequest(request)
      } else drainRequest(request)
      if (error.status === 503) response.set('Retry-After', RETRY_AFTER_SECONDS)
      response.status(error.status).json({ error: error.message, code: error.code })
      onOutcome({ outcome: 'refused', status: error.status, error })
    } finally {
      overload.release(reservedBytes)
    }
  }
}

/** Every value of a header as received: `headers` would hide a duplicate, and `headersDistinct` parses all headers. */
function valuesOf(name: string, { rawHeaders }: Request): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

async function store(
  inbox: Inbox,
  delivery: VerifiedDelivery,
  overload: Overload,
): Promise<'stored' | 'duplicate'> {
  const waiting = overload.enter()
  try {
    return await inbox.accept(delivery)
  } catch (error) {
    throw refusal('store_unavailable', error)
  } finally {
    overload.leave(waiting)
  }
}
