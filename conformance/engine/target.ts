import type { HeaderLine } from '../contracts/payment-service/delivery.ts'
import type { Trust } from './wire/trust.ts'

/** The receiver under test, and how to send to it. */
export interface Target {
  readonly url: URL
  readonly secret: string
  /** Name of the signature header (SPEC.md 2). */
  readonly signatureHeader: string
  /** Additional header lines for every delivery, such as one that grants access to a staging server. */
  readonly headers: readonly HeaderLine[]
  /** How long to wait for a response, in milliseconds. */
  readonly timeoutMs: number
  /** Which certificates to trust. */
  readonly trust?: Trust | undefined
}
