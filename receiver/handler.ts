import type { Request, RequestHandler } from 'express'
import getRawBody from 'raw-body'
import { type RefusalCode, refusal } from './errors.ts'
import type { Inbox } from './inbox.ts'
import { requireWhole } from './options.ts'
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
  /** Told of each delivery after its answer; the place to log, and to wake the processing. */
  onOutcome?: (outcome: DeliveryOutcome) => void
}

const RETRY_AFTER_SECONDS = '5'

/**
 * An Express handler for POST: reads the bytes, verifies, stores, answers 200. Processing is somebody else's work.
 * Mount it before any body parser, or behind `express.raw({ type: () => true, inflate: false })`.
 * SPEC.md 1, 4, 5, 6 and 10.
 * @throws TypeError if the limit is no whole number above 0.
 */
export function webhookHandler(options: HandlerOptions): RequestHandler {
  const { verify, inbox, limitBytes = 1024 * 1024, onOutcome = () => {} } = options
  requireWhole({ limitBytes })

  return async (request, response) => {
    try {
      const body = await readBody(request, limitBytes)
      // headersDistinct: plain `headers` would hide that the header came twice.
      const delivery = verify(body, request.headersDistinct['x-service-signature'])
      const outcome = await store(inbox, delivery)
      response.json({ received: true })
      onOutcome({ outcome, status: 200, delivery })
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      // Whoever is still sending must be heard out, or the answer is lost with the connection.
      request.resume()
      if (error.status === 503) response.set('Retry-After', RETRY_AFTER_SECONDS)
      response.status(error.status).json({ error: error.message, code: error.code })
      onOutcome({ outcome: 'refused', status: error.status, error })
    }
  }
}

async function store(inbox: Inbox, delivery: VerifiedDelivery): Promise<'stored' | 'duplicate'> {
  try {
    return await inbox.accept(delivery)
  } catch (error) {
    throw refusal('store_unavailable', error)
  }
}

/** raw-body's error types, as our codes. */
const bodyRefusals = new Map<unknown, RefusalCode>([
  ['entity.too.large', 'body_too_large'],
  ['stream.not.readable', 'body_already_read'],
  ['stream.encoding.set', 'body_already_read'],
])

/** The bytes as received: content type and encoding are labels, and the signature covers only the bytes. */
async function readBody(request: Request, limit: number): Promise<Buffer> {
  if (Buffer.isBuffer(request.body)) return request.body
  if (request.readableDidRead) throw refusal('body_already_read')
  try {
    return await getRawBody(request, { limit, length: request.headers['content-length'] ?? null })
  } catch (error) {
    // A connection that broke leaves an unreadable stream too, and that is no parser's doing.
    const broken = request.destroyed && !request.complete
    const code = bodyRefusals.get((error as { type?: unknown }).type)
    throw refusal(broken || code === undefined ? 'body_truncated' : code, error)
  }
}
