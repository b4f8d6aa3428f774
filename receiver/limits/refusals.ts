import { receiveRefusals } from '../receive.ts'
import { verificationRefusals, WebhookError } from '../verify.ts'

/** Why the limits refuse a delivery, and the answer to a fault of the program. SPEC.md 10. */
const moreRefusals = {
  body_too_slow: { status: 408, message: 'The body did not arrive in time. Retry the delivery.' },
  body_too_fragmented: {
    status: 400,
    message: 'The body arrived in too many small chunks. Send it in larger chunks.',
  },
  body_evicted: {
    status: 503,
    message: 'The receiver is overloaded and dropped this incomplete body. Retry later.',
  },
  overloaded: { status: 503, message: 'The receiver is overloaded. Retry later.' },
  internal_error: { status: 500, message: 'Internal error. See the log of the receiver.' },
} as const

/**
 * Every code that a delivery is refused with: those of the verifier, of the core and of the limits. A code never changes its
 * meaning; a message may be reworded at any time. SPEC.md 5, 6 and 10.
 */
export const refusals = { ...verificationRefusals, ...receiveRefusals, ...moreRefusals }

export type RefusalCode = keyof typeof refusals

/** Creates the error for a code; `cause` is for the log and never part of an answer. */
export function refusal(code: RefusalCode, cause?: unknown): WebhookError {
  return new WebhookError(code, refusals[code], { cause })
}

/** Senders of these bodies are cut off, because the rest of the body would take too long or too much work to drain. */
const CUT_OFF: ReadonlySet<string> = new Set<RefusalCode>([
  'body_too_slow',
  'body_too_fragmented',
  'body_evicted',
])

/** Whether the sender of a body is cut off after the answer. The rest of every other refused body is drained. */
export const isCutOff = (error: unknown): boolean => error instanceof WebhookError && CUT_OFF.has(error.code)
