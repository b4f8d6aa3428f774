import type { Delivery, HeaderLine } from './delivery.ts'
import type { Trust } from './wire/trust.ts'

/** The receiver under test, and how to send to it. */
export interface Target {
  readonly url: URL
  /** All header lines of a delivery, in order, except those that HTTP itself needs, such as Host and Content-Length. */
  linesOf(this: void, delivery: Delivery): readonly HeaderLine[]
  /** How long to wait for a response, in milliseconds. */
  readonly timeoutMs: number
  /** Which certificates to trust. */
  readonly trust?: Trust | undefined
}
