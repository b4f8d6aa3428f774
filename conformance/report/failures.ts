import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
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

/** How many failures a short report shows with all details. */
const DETAILED = 8

/**
 * The failures that a short report shows with all details, and the others: of those that one cause explains, the first
 * suffices.
 */
export function shortened(
  failures: readonly ReportVerdict[],
  { causes = [] }: ConformanceReport,
): { readonly detailed: readonly ReportVerdict[]; readonly others: readonly ReportVerdict[] } {
  const explained = new Set<string>()
  const distinct = failures.filter(({ case: id }) => {
    const cause = causes.find(({ cases }) => cases.includes(id))
    if (cause === undefined) return true
    const isFirst = !explained.has(cause.code)
    explained.add(cause.code)
    return isFirst
  })
  const detailed = distinct.slice(0, DETAILED)
  return { detailed, others: failures.filter((verdict) => !detailed.includes(verdict)) }
}

/** How many failures of the brief list are named. */
export const BRIEF = 5

/**
 * Splits the failures into those with details and a brief list: when almost no valid delivery was accepted, a hundred
 * copies of that cause would hide both the cause and the severer failures.
 */
export function failuresOf(report: ConformanceReport): Failures {
  const failed = bySeverity(withOutcome(report, 'failed'))
  const oneCause = almostNothingAccepted(report)
  const isBrief = (verdict: ReportVerdict) => oneCause && verdict.severity === 'protocol'
  const brief = failed.filter(isBrief)
  const detailed = failed.filter((verdict) => !isBrief(verdict))
  if (oneCause && failed.length === 1) return { detailed: failed, brief: [], briefTitle: '', oneCause }
  const briefTitle =
    detailed.length === 0
      ? `All ${brief.length} ${HEADINGS.allSameCause}`
      : `${HEADINGS.sameCause}: ${brief.length}`
  return { detailed, brief, briefTitle, oneCause }
}

function almostNothingAccepted({ verdicts, diagnosis }: ConformanceReport): boolean {
  const valid = verdicts.flatMap(({ exchanges }) =>
    exchanges.filter(({ delivery }) => delivery.change === null),
  )
  const wrong = valid.filter(({ answer }) => answer?.status !== 200)
  return diagnosis !== null && wrong.length > 0 && wrong.length >= valid.length * MOST
}
