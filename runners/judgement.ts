import { compare } from '../conformance/baseline.ts'
import type { CatalogueCase } from '../conformance/case/model.ts'
import type { Baseline, ConformanceReport, ReportVerdict } from '../schemas/types.ts'
import { explain } from './message.ts'

/** What a test says that does not fail. */
export type Judgement =
  | { readonly kind: 'passed' }
  /** A SHOULD or MAY was not met: the test passes, as the command does, and tells so. */
  | { readonly kind: 'warning'; readonly note: string }
  | { readonly kind: 'skipped'; readonly note: string }

/** Why a test fails. */
export type FailureCode = 'failed' | 'untested' | 'stale_baseline'

/** A receiver that does not keep the contract, or a case that shows nothing where it must. */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
    // Where the suite noticed it tells nothing about the receiver.
    this.stack = `${this.name}: ${message}`
  }
}

/**
 * What the report says of one case, by the rules of the command's exit code: a failed or untested MUST is not green, what
 * the baseline bears is, and an entry of it that has become stale is not.
 *
 * @param lasting whether the receiver is there after the tests
 * @throws ConformanceFailure
 */
export function judge(
  one: CatalogueCase,
  report: ConformanceReport,
  baseline: Baseline,
  lasting: boolean,
): Judgement {
  const verdict = report.verdicts.find((verdict) => verdict.case === one.id)
  if (verdict === undefined) {
    throw new ConformanceFailure(
      'untested',
      `${one.id} is not in the report: run the tests of this file again`,
    )
  }
  switch (verdict.outcome) {
    case 'failed':
      return failed(verdict, report, baseline, lasting)
    case 'untested': {
      const note = `untested: ${verdict.reason ?? 'no reason is known'}`
      if (verdict.level === 'MUST') throw new ConformanceFailure('untested', `${one.id} is ${note}`)
      return { kind: 'skipped', note }
    }
    case 'warning':
      unlessStale(verdict, report, baseline)
      return { kind: 'warning', note: explain(verdict, report, lasting) }
    case 'passed':
      unlessStale(verdict, report, baseline)
      return { kind: 'passed' }
  }
}

function failed(
  verdict: ReportVerdict,
  report: ConformanceReport,
  baseline: Baseline,
  lasting: boolean,
): Judgement {
  const entry = baseline.failures[verdict.case]
  const { known } = compareNow(report, baseline)
  if (entry !== undefined && known.some((one) => one.case === verdict.case)) {
    const until = entry.expires === undefined ? '' : ` (borne until ${entry.expires})`
    return { kind: 'skipped', note: `known failure${until}: ${entry.reason}` }
  }
  const over =
    entry === undefined
      ? ''
      : `\nThe baseline bore this until ${entry.expires}: mend it, or give another day.`
  throw new ConformanceFailure('failed', `${explain(verdict, report, lasting)}${over}`)
}

function unlessStale(verdict: ReportVerdict, report: ConformanceReport, baseline: Baseline): void {
  if (!compareNow(report, baseline).stale.includes(verdict.case)) return
  throw new ConformanceFailure(
    'stale_baseline',
    `${verdict.case} no longer fails: remove its entry from the baseline, where it would hide the next failure`,
  )
}

function compareNow(report: ConformanceReport, baseline: Baseline) {
  return compare(report, baseline, report.startedAt.slice(0, 10))
}
