import type { Kit } from '../../case/kit.ts'
import type { Sender } from '../../deliver/http.ts'
import type { Observer } from '../../observe/observe.ts'

/** What a probe sends by. */
export interface Probing {
  readonly sender: Sender
  readonly kit: Kit
  readonly observer: Observer | undefined
  /** How long effects that are missing may take, in milliseconds. */
  readonly waitMs: number
}
