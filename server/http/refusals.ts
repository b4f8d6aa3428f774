import { refusals } from '@hookproof/receiver'

/** Why the server refuses what is no delivery, or no request at all. A code never changes its meaning. SPEC.md 1 and 10. */
export const serverRefusals = {
  request_malformed: { status: 400, message: 'The request is not valid HTTP/1.1.' },
  request_too_slow: { status: 408, message: 'The request did not arrive in time.' },
  head_too_large: { status: 431, message: 'The request line and headers exceed 16 KiB.' },
  expectation_failed: { status: 417, message: 'The only expectation that is supported is 100-continue.' },
  not_found: { status: 404, message: 'Not found.' },
  payment_id_missing: { status: 400, message: 'Pass the id of one payment: /observe?payment_id=<id>.' },
} as const

/** Every code that the receiver answers with. */
export const allRefusals = { ...refusals, ...serverRefusals }

export type RefusalCode = keyof typeof allRefusals
