import type { HeaderLine } from '../case/delivery.ts'

/** The receiver under test, and how it is spoken to. */
export interface Target {
  readonly url: URL
  readonly secret: string
  /** Name of the signature header (SPEC.md 2). */
  readonly signatureHeader: string
  /** Further header lines for every delivery, such as one that opens a staging server. */
  readonly headers: readonly HeaderLine[]
  /** How long an answer is waited for, in milliseconds. */
  readonly timeoutMs: number
}
