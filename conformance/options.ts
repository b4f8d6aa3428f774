import type { HeaderLine } from './contracts/payment-service/delivery.ts'
import type { Mode, Profile, Verdict } from './contracts/payment-service/model.ts'
import type { ReadEffects } from './engine/observe/observe.ts'
import type { Framework } from './report/frameworks/frameworks.ts'
import type { ReproduceWith } from './report/reproduce.ts'

/** What to check and how. Only `url` and `secret` are required. */
export interface CheckOptions {
  /** The webhook endpoint, http or https. */
  readonly url: string
  /** The endpoint's signing secret, prefix included. */
  readonly secret: string
  /** Default `X-Service-Signature`. */
  readonly signatureHeader?: string
  /** Additional header lines for every delivery. Reports show their names only. */
  readonly headers?: readonly HeaderLine[]
  /** How to read the receiver's effects: a URL, requested with `?payment_id=`, or a function. */
  readonly observe?: string | ReadEffects
  /** A shell command that prints the effects of the payment whose id is its last argument. */
  readonly observeCommand?: string
  /** Working directory of `observeCommand`. Default: that of this process. */
  readonly observeCommandCwd?: string
  /** Default `full` when effects can be observed, otherwise `core`. */
  readonly profile?: Profile
  /** The version of the contract, such as `1.0`. Default: the newest. */
  readonly contract?: string
  /** Default `test`: every event carries `livemode: false`. */
  readonly mode?: Mode
  /** Globs over case ids. Default: all cases. */
  readonly only?: readonly string[]
  /** Globs over the ids of cases to exclude. Default: none. */
  readonly skip?: readonly string[]
  /** Seed of the generated events. Payment ids differ in each run of more than one case. Default: random per run. */
  readonly seed?: string
  /** How many cases send at the same time. Default 8. */
  readonly concurrency?: number
  /** How many deliveries to send a second, over the entire run. Default: no limit. */
  readonly rate?: number
  /** How long to wait for a response, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /** How long an acknowledgment may take, in milliseconds (SPEC.md 6.2). Default 5,000. */
  readonly ackWithinMs?: number
  /**
   * How long to wait for effects, in milliseconds, after the last change anywhere in the run: an effect that is absent is a
   * failure only then. Default 5,000.
   */
  readonly waitMs?: number
  /** Certificates in PEM to trust for https, besides those of public authorities. */
  readonly ca?: string
  /** True to accept any certificate of an https server. Default false. */
  readonly insecure?: boolean
  /** True when the receiver was started for this run only; the report records it. */
  readonly started?: boolean
  /** The receiver's framework, for a snippet in the report. Default: as far as its responses show it. */
  readonly framework?: Framework
  /** What a command that reproduces a failure repeats of the command that started the run. Default: `observe`. */
  readonly reproduceWith?: ReproduceWith
  /** Ends the run early: the report then contains what was judged, and lists the other cases as not tested. */
  readonly signal?: AbortSignal
  /** Resolves when the receiver, which was started for this run, ends by itself, with how: the run then ends early. */
  readonly ended?: Promise<string>
  /** Called before the first case, with the number of cases. */
  readonly onStart?: (cases: number) => void
  /** Called with each verdict as soon as it is reached, in no particular order. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Called about once a second with the number of cases that wait for effects, and with 0 when none waits any longer. */
  readonly onWaiting?: (cases: number) => void
  /** Called with one line about something that the caller should change, such as the old id of a renamed case. */
  readonly onNotice?: (notice: string) => void
}
