import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { controlsAccepted } from '../case/expect.ts'
import { MOST } from '../diagnose/diagnosis.ts'
import { bySeverity, withOutcome } from './summary.ts'
import { HEADINGS } from './wording.ts'

/** The failures of a report, as people read them. */
export interface Failures {
  /** Those shown with all details, most severe first. */
  readonly detailed: readonly ReportVerdict[]
  /** Those of which a few are named and the rest is counted. */
  readonly brief: readonly ReportVerdict[]
  /** The heading of the brief list, with its count. */
  readonly briefTitle: string
  /** Whether one cause explains nearly every failure, so that warnings say little. */
  readonly oneCause: boolean
}

/** How many failures of the brief list are named. */
export const BRIEF = 5

/**
 * Splits the failures into those with details and a brief list. When almost no valid delivery was accepted, a hundred
 * copies of that cause would hide both the cause and the severer failures; a case whose control was rejected proves
 * nothing.
 */
export function failuresOf(report: ConformanceReport): Failures {
  const failed = bySeverity(withOutcome(report, 'failed'))
  const oneCause = almostNothingAccepted(report)
  const isBrief = (verdict: ReportVerdict) =>
    oneCause ? verdict.severity === 'protocol' : isInconclusive(verdict)
  const brief = failed.filter(isBrief)
  const detailed = failed.filter((verdict) => !isBrief(verdict))
  if (oneCause && failed.length === 1) return { detailed: failed, brief: [], briefTitle: '', oneCause }
  const allBrief = oneCause && detailed.length === 0
  const briefTitle = allBrief
    ? `All ${brief.length} ${HEADINGS.allSameCause}`
    : `${oneCause ? HEADINGS.sameCause : HEADINGS.inconclusive}: ${brief.length}`
  return { detailed, brief, briefTitle, oneCause }
}

function almostNothingAccepted({ verdicts, diagnosis }: ConformanceReport): boolean {
  const valid = verdicts.flatMap(({ exchanges }) =>
    exchanges.filter(({ delivery }) => delivery.change === null),
  )
  const wrong = valid.filter(({ answer }) => answer?.status !== 200)
  return diagnosis !== null && wrong.length > 0 && wrong.length >= valid.length * MOST
}

/** Whether the probes were answered as expected, which proves nothing without an accepted control. */
function isInconclusive({ problems }: ReportVerdict): boolean {
  return problems.every(({ expected }) => expected === controlsAccepted.expected)
}
