// The core, without HTTP: verify the bytes, store the event, then acknowledge it. You can copy it together with verify.ts.
import { createVerifier, type VerifierOptions, type Verify, WebhookError } from './verify.js'

/** Why something other than its signature keeps a delivery from being stored. SPEC.md 1, 4, 6, 8 and 10. */
export const receiveRefusals = {
  method_not_allowed: { status: 405, message: 'Send deliveries with POST.' },
  body_too_large: { status: 413, message: 'The body exceeds the size limit of this receiver.' },
  body_truncated: { status: 400, message: 'The body ended before it was complete.' },
  body_already_read: { status: 500, message: 'Mount this route before express.json() or any body parser.' },
  body_not_json: { status: 400, message: 'The body is not valid JSON in UTF-8.' },
  body_not_event: { status: 400, message: 'The body is not an event: it needs event and payment_id.' },
  store_unavailable: { status: 503, message: 'The delivery cannot be stored right now. Retry later.' },
} as const

/** Creates the error for a code; `cause` is for the log and never part of an answer. */
export const refusal = (code: keyof typeof receiveRefusals, cause?: unknown): WebhookError =>
  new WebhookError(code, receiveRefusals[code], { cause })

/** A parsed event. Only its name and payment id have been checked: unknown fields, names and codes are allowed. */
export type EventFields = { readonly event: string; readonly [field: string]: unknown }

declare const verified: unique symbol

/** A valid delivery. Only `readDelivery` creates one, so code that passes on an unverified body does not compile. */
export interface VerifiedDelivery {
  readonly [verified]: true
  readonly event: EventFields
  readonly name: string
  readonly paymentId: string
  /** Unix time in seconds. */
  readonly signedAt: number
  /** The exact bytes that were signed. */
  readonly body: Uint8Array
}

/** A delivery as received: every value of the header X-Service-Signature, and the unchanged bytes of the body. */
export type ReceivedDelivery = { readonly signature: readonly string[]; readonly body: Uint8Array }

/** The outcome of one delivery, for logs and metrics. It contains no secret; you may keep `delivery.body`. */
export type DeliveryOutcome =
  | { readonly outcome: 'stored' | 'duplicate'; readonly status: 200; readonly delivery: VerifiedDelivery }
  | { readonly outcome: 'refused'; readonly status: number; readonly error: WebhookError }

/** The answer to a delivery, to be written as it is. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly outcome: DeliveryOutcome
}

/** Receives one delivery. It rejects only for a fault of the program, never because of what was sent. */
export type Receive = (delivery: ReceivedDelivery) => Promise<Answer>

/** Stores the event of a delivery durably, unless it is already stored. Every `Inbox` does. SPEC.md 6 and 7. */
export type DeliveryStore = { accept(delivery: VerifiedDelivery): Promise<'stored' | 'duplicate'> }

/** The store, and the signing secrets or a verifier. */
export type ReceiverOptions = { inbox: DeliveryStore } & (VerifierOptions | { verify: Verify })

/** Creates the core, or throws TypeError if an option would accept or reject every delivery. SPEC.md 4, 5, 6, 10. */
export function createReceiver(options: ReceiverOptions): Receive {
  const verify = 'verify' in options ? options.verify : createVerifier(options)
  const { inbox } = options
  if (typeof inbox?.accept !== 'function')
    throw new TypeError('inbox: is missing, or was not awaited. Pass an inbox.')
  return async (received) => {
    try {
      const delivery = readDelivery(verify, received)
      return { ...ACKNOWLEDGEMENT, outcome: { outcome: await store(inbox, delivery), status: 200, delivery } }
    } catch (error) {
      return refuse(error)
    }
  }
}

async function store(inbox: DeliveryStore, delivery: VerifiedDelivery): Promise<'stored' | 'duplicate'> {
  try {
    return await inbox.accept(delivery)
  } catch (error) {
    throw error instanceof WebhookError ? error : refusal('store_unavailable', error)
  }
}

function answer(status: number, json: object, more: Record<string, string> = {}) {
  const body = JSON.stringify(json)
  const length = String(new TextEncoder().encode(body).length)
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length, ...more }
  return { status, headers, body }
}

// Serialized once, because every delivery gets it.
const ACKNOWLEDGEMENT = answer(200, { received: true })

/** The answer to a WebhookError: its code and message, without the cause. Throws any other error. SPEC.md 5 and 11. */
export function refuse(error: unknown): Answer {
  if (!(error instanceof WebhookError)) throw error
  const { status, code, message } = error
  const more: Record<string, string> =
    status === 503 ? { 'Retry-After': '5' } : status === 405 ? { Allow: 'POST' } : {}
  return { ...answer(status, { error: message, code }, more), outcome: { outcome: 'refused', status, error } }
}

/** Verifies one delivery and reads its event, or throws WebhookError. SPEC.md 4, 8 and 10. */
export function readDelivery(verify: Verify, { signature, body }: ReceivedDelivery): VerifiedDelivery {
  const signedAt = verify(body, signature)
  const { event, name, paymentId } = readEvent(body)
  return { event, name, paymentId, signedAt, body } as VerifiedDelivery
}

// Fatal: bytes that are not UTF-8 are rejected, not replaced. The decoder keeps no state between bodies.
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a body whose signature has been verified, or throws WebhookError. SPEC.md 8 and 10. */
export function readEvent(body: Uint8Array): { event: EventFields; name: string; paymentId: string } {
  let parsed: unknown
  try {
    parsed = JSON.parse(utf8.decode(body))
  } catch {
    throw refusal('body_not_json')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw refusal('body_not_event')
  const fields = parsed as Record<string, unknown>
  // A simulated event of a test checkout may omit its name; its status then implies the name.
  const { event, test, status } = fields
  const isSimulated = event === undefined && test === true && (status === 'completed' || status === 'failed')
  const name = isSimulated ? `payment.${status}` : event
  const paymentId = fields['payment_id'] ?? fields['id']
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  if (!isText(name) || !isText(paymentId)) throw refusal('body_not_event')
  return { event: isSimulated ? { ...fields, event: name } : (fields as EventFields), name, paymentId }
}
