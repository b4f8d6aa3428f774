import type { CatalogueCase } from '../conformance/contracts/webhook/model.ts'
import { compareBaseline } from '../conformance/report/baseline.ts'
import { printable } from '../conformance/report/text.ts'
import { OUTCOME_NAMES } from '../conformance/report/wording.ts'
import type { Baseline, ConformanceReport, ReportVerdict } from '../schemas/types.ts'
import { explain } from './message.ts'

/** The result of a test that does not fail. */
export type Judgement =
  | { readonly kind: 'passed' }
  /** A SHOULD or MAY was not met: the test passes, as the command does, with a note. */
  | { readonly kind: 'warning'; readonly note: string }
  | { readonly kind: 'skipped'; readonly note: string }

/** Why a test fails. */
export type FailureCode = 'failed' | 'inconclusive' | 'untested' | 'stale_baseline'

/** The receiver violates a MUST, or a MUST has no result, or the baseline is stale. */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
    // The stack of the suite says nothing about the receiver.
    this.stack = `${this.name}: ${message}`
  }
}

/**
 * The result of one case, by the rules of the command's exit code: a failed, inconclusive or untested MUST fails, a
 * known failure of the baseline is skipped, as is what it leaves inconclusive, and a stale entry of the baseline fails.
 *
 * @param remains whether the receiver is still there after the tests
 * @throws ConformanceFailure `failed`, `inconclusive`, `untested` or `stale_baseline`
 */
export function judge(
  { id }: CatalogueCase,
  report: ConformanceReport,
  baseline: Baseline,
  remains: boolean,
): Judgement {
  const verdict = report.verdicts.find((verdict) => verdict.case === id)
  if (verdict === undefined) {
    throw new ConformanceFailure(
      'untested',
      `${id} was not part of the run: run all tests of this file again`,
    )
  }
  switch (verdict.outcome) {
    case 'failed':
      return failed(verdict, report, baseline, remains)
    case 'inconclusive':
    case 'untested': {
      const note = `${OUTCOME_NAMES[verdict.outcome]}: ${printable(verdict.reason ?? 'the reason is unknown')}`
      const isAccepted = compareNow(report, baseline).inconclusive.includes(id)
      if (verdict.level === 'MUST' && !isAccepted)
        throw new ConformanceFailure(verdict.outcome, `${id} was ${note}`)
      return { kind: 'skipped', note }
    }
    case 'warning':
      requireNotStale(verdict, report, baseline)
      return { kind: 'warning', note: explain(verdict, report, remains) }
    case 'passed':
      requireNotStale(verdict, report, baseline)
      return { kind: 'passed' }
  }
}

function failed(
  verdict: ReportVerdict,
  report: ConformanceReport,
  baseline: Baseline,
  remains: boolean,
): Judgement {
  const entry = baseline.failures[verdict.case]
  const { known } = compareNow(report, baseline)
  if (entry !== undefined && known.some((known) => known.case === verdict.case)) {
    const until = entry.expires === undefined ? '' : ` (accepted until ${entry.expires})`
    return { kind: 'skipped', note: `known failure${until}: ${entry.reason}` }
  }
  const expired =
    entry === undefined
      ? ''
      : `\nThe baseline entry expired on ${entry.expires}: fix the failure, or set a later date.`
  throw new ConformanceFailure('failed', `${explain(verdict, report, remains)}${expired}`)
}

function requireNotStale(verdict: ReportVerdict, report: ConformanceReport, baseline: Baseline): void {
  if (!compareNow(report, baseline).stale.includes(verdict.case)) return
  throw new ConformanceFailure(
    'stale_baseline',
    `${verdict.case} no longer fails: remove its entry from the baseline, so that it cannot hide a new failure`,
  )
}

function compareNow(report: ConformanceReport, baseline: Baseline) {
  return compareBaseline(report, baseline, report.startedAt.slice(0, 10))
}
