import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { SEVERITIES, type Severity } from '../contracts/model.ts'
import { bySeverity, groupedBy, isNarrowed, wasRefused, withOutcome } from './summary.ts'
import { shortened } from './text.ts'
import { counted } from './wording.ts'

/** Failures with one cause, or with the same impact and fix. */
export interface FailureCard {
  /** What is wrong, in one sentence. */
  readonly title: string
  /** Null for cases without a result. */
  readonly severity: Severity | null
  readonly fix: string
  /** How many failures, or cases without a result, it stands for. */
  readonly cases: number
  /** The one that shows it best; undefined when all of them have no result. */
  readonly first: ReportVerdict | undefined
  /** The code of the cause, and the address of its page; undefined for failures without a known one. */
  readonly cause?: string
  readonly docsUrl?: string | undefined
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
  const { causes = [] } = report
  const ofCauses = causes.flatMap((cause): FailureCard[] => {
    const { code, sentence: title, fix, docsUrl } = cause
    const isOwn = ({ case: id }: ReportVerdict) => cause.cases.includes(id)
    const own = failures.filter((verdict) => isOwn(verdict) && left.delete(verdict))
    const shown = cause.cases.find((id) => own.some((verdict) => verdict.case === id))
    const first = own.find((verdict) => verdict.case === shown)
    if (first !== undefined)
      return [{ title, severity: severityOf(first), fix, cases: own.length, first, cause: code, docsUrl }]
    const others = report.verdicts.filter((verdict) => isOwn(verdict) && verdict.outcome !== 'failed')
    return others.length === 0
      ? []
      : [{ title, severity: null, fix, cases: others.length, first, cause: code, docsUrl }]
  })
  const rest = groupsOf([...left])
  const ofRest = rest.slice(0, most).flatMap((group): FailureCard[] => {
    const first = simplest(group)
    if (first === undefined) return []
    for (const verdict of group) left.delete(verdict)
    const { spec, impact, fix } = first
    const isOne = group.every((verdict) => verdict.spec.number === spec.number)
    // What was observed, which may be something else than the requirement is about.
    const title = isOne ? `${withoutStop(impact)} (${requirementOf(first)}).` : impact
    return [{ title, severity: severityOf(first), fix, cases: group.length, first }]
  })
  return { cards: [...ofCauses, ...ofRest], others: [...left] }
}

/** A longer first line is not read. */
const MOST_CHARACTERS = 175

/**
 * The requirement behind the most severe failures, one case that shows it, and how many failed; undefined when none failed:
 * `A response MUST NOT contain the signing secret (SPEC.md 11.1): disclosure/a and 2 more of 471 cases failed.`
 * Where failures of several requirements have one impact, that is what they have in common, and comes instead.
 */
export function failuresInBrief(report: ConformanceReport): string | undefined {
  const failures = bySeverity(withOutcome(report, 'failed'))
  const [group = []] = groupsOf(failures)
  const first = simplest(group)
  if (first === undefined) return undefined
  const total = counted(report.verdicts.length, isNarrowed(report) ? 'selected case' : 'case')
  const { length } = failures
  const [sentence, source] = group.every(({ spec }) => spec.number === first.spec.number)
    ? [first.spec.sentence, ` (${requirementOf(first)})`]
    : [first.impact, '']
  const what = withoutStop(sentence)
  const line = (text: string, count: string) => `${text}${source}: ${count}.`
  const entire = line(
    what,
    length === 1
      ? `${first.case} failed, 1 of ${total}`
      : `${first.case} and ${length - 1} more of ${total} failed`,
  )
  if (entire.length <= MOST_CHARACTERS) return entire
  const count = `${length} of ${total} failed`
  return line(shortened(what, MOST_CHARACTERS - line('...', count).length), count)
}

const withoutStop = (text: string): string => text.replace(/\.$/, '')

const requirementOf = ({ spec }: ReportVerdict): string => `${spec.contract ?? 'SPEC.md'} ${spec.number}`

/** Verdicts in groups with the same impact and fix, in the order of their first ones. */
export const withOneFix = (verdicts: readonly ReportVerdict[]): ReportVerdict[][] =>
  groupedBy(verdicts, ({ severity, impact, fix }) => [severity, impact, fix].join('\n'))

/** Failures in groups with the same impact and fix, the most severe and then the largest first. */
export function groupsOf(failures: readonly ReportVerdict[]): ReportVerdict[][] {
  const order = ([first]: readonly ReportVerdict[]) => SEVERITIES.indexOf(first?.severity ?? 'protocol')
  return withOneFix(failures).toSorted((a, b) => order(a) - order(b) || b.length - a.length)
}

/**
 * Of the most severe failures the one that shows least else: a case that shows several problems, or sends different or
 * changed deliveries, may fail for another reason too.
 *
 * @param failures the most severe first
 */
export function simplest(failures: readonly ReportVerdict[]): ReportVerdict | undefined {
  const [worst] = failures
  const sizeOf = ({ problems, exchanges }: ReportVerdict) => {
    const sent = exchanges.filter(({ role }) => role !== 'control')
    const different = new Set(sent.map(({ delivery, label }) => `${delivery.event} ${label}`))
    // A receiver that had ended before answered nothing: what ended it is another case.
    const isUnsent = exchanges.every(wasRefused) ? 1 : 0
    const changed = sent.filter(({ delivery }) => delivery.change !== null)
    return [isUnsent, problems.length, different.size, sent.length, changed.length] as const
  }
  return failures
    .filter(({ severity }) => severity === worst?.severity)
    .map((verdict) => ({ verdict, size: sizeOf(verdict) }))
    .toSorted(
      (a, b) => a.size.map((n, at) => n - (b.size[at] ?? 0)).find((difference) => difference !== 0) ?? 0,
    )[0]?.verdict
}

const severityOf = ({ severity }: ReportVerdict): Severity => severity ?? 'protocol'
