import type { Effect } from '../../schemas/types.ts'
import type { Delivery, HeaderLine } from '../contracts/payment-service/delivery.ts'

/** A receiver's response. */
export interface Answer {
  readonly status: number
  /** The text after the status, where it is not the usual one. */
  readonly reason?: string
  readonly headers: readonly HeaderLine[]
  /** At most the first 64 KiB; `truncated` is set when there was more. */
  readonly body: Buffer
  readonly truncated: boolean
  /** Milliseconds from the first byte sent to the head of the response, without the stalls of this process. */
  readonly ms: number
  /** The same with those stalls: how long the receiver had; absent when there was none. */
  readonly wallMs?: number
}

/** Why there is no response. */
export interface WireError {
  readonly code: 'refused' | 'reset' | 'timeout' | 'dns' | 'tls' | 'unreachable' | 'garbled' | 'local'
  readonly message: string
}

/** A delivery and its response, or why there is none. */
export interface Exchange {
  readonly delivery: Delivery
  readonly answer: Answer | undefined
  readonly error: WireError | undefined
  /** Set for a delivery that expects no response, such as one that stops in the middle. */
  readonly unanswered?: true
}

/** Everything that a case is judged by. */
export interface Evidence {
  readonly exchanges: readonly Exchange[]
  /** What the receiver shows for a payment, oldest first. Empty unless the case needs effects. */
  readonly effects: (paymentId: string) => readonly Effect[]
  readonly secrets: readonly string[]
  readonly ackWithinMs: number
  /** Set when further effects may follow: an effect that is absent is then no problem. */
  readonly incomplete?: true
  /** What the other cases left behind; only for a case that is judged after them. */
  readonly run?: RunEvidence
}

/** The first answers of a run that disclose something, described in a few words. */
export interface Disclosed {
  readonly secret?: string
  readonly signature?: string
}

/** What the payments of all cases showed at the end of a run. */
export interface RunEvidence {
  /** Payments that became wrong after their case had passed, each with the problem and the case. */
  readonly wrongLater: readonly string[]
  /** Payments that were acknowledged and never processed, each with its case. */
  readonly lost: readonly string[]
  readonly disclosed?: Disclosed
}
