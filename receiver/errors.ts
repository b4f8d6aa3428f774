import { inspect } from 'node:util'
import { verificationRefusals, WebhookError } from './verify.ts'

/**
 * Every code that the receiver answers with: those of the verifier, and those of the rest of the receiver. A code never
 * changes its meaning; a message may be reworded at any time. SPEC.md 5, 6 and 10.
 */
export const refusals = {
  ...verificationRefusals,
  body_too_large: { status: 413, message: 'The body exceeds the size limit of this receiver.' },
  body_too_slow: { status: 408, message: 'The body did not arrive in time. Retry the delivery.' },
  body_truncated: { status: 400, message: 'The body ended before it was complete.' },
  body_too_fragmented: {
    status: 400,
    message: 'The body arrived in too many small chunks. Send it in larger chunks.',
  },
  body_evicted: {
    status: 503,
    message: 'The receiver is overloaded and dropped this incomplete body. Retry later.',
  },
  body_already_read: {
    status: 500,
    message:
      'A body parser consumed the request body, so its original bytes are lost. Mount the webhook route before express.json().',
  },
  store_unavailable: { status: 503, message: 'The delivery cannot be stored right now. Retry later.' },
  overloaded: {
    status: 503,
    message: 'The receiver is overloaded. Retry later.',
  },
  request_malformed: { status: 400, message: 'The request is not valid HTTP/1.1.' },
  request_too_slow: { status: 408, message: 'The request did not arrive in time.' },
  head_too_large: { status: 431, message: 'The request line and headers exceed 16 KiB.' },
  expectation_failed: { status: 417, message: 'The only expectation that is supported is 100-continue.' },
  method_not_allowed: { status: 405, message: 'Send deliveries with POST.' },
  not_found: { status: 404, message: 'Not found.' },
  payment_id_missing: { status: 400, message: 'Pass the id of one payment: /observe?payment_id=<id>.' },
  internal_error: { status: 500, message: 'Internal error. See the log of the receiver.' },
} as const

export type RefusalCode = keyof typeof refusals

/** Creates the error for a code; `cause` is for the log and never part of an answer. */
export function refusal(code: RefusalCode, cause?: unknown): WebhookError {
  return new WebhookError(code, refusals[code], cause === undefined ? {} : { cause })
}

/** Describes anything that was thrown in one line of at most 500 characters, without the stack. */
export function inOneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : inspect(error)
  return text.replaceAll(/\s+/g, ' ').slice(0, 500)
}
