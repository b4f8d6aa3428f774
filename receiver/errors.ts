import { inspect } from 'node:util'
import { verificationRefusals, WebhookError } from './verify.ts'

/**
 * Every code that the receiver answers with: the verifier's own, and those of the way to it and from it.
 * A code never changes its meaning; a message may be reworded at any time. SPEC.md 5, 6 and 10.
 */
export const refusals = {
  ...verificationRefusals,
  body_too_large: { status: 413, message: 'The body is larger than this receiver takes.' },
  body_too_slow: { status: 408, message: 'The body did not arrive in time. Send it again.' },
  body_truncated: { status: 400, message: 'The body ended before all of it had arrived.' },
  body_already_read: {
    status: 500,
    message:
      'A body parser read the request first, so its bytes are gone. Mount the webhook route before express.json().',
  },
  store_unavailable: { status: 503, message: 'The delivery can not be stored just now. Send it again.' },
  overloaded: {
    status: 503,
    message: 'The receiver has more to do than it can. Send it again a little later.',
  },
  method_not_allowed: { status: 405, message: 'Deliveries come by POST.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  payment_id_missing: { status: 400, message: 'Name one payment: /observe?payment_id=<id>.' },
  internal_error: { status: 500, message: 'The receiver failed. Its log says why.' },
} as const

export type RefusalCode = keyof typeof refusals

/** Makes the error of one code; `cause` is for the log and never part of an answer. */
export function refusal(code: RefusalCode, cause?: unknown): WebhookError {
  return new WebhookError(code, refusals[code], cause === undefined ? {} : { cause })
}

/** An error in one line and without its stack: enough to recognise it by, of whatever was thrown. */
export function inOneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : inspect(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 500)
}
