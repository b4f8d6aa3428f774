import type { Silence } from '../engine/pace/silence.ts'
import type { CauseCode, Statement } from './statement.ts'

/** Causes that deliveries sent after the cases prove. */
export type ProbedCode = Extract<
  CauseCode,
  | 'blocked_by_unfinished_body'
  | 'connection_trusted'
  | 'deduplicated_per_process'
  | 'deduplication_forgotten'
  | 'events_debounced'
  | 'fails_when_concurrent'
  | 'lost_beside_another'
  | 'lost_in_burst'
  | 'lost_when_concurrent'
  | 'requests_mixed_up'
  | 'stopped_answering'
  | 'work_stopped'
>

/** What was found out after the cases, to explain failures; it is part of no verdict. */
export interface Findings {
  /** The mistakes that a receiver gave away by accepting what only they accept. */
  readonly given: readonly Statement[]
  /** Whether a valid delivery was accepted after the cases, though nearly none of theirs was. */
  readonly acceptsAgain: boolean
  /** The payments whose effects appeared after their case was judged. */
  readonly lateEffects: ReadonlySet<string>
  /** The causes that a probe has proven. */
  readonly probed: readonly ProbedCode[]
  /** The event beside which acknowledged payments are lost. */
  readonly lostBeside?: string | undefined
  /** What was under way when the receiver stopped answering, which ended the run. */
  readonly silence?: Silence | undefined
}

export const NO_FINDINGS: Findings = { given: [], acceptsAgain: false, lateEffects: new Set(), probed: [] }
