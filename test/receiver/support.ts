import { createGenerator, serialize, sign } from '../../fixtures/index.ts'
import { readDelivery, type VerifiedDelivery } from '../../receiver/receive.ts'
import { createVerifier, type SignatureHeader, type Verify, WebhookError } from '../../receiver/verify.ts'
import type { WebhookEvent } from '../../receiver/webhook-event.ts'

export const SECRET = 'whsec_for_the_tests_of_the_receiver'

/** The fixed time of most tests: in Unix seconds, and as a clock in milliseconds. */
export const NOW = 1_750_000_000
export const clock = () => NOW * 1000

export const verify = createVerifier({ secrets: SECRET, clock })

/** A delivery signed as by the service at `t`. */
export function signed(event: object | Buffer, t: number = NOW): { body: Buffer; header: string } {
  const body = Buffer.isBuffer(event) ? event : serialize(event)
  return { body, header: sign({ secret: SECRET, t, body }).header }
}

/** Verifies a delivery and reads its event. */
export const read = (
  body: Uint8Array,
  header: SignatureHeader,
  verifier: Verify = verify,
): VerifiedDelivery => readDelivery(verifier, { signature: [header ?? []].flat(), body })

/** A verified delivery of an event. */
export function delivery(event: object, t: number = NOW): VerifiedDelivery {
  const { body, header } = signed(event, t)
  return read(body, header)
}

/** The delivery of a completed payment. */
export const completed = (id: string, more: object = {}): VerifiedDelivery =>
  delivery({ event: 'payment.completed', payment_id: id, ...more })

/** A generator of events; each test uses its own seed. */
export const events = (seed: string) => createGenerator(seed)

/** The code of the error that a verification throws, or `accepted`. */
export function outcomeOf(attempt: () => unknown): string {
  try {
    attempt()
    return 'accepted'
  } catch (error) {
    if (error instanceof WebhookError) return error.code
    throw error
  }
}
/** A parsed body: only the name and the payment id have been checked. */
export interface Fields {
  readonly event: string
  readonly [field: string]: unknown
}

/** Hands a parsed body to a handler as processing does: its fields have not been validated. */
export const parsedEvent = (fields: Fields): WebhookEvent => fields as WebhookEvent

/** Callbacks of a careless user, and how they fail. */
export const callbacks = (message: string): [how: string, callback: () => unknown][] => [
  [
    'throws',
    () => {
      throw new Error(message)
    },
  ],
  ['rejects', () => Promise.reject(new Error(message))],
]
