import type { Request, RequestHandler } from 'express'
import { drainRequest, readBody } from './body.ts'
import { refusal } from './errors.ts'
import type { Inbox } from './inbox.ts'
import { requireWhole } from './options.ts'
import { createOverload, type Overload } from './overload.ts'
import { type VerifiedDelivery, type Verify, WebhookError } from './verify.ts'

/** What became of one delivery, told after it was answered. Contains no secret; `delivery.body` is for you to keep. */
export type DeliveryOutcome =
  | { outcome: 'stored' | 'duplicate'; status: 200; delivery: VerifiedDelivery }
  | { outcome: 'refused'; status: number; error: WebhookError }

export interface HandlerOptions {
  verify: Verify
  inbox: Inbox
  /** The largest body taken, in bytes. */
  limitBytes?: number
  /** How long a body may take to arrive, in milliseconds. */
  bodyWithinMs?: number
  /** What is taken on at once, at most: by this handler, and by all others that share it. */
  overload?: Overload
  /** Told of each delivery after its answer; the place to log, and to wake the processing. */
  onOutcome?: (outcome: DeliveryOutcome) => void
}

const RETRY_AFTER_SECONDS = '5'

// Written as it is: response.json would make the same bytes anew for each delivery, for a fifth of the time of the path.
const ACKNOWLEDGED = JSON.stringify({ received: true })
const ACKNOWLEDGED_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(ACKNOWLEDGED),
}

/**
 * An Express handler for POST: reads the bytes, verifies, stores, answers 200. Processing is somebody else's work.
 * Mount it before any body parser, or behind `express.raw({ type: () => true, inflate: false })`.
 * SPEC.md 1, 4, 5, 6 and 10.
 * @throws TypeError if a number is no whole number above 0.
 */
export function webhookHandler(options: HandlerOptions): RequestHandler {
  const { verify, inbox, limitBytes = 1024 * 1024, bodyWithinMs = 10_000, onOutcome = () => {} } = options
  const { overload = createOverload() } = options
  requireWhole({ limitBytes, bodyWithinMs })
  const limits = { limitBytes, withinMs: bodyWithinMs, overload }

  return async (request, response) => {
    let heldBytes = 0
    try {
      overload.requireRoom()
      const body = Buffer.isBuffer(request.body) ? request.body : await readBody(request, limits)
      if (body !== request.body) heldBytes = body.length
      const delivery = verify(body, valuesOf('x-service-signature', request))
      const outcome = await store(inbox, delivery, overload)
      response.writeHead(200, ACKNOWLEDGED_HEADERS).end(ACKNOWLEDGED)
      onOutcome({ outcome, status: 200, delivery })
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      // Whoever is too slow is not waited for any longer; whoever else is still sending must be heard out, or the answer
      // is lost with the connection.
      if (error.status === 408) response.set('Connection', 'close')
      else drainRequest(request)
      if (error.status === 503) response.set('Retry-After', RETRY_AFTER_SECONDS)
      response.status(error.status).json({ error: error.message, code: error.code })
      onOutcome({ outcome: 'refused', status: error.status, error })
    } finally {
      overload.release(heldBytes)
    }
  }
}

/** Every value of a header as it came: `headers` would hide that it came twice, `headersDistinct` sorts all the others. */
function valuesOf(name: string, { rawHeaders }: Request): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

async function store(
  inbox: Inbox,
  delivery: VerifiedDelivery,
  overload: Overload,
): Promise<'stored' | 'duplicate'> {
  const waiting = overload.begin()
  try {
    return await inbox.accept(delivery)
  } catch (error) {
    throw refusal('store_unavailable', error)
  } finally {
    overload.end(waiting)
  }
}
