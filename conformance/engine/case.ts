import type { Delivery } from './delivery.ts'
import type { EngineFailure } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { Silence } from './pace/silence.ts'
import type { Plan } from './plan.ts'

/** Makes deliveries that any receiver has to accept, each about something new. */
export interface Kit {
  /** The receiver's clock in Unix seconds, as far as its responses show it. */
  now(this: void): number
  valid(this: void): Delivery
  /** The same, made for another time than now, in Unix seconds. */
  validAt(this: void, seconds: number): Delivery
  /** A request that shows whether anything listens, and cannot have an effect. */
  visit(this: void): Delivery
  /** How far from its own clock a receiver accepts a delivery, in seconds. */
  readonly windowSeconds: number
}

/** By which clock the deliveries of a case are made, and whether they are made once more for another one. */
export interface Clock {
  /** In Unix seconds. */
  now(this: void): number
  /** When the events of the case happen, in Unix seconds. */
  readonly emittedAt: number
  /** Set when the same case is sent again by another clock: about something else than the first time. */
  readonly isAgain?: true
}

/** What a case sends: its steps, and at their end a valid delivery by which its effects are known to be complete. */
export interface Planned {
  readonly plan: Plan
  readonly marker: Delivery | undefined
}

/** What the engine knows of a case. */
export interface Case {
  /** Names it in an error; the engine looks nothing up by it. */
  readonly id: string
  /** Set when the responses alone cannot decide the case. */
  readonly needs?: 'effects' | 'crash'
  /** Set when the case waits until all others have sent, and should wait for as long as the run takes: it begins first. */
  readonly early?: true
  /** Set when the case would disturb others: it then runs after them, alone. */
  readonly alone?: true
  /**
   * Set when a correct receiver answers otherwise to a delivery that reaches it seconds later: a case that fails after a
   * slow answer is sent again, made for the time that the answer took.
   */
  readonly dependsOnTransit?: true
  /** Set when the case judges the entire run: it is judged after all others, and no earlier than `afterMs` after it sent. */
  readonly late?: { readonly afterMs: number }
  /** Set when the case is more than one test among others; the engine knows `liveness`, `losses` and `lockout`. */
  readonly role?: string
}

/** What the expectations of a case find in one observation. */
export interface Evaluation {
  /**
   * `failed` by the responses, `wrong` by effects that no further effect can put right, `open` while effects are absent, or
   * `met`.
   */
  readonly standing: 'failed' | 'wrong' | 'open' | 'met'
  readonly hasProblems: boolean
}

/** What a case is judged by. */
export interface Evidence {
  readonly exchanges: readonly Exchange[]
  /** What the receiver shows for a key, oldest first. Empty unless the case needs effects. */
  readonly effects: (key: string) => readonly unknown[]
  /** What the run as a whole left behind; only for a case that is judged after all others. */
  readonly run?: RunEvidence
}

/** What the run as a whole left behind. */
export interface RunEvidence {
  /** Cases that passed and became wrong later, with what is wrong. */
  readonly wrongLater: readonly { readonly testCase: Case; readonly evaluation: Evaluation }[]
  /** What was acknowledged and has no effect, with the case that sent it. */
  readonly lost: readonly { readonly testCase: Case; readonly key: string }[]
}

/** Why a case has no evaluation, or only one of what it would have sent. */
export type Untested =
  | { readonly code: 'interrupted' | 'stopped_answering' | 'not_observed' | 'control_effect_unseen' }
  /** Nothing was accepted that any receiver has to accept, or nothing any longer, so that the run ended. */
  | { readonly code: 'nothing_accepted' | 'locked_out' }
  /** The process of the receiver ended. */
  | { readonly code: 'receiver_ended'; readonly how: string }
  /** It sends more at the same time than the rate allows, in deliveries a second. */
  | { readonly code: 'rate_too_low'; readonly together: number; readonly rate: number }
  | { readonly code: 'observation_failed'; readonly failure: EngineFailure }

/** What came of one case: all that its verdict is decided by. */
export interface Result {
  readonly exchanges: readonly Exchange[]
  readonly evaluation?: Evaluation | undefined
  readonly untested?: Untested | undefined
  /** Set when further effects may follow, so that one that is absent is no problem. */
  readonly isIncomplete?: true
  /** What the receiver showed for each key, oldest first. */
  readonly effects?: ReadonlyMap<string, readonly unknown[]>
  /** How long after the last response the effects were as expected, in milliseconds; undefined if they never were. */
  readonly effectsMs?: number | undefined
  readonly durationMs: number
  /** Set when the answers took longer than what the deliveries were made for, both in milliseconds. */
  readonly lateMs?: number | undefined
  /** What was under way when the receiver stopped answering, if it did. */
  readonly silence?: Silence | undefined
}

/** Judges cases; the engine itself knows only whether it has to go on. */
export interface Judge<C extends Case, V> {
  plan(this: void, testCase: C, clock: Clock): Planned
  /** Asked once for each observation. */
  evaluate(this: void, testCase: C, evidence: Evidence): Evaluation
  /** Whether a case that is evaluated so passes, and has to be found so again at the end of the run. */
  staysRight(this: void, testCase: C, evaluation: Evaluation): boolean
  /** Called once for each case, with everything that is known about it. */
  decide(this: void, testCase: C, result: Result, ownerOf: (delivery: Delivery) => C | undefined): V
}
