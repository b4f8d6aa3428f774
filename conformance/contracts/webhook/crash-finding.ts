import type { NotStarted } from '../../engine/errors.ts'
import type { WireError } from '../../engine/exchange.ts'

type None = Readonly<Record<never, never>>

/** What each case states that a run of crashes judges, as data; report/words/crash.ts has the words. */
export interface CrashExpectedData {
  kept_over_restart: None
  nothing_lost_in_crash: None
  redelivery_accepted_after_crash: None
  nothing_doubled_after_crash: None
  refused_not_handled_after_crash: None
  refused_with_empty_secret: None
  refused_without_secret: None
  both_secrets_accepted: None
  old_secret_refused: None
  no_secret_printed: None
  no_signature_printed: None
}

/** When a receiver was killed. */
export interface KillMoment {
  readonly kind: 'first-byte' | 'on-effect' | 'after-acknowledgment' | 'before-effect' | 'during-start'
  /** How long after a 200, in milliseconds; for `on-effect` how long the effect is expected to take. */
  readonly delayMs: number
  /** For a second kill during the next start: after which part of the time that a start takes. */
  readonly ofStart: number
}

/** How often a payment was fulfilled and reversed. */
export interface EffectCounts {
  readonly fulfilled: number
  readonly reversed: number
}

/** A response by its status, or why there is none. */
export interface Answered {
  readonly status: number | undefined
  readonly error: WireError | undefined
}

/** What happened to one payment in a round; times are in milliseconds since the round began. */
export interface Story {
  readonly round: number
  readonly payment: string
  readonly event: string
  readonly moment: KillMoment
  /** When its first delivery was sent; undefined when none was. */
  readonly sentMs: number | undefined
  /** When the process that was killed acknowledged it; undefined when it did not. */
  readonly acknowledgedMs: number | undefined
  readonly killedMs: number
  /** When the receiver accepted deliveries again. */
  readonly readyMs: number
  /** When everything was delivered again; undefined before that. */
  readonly redeliveredMs: number | undefined
  /** What was observed at last: its effects, or the answer to every redelivery. */
  readonly observed: EffectCounts | Answered
  /** For how long nothing had changed, in milliseconds, where an effect is missing. */
  readonly quietMs?: number | undefined
  /** The effects after it was delivered again. */
  readonly again?: EffectCounts | undefined
}

/** In how many of the rounds. */
export interface InRounds {
  readonly rounds: number
  readonly ofRounds: number
}

/** A payment that was fulfilled before a restart without a crash, and how the receiver was stopped. */
export interface OverRestart {
  readonly payment: string
  /** Whether it stopped when it was asked to. */
  readonly stoppedByItself: boolean
  /** What it showed after the restart. */
  readonly effects: EffectCounts
}

/** How a receiver was started without its secret. */
export type StartedWithout = { readonly secret: 'empty' | 'absent' }

/** What was found out in a run of crashes. */
export type CrashFinding =
  | ({ readonly code: 'forgotten'; readonly quietMs: number } & OverRestart)
  | ({ readonly code: 'doubled-by-restart' } & OverRestart)
  | {
      readonly code: 'unseen'
      readonly payment: string
      readonly effects: EffectCounts
      readonly waitMs: number
    }
  | { readonly code: 'no-crash-tried' | 'nothing-acknowledged' }
  | { readonly code: 'not-restarted'; readonly round: number; readonly why: NotStarted }
  | ({ readonly code: 'payment' } & Story)
  /** A delivery that was refused and had an effect; what was changed in it. */
  | {
      readonly code: 'refused-handled'
      readonly round: number
      readonly payment: string
      readonly change: string | undefined
      readonly status: number | undefined
      readonly effects: EffectCounts
    }
  | { readonly code: 'nothing-refused' }
  | { readonly code: 'more-payments'; readonly count: number }
  | ({
      readonly code: 'lost'
      readonly count: number
      /** How many were acknowledged in all, and how many of the lost ones had their effect once they were delivered again. */
      readonly acknowledged: number
      readonly recovered: number
      /** How long before the kill the lost ones had been acknowledged, in milliseconds. */
      readonly beforeKillMs: readonly number[]
    } & InRounds)
  | ({ readonly code: 'never-handled'; readonly count: number } & InRounds)
  | ({
      readonly code: 'doubled'
      readonly count: number
      readonly payments: number
      /** How many of them only when they were delivered again. */
      readonly later: number
    } & InRounds)
  | ({ readonly code: 'accepted-without-secret'; readonly change: string | undefined } & StartedWithout)
  | ({ readonly code: 'not-listening-without-secret' } & StartedWithout)
  | {
      readonly code: 'printed'
      readonly what: 'secret' | 'signature'
      readonly lines: number
      readonly of: number
    }
  | { readonly code: 'short-secret' | 'both-as-one' | 'both-not-listening' | 'new-not-listening' }
  | { readonly code: 'one-of-both-accepted'; readonly accepted: 'old' | 'new'; readonly answer: Answered }
  | { readonly code: 'none-of-both-accepted' | 'new-refused' | 'old-unanswered'; readonly answer: Answered }
  | { readonly code: 'old-accepted'; readonly status: number }
  | CrashExclusion

/** Why a case of crashes makes no sense for a receiver. */
export interface CrashExclusion {
  readonly code: 'secret_from_elsewhere' | 'rotation_not_asked'
}

/** The mistake that the lost or doubled payments of a run have in common. */
export type CrashMistake =
  | 'not-kept'
  | 'left-undone'
  | 'early-refund-forgotten'
  | 'taken-for-duplicate'
  | 'not-recognized'
