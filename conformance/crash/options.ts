import type { HeaderLine } from '../contracts/payment-service/delivery.ts'
import type { Mode } from '../contracts/payment-service/model.ts'
import type { ReadEffects } from '../engine/observe/observe.ts'
import type { Environment } from '../engine/process/launch.ts'
import type { ReproduceWith } from '../report/reproduce.ts'
import type { Moment } from './moments.ts'

/** Which receiver to kill and how. `url`, `secret`, `start` and a way to observe effects are required. */
export interface CrashOptions {
  /** The webhook endpoint, at which the receiver listens once it is started. */
  readonly url: string
  /** The endpoint's signing secret, prefix included. The receiver gets it as HOOKPROOF_SECRET and WEBHOOK_SECRET. */
  readonly secret: string
  /** A shell command that starts the receiver; it gets the port of `url` as PORT. */
  readonly start: string
  /** How to read the receiver's effects: a URL, requested with `?payment_id=`, or a function. */
  readonly observe?: string | ReadEffects
  /** A shell command that prints the effects of the payment whose id is its last argument. */
  readonly observeCommand?: string
  /**
   * What the environment of the receiver also contains while its secret is rotated, with `{old}` and `{new}` for the
   * secrets, such as `{ WEBHOOK_SECRET_PREVIOUS: '{old}' }`. Default: no rotation is tested.
   */
  readonly rotateEnv?: Readonly<Record<string, string>>
  /** A shell command that kills a receiver that runs outside the process group of `start`, such as `docker kill shop`. */
  readonly killCommand?: string
  /** How many times to kill the receiver under load. Default 10. */
  readonly rounds?: number
  /** Run only this round, counted from 1. Default: all. */
  readonly round?: number
  /**
   * How long to wait, in milliseconds, after the last change of any effect before an absent one counts as lost. Default
   * 30,000.
   */
  readonly recoverWithinMs?: number
  /** How long the receiver may take to start, in milliseconds. Default 30,000. */
  readonly startWithinMs?: number
  /** True to count, with strace on Linux, how many 200s follow a sync of the store. Default false. */
  readonly fsyncTrace?: boolean
  /** How long to wait for a response, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /** Default `X-Service-Signature`. */
  readonly signatureHeader?: string
  /** Additional header lines for every delivery. Reports show their names only. */
  readonly headers?: readonly HeaderLine[]
  /** The version of the contract, such as `1.0`. Default: the newest. */
  readonly contract?: string
  /** Default `test`: every event carries `livemode: false`. */
  readonly mode?: Mode
  /** Seed of the events and the moments of the kills. Payment ids differ in each run. Default: random per run. */
  readonly seed?: string
  /** Working directory of the commands. Default: that of this process. */
  readonly cwd?: string
  /** Environment of the receiver. Default: that of this process. */
  readonly env?: Environment
  /** Certificates in PEM to trust for https, besides those of public authorities. */
  readonly ca?: string
  /** True to accept any certificate of an https server. Default false. */
  readonly insecure?: boolean
  /** What a command that repeats a round contains besides the URL, the seed and the round. */
  readonly reproduceWith?: ReproduceWith
  /** Ends the run early; the receiver is stopped. */
  readonly signal?: AbortSignal
  /** Called before each round. */
  readonly onRound?: (round: number, moment: Moment) => void
  /** Called with what the run does besides rounds, such as `starting the receiver`. */
  readonly onStep?: (step: string) => void
  /** Called several times a second while the run waits, with what it waits for, such as `waiting for effects: 2 payments`. */
  readonly onWaiting?: (what: string) => void
  /** Called with each line that the receiver prints, without the signing secret. */
  readonly onOutput?: (line: string) => void
}
