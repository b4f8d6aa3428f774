import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { SEVERITIES, type Severity } from '../case/model.ts'
import { MOST } from '../diagnose/diagnosis.ts'
import { bySeverity, groupedBy, withOutcome } from './summary.ts'
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

/** Failures with one cause, or with the same impact and fix. */
export interface FailureCard {
  /** What is wrong, in one sentence. */
  readonly title: string
  readonly severity: Severity
  /** Undefined when the title says it. */
  readonly impact: string | undefined
  readonly fix: string
  /** How many failures it stands for. */
  readonly cases: number
  /** The most severe of them. */
  readonly first: ReportVerdict
}

/**
 * The failures as cards: one for each cause, then the most severe of those without a known cause.
 *
 * @param most how many cards of failures without a known cause
 * @returns the cards, and the failures that none of them stands for
 */
export function cardsOf(
  report: ConformanceReport,
  most: number,
): { readonly cards: readonly FailureCard[]; readonly others: readonly ReportVerdict[] } {
  const failures = bySeverity(withOutcome(report, 'failed'))
  const left = new Set(failures)
  const taken = (wanted: readonly ReportVerdict[]) => {
    const own = wanted.filter((verdict) => left.delete(verdict))
    return { cases: own.length, first: own[0] }
  }
  const { causes = [] } = report
  const ofCauses = causes.flatMap(({ sentence, fix, cases }): FailureCard[] => {
    const { cases: count, first } = taken(failures.filter(({ case: id }) => cases.includes(id)))
    return first === undefined
      ? []
      : [{ title: sentence, severity: severityOf(first), impact: undefined, fix, cases: count, first }]
  })
  const rest = groupedBy([...left], ({ severity, impact, fix }) => [severity, impact, fix].join('\n'))
  const order = (group: readonly ReportVerdict[]) => SEVERITIES.indexOf(group[0]?.severity ?? 'protocol')
  rest.sort((a, b) => order(a) - order(b) || b.length - a.length)
  const ofRest = rest.slice(0, most).flatMap((group): FailureCard[] => {
    const { cases, first } = taken(group)
    if (first === undefined) return []
    const { spec, impact, fix } = first
    if (group.some((verdict) => verdict.spec.number !== spec.number)) {
      return [{ title: impact, severity: severityOf(first), impact: undefined, fix, cases, first }]
    }
    return [
      { title: `${spec.number} ${spec.sentence}`, severity: severityOf(first), impact, fix, cases, first },
    ]
  })
  return { cards: [...ofCauses, ...ofRest], others: [...left] }
}

const severityOf = ({ severity }: ReportVerdict): Severity => severity ?? 'protocol'

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
