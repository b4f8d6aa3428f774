import type { Kit } from '../../contracts/payment-service/kit.ts'
import type { Observer } from '../../engine/observe/observe.ts'
import type { Sender } from '../../engine/wire/sender.ts'

/** What a probe sends by. */
export interface Probing {
  readonly sender: Sender
  readonly kit: Kit
  readonly observer: Observer | undefined
  /** How long effects that are missing may take, in milliseconds. */
  readonly waitMs: number
}
