import type { Environment } from '../engine/process/launch.ts'
import type { TargetOptions } from '../options.ts'
import type { ReproduceWith } from '../report/reproduce.ts'
import type { Moment } from './moments.ts'

/**
 * Which receiver to kill and how. `url`, at which the receiver listens once it is started, `secret`, `start` and a way to
 * observe effects are required. The seed decides the moments of the kills too.
 */
export interface CrashOptions extends TargetOptions {
  /** A shell command that starts the receiver; it gets the port of `url` as PORT, and the secret as HOOKPROOF_SECRET and WEBHOOK_SECRET. */
  readonly start: string
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
  /** Working directory of the commands. Default: that of this process. */
  readonly cwd?: string
  /** Environment of the receiver. Default: that of this process. */
  readonly env?: Environment
  /** What a command that repeats a round contains besides the URL, the seed and the round. */
  readonly reproduceWith?: ReproduceWith
  /** Called before each round. */
  readonly onRound?: (round: number, moment: Moment) => void
  /** Called with what the run does besides rounds, such as `starting the receiver`. */
  readonly onStep?: (step: string) => void
  /** Called several times a second while the run waits, with what it waits for, such as `waiting for effects: 2 payments`. */
  readonly onWaiting?: (what: string) => void
  /** Called with each line that the receiver prints, without the signing secret. */
  readonly onOutput?: (line: string) => void
}
