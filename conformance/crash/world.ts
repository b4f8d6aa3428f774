import type { Kit } from '../contracts/payment-service/kit.ts'
import type { Target } from '../contracts/payment-service/target.ts'
import type { Observer } from '../engine/observe/observe.ts'
import type { Receiver } from './receiver.ts'
import type { Sent } from './send.ts'

/** What all rounds of a run have in common. */
export interface World {
  readonly receiver: Receiver
  readonly target: Target
  /** Makes deliveries that no other name has. */
  readonly kitOf: (name: string) => Kit
  readonly observer: Observer
  readonly seed: string
  readonly recoverWithinMs: number
  /** How long a start takes, and an effect after its acknowledgment, in milliseconds. */
  readonly startMs: number
  readonly effectMs: number
  readonly signal: AbortSignal | undefined
  readonly sent: (sent: Sent) => void
  /** Called again and again with what the run waits for. */
  readonly onWaiting: (what: string) => void
}
