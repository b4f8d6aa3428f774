import type { ReportSynced } from '../../../schemas/types.ts'
import type { Mode } from '../../contracts/payment-service/model.ts'
import type { ContractVersion } from '../../contracts/payment-service/requirements/versions.ts'
import type { Target } from '../../contracts/payment-service/target.ts'
import type { ReproduceWith } from '../../report/reproduce.ts'
import type { OutputWatch } from '../output.ts'
import type { Round } from '../round.ts'
import type { Rounds } from '../rounds.ts'
import type { Rotation } from '../secrets/rotation.ts'
import type { WithoutSecret } from '../secrets/without-secret.ts'
import type { WarmUp } from '../warm-up.ts'
import type { Failure } from './story.ts'

/** The result of a finished run of crashes. */
export interface CrashSummary {
  readonly target: Target
  readonly contract: ContractVersion
  readonly mode: Mode
  readonly seed: string
  readonly startedAt: Date
  readonly durationMs: number
  readonly warm: WarmUp
  readonly rounds: readonly Round[]
  readonly late: readonly Failure[]
  readonly notStarted: Rounds['notStarted']
  readonly withoutSecret: { readonly empty: WithoutSecret; readonly absent: WithoutSecret }
  /** Undefined where nobody said how the receiver gets two secrets. */
  readonly rotation: Rotation | undefined
  readonly output: OutputWatch
  /** The result of tracing syncs, or null without a trace. */
  readonly synced: ReportSynced | null
  readonly reproduceWith: ReproduceWith
}
