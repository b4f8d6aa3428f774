import type { ObservationReader } from '../../engine/observe/observe.ts'
import type { Selection } from '../model.ts'
import type { Delivery } from './delivery.ts'
import type { JudgeOptions, ServiceJudge } from './judge.ts'
import type { Kit, KitOptions } from './kit.ts'
import type { CatalogueCase, ContractVersion } from './model.ts'
import type { DedupeKey, Scheme } from './scheme.ts'
import type { SelectionOptions } from './select.ts'

/** Lines that call a library. */
interface LibraryCode {
  readonly imports: string
  readonly verifying: readonly string[]
}

/** What a service requires of its receivers, how it signs, and how they show what they did: all that a run takes from it. */
export interface WebhookContract {
  /** The name by which a user chooses it, such as `stripe`. */
  readonly id: string
  /** The name of the service. */
  readonly title: string
  readonly cases: readonly CatalogueCase[]
  /** The sections of the cases, in their order. */
  readonly sections: readonly { readonly id: string; readonly title: string }[]
  /** Set where it has no events of live mode. */
  readonly hasOneMode?: true
  /** How long an acknowledgment may take, in milliseconds, unless a run says otherwise. */
  readonly ackWithinMs: number
  /** The newest version, or the one with this name. @throws HarnessError `bad_option` when there is none */
  readonly requireVersion: (name?: string) => ContractVersion
  /** @throws HarnessError `nothing_selected` */
  readonly select: (options: SelectionOptions) => Selection<CatalogueCase>
  readonly createJudge: (options: JudgeOptions) => ServiceJudge
  /** Makes the deliveries of a case, or of another part of a run that has a name of its own. */
  readonly createKit: (name: string, options: KitOptions) => Kit
  /** The first and the last status by which a receiver acknowledges. */
  readonly acknowledgedBy: readonly [from: number, to: number]
  /** The name of the header with the signature, unless a run names another. */
  readonly signatureHeader: string
  readonly scheme: Scheme
  /** The statuses by which a receiver refuses what it cannot read, or what is too old, and a wrong signature, where the contract states them. */
  readonly refusesWith?: { readonly unreadable: number; readonly forged: number }
  /** The usual tolerance of the signed time, in seconds. */
  readonly windowSeconds: number
  /** The names of its sample events; the first is the one that most cases send. */
  readonly samples: readonly string[]
  /**
   * A valid delivery of a sample event; undefined for a name that is none.
   * @param kit the name of the kit that makes it: another one makes other ids. Default: the name of the sample
   */
  readonly sample: (name: string, options: KitOptions, kit?: string) => Delivery | undefined
  /** Why no key can be made of a secret, as the end of a sentence; undefined for a usable one. */
  readonly secretFault?: (secret: string) => string | undefined
  /** Whether a JSON object is an event that a receiver can use: it may refuse any other, however it is signed. */
  readonly isEvent: (value: Readonly<Record<string, unknown>>) => boolean
  /** What the redeliveries of a delivery have in common, where that is one value. */
  readonly dedupe?: DedupeKey
  /** How the library of the service verifies the body, which the handler of a framework has read: by the name of the framework. */
  readonly library?: Readonly<Record<string, LibraryCode>>
  /** How receivers show what they did. */
  readonly observation: ObservationReader
  /** What a receiver shows that has these effects. */
  readonly shownBy: (effects: unknown) => unknown
}
