import type { ConformanceReport, ReportExcluded } from '../../schemas/types.ts'
import { grade } from './grade.ts'
import { observingUrl } from './package.ts'
import { cutShort, hasGrade, isNarrowed } from './summary.ts'
import { CONCLUSIONS, counted, countOf, OUTCOMES } from './wording.ts'

/** The scope of the conclusion and the numbers behind it: `in the core profile: 3 passed of 3 cases in 0.20 s.` */
export function tally(report: ConformanceReport): string {
  const { counts, profile } = report
  const total = report.verdicts.length
  const scope = isNarrowed(report)
    ? `in the ${total === 1 ? 'case' : `${total} cases`} selected`
    : `in the ${profile} profile`
  const parts = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) =>
    countOf(outcome, counts[outcome]),
  )
  const seconds = (report.durationMs / 1000).toFixed(2)
  return `${scope}: ${parts.join(', ')} of ${counted(total, 'case')} in ${seconds} s.`
}

/**
 * Conclusion, grade and counts in one line: `Conformant, grade A: 340 of 340 cases passed.`
 *
 * @param opening the causes, or else what failed, to be shown instead of the counts
 */
export function verdictOf(report: ConformanceReport, opening?: string): string {
  const { conclusion, counts, verdicts } = report
  const name = titleOf(report)
  if (opening !== undefined) return `${name}. ${opening}`
  const selected = isNarrowed(report) ? 'selected ' : ''
  const cases = counted(verdicts.length, `${selected}case`)
  const result =
    conclusion === 'incomplete'
      ? `no result for ${counts.untested + counts.inconclusive} of ${cases}`
      : `${counts.passed} of ${cases} passed`
  return `${name}: ${result}.`
}

/** `Not conformant, grade F`; a selection of cases and a run that ended early have no grade. */
export function titleOf(report: ConformanceReport): string {
  const name = CONCLUSIONS[report.conclusion]
  const short = cutShort(report)
  if (short !== undefined) return `${name}, ${short}`
  return hasGrade(report) ? `${name}, grade ${grade(report).letter}` : name
}

/** That the run graded the receiver which comes with hookproof; empty when it graded another. */
export function bundledLine({ target }: ConformanceReport): string {
  return target.started ? 'This is the bundled reference receiver: pass a URL to grade yours.' : ''
}

/** What the result does not show, one line for each kind: cases without a result, and cases that did not run. */
export function notShown(report: ConformanceReport): string[] {
  const { conclusion, counts, excluded } = report
  const withoutResult = counts.untested + counts.inconclusive
  const undecided =
    conclusion === 'conformant' && withoutResult > 0
      ? `No result for ${counted(withoutResult, 'SHOULD case')}.`
      : ''
  const isEntire = conclusion === 'conformant' && !isNarrowed(report) && report.crash === undefined
  const lines = isEntire
    ? [notTestedLine(report), excludedLine(excluded.filter(({ code }) => OMITTED[code] === undefined))]
    : [excludedLine(excluded)]
  return [undecided, ...lines].filter((line) => line !== '')
}

/** What an excluded case tests, and what makes it run. */
const OMITTED: Readonly<
  Partial<
    Record<ReportExcluded['code'], { readonly what: string; readonly option: string; readonly use: string }>
  >
> = {
  full_profile: {
    what: 'side effects such as double fulfillment',
    option: '--observe',
    use: 'add --observe <url>',
  },
  redeliver_after: {
    what: 'what arrives after a longer time',
    option: '--redeliver-after <seconds>',
    use: '--redeliver-after <seconds>',
  },
  live_mode: { what: 'live mode', option: '--mode live', use: '--mode live' },
  test_mode: { what: 'test mode', option: '--mode test', use: '--mode test' },
}

/** The side effects of a service whose payments the suite does not know. */
const afterTheAnswer = () => ({
  what: 'what happens after the answer, such as whether a redelivery is handled again',
  use: `add --observe <url>, see ${observingUrl()}`,
})

/** What a run of all cases has nevertheless not tested, with the commands that do. */
function notTestedLine({ excluded, service }: ConformanceReport): string {
  const omitted = Object.entries(OMITTED).flatMap(([code, known]) => {
    const count = excluded.filter((entry) => entry.code === code).length
    const { what, use } = code === 'full_profile' && service !== undefined ? afterTheAnswer() : known
    return count === 0 ? [] : [`${what} (${counted(count, 'case')}: ${use})`]
  })
  return `Not tested: ${[...omitted, service === undefined ? 'crashes (hookproof crash)' : 'crashes'].join(', ')}.`
}

/** How many cases were excluded from the run, why, and which option includes them; empty when none was. */
function excludedLine(excluded: ConformanceReport['excluded']): string {
  if (excluded.length === 0) return ''
  const reasons = new Map(excluded.map(({ reason, code }) => [reason, code]))
  const parts = [...reasons].map(([reason, code]) => {
    const count = excluded.filter((entry) => entry.reason === reason).length
    const { option } = OMITTED[code] ?? {}
    const included = option === undefined ? '' : ` (${option})`
    return `${count} ${count === 1 ? reason : reason.replace(/^needs/, 'need')}${included}`
  })
  return `Skipped: ${parts.join(', ')}.`
}
