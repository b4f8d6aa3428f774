import type { Baseline, ConformanceReport, KnownFailure } from '../../schemas/types.ts'
import type { CatalogueCase } from '../contracts/webhook/model.ts'
import { HarnessError } from '../harness-error.ts'
import { isUndecidedMust } from './summary.ts'

/** A report compared with a baseline. What is `known`, and what that leaves inconclusive, is accepted. */
export type Comparison = NonNullable<ConformanceReport['baseline']>

/**
 * Parses a baseline.
 *
 * @param file its path, for the errors
 * @param cases those of the contract that is graded
 * @throws HarnessError `bad_option` that states what is wrong with it
 */
export async function parseBaseline(
  text: string,
  file: string,
  cases: readonly Pick<CatalogueCase, 'id'>[],
): Promise<Baseline> {
  const { explain, validate } = await import('../../schemas/validate.ts')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new HarnessError(
      'bad_option',
      `${file} is not valid JSON: fix it, or delete it and write a new baseline`,
    )
  }
  const violations = validate('baseline', value)
  if (violations.length > 0) {
    throw new HarnessError('bad_option', `${file} is not a valid baseline: ${explain(violations)}`)
  }
  const baseline = value as Baseline
  const named = [...Object.keys(baseline.failures), ...(baseline.inconclusive ?? [])]
  const unknown = named.find((name) => !cases.some(({ id }) => id === name))
  if (unknown !== undefined)
    throw new HarnessError('bad_option', `${file}: "${unknown}" is not a case; remove the entry`)
  return baseline
}

/**
 * Compares a report with a baseline. A listed case that is inconclusive is accepted only beside a known failure, which
 * explains it: a receiver that rejects everything fails nothing, and must not pass.
 *
 * @param today the day of the run in UTC, as YYYY-MM-DD
 */
export function compareBaseline(
  report: ConformanceReport,
  { failures, inconclusive: listed = [] }: Baseline,
  today: string,
): Comparison {
  const failed = failedCases(report)
  const isExpired = (id: string) => (failures[id]?.expires ?? today) < today
  const named = failed.filter((id) => Object.hasOwn(failures, id))
  const decided = decidedIn(report)
  const known = named
    .filter((id) => !isExpired(id))
    .map((id) => ({ case: id, reason: failures[id]?.reason ?? '' }))
  const isListed = (id: string) => listed.includes(id) || (Object.hasOwn(failures, id) && !isExpired(id))
  const undecided = report.verdicts.filter(isUndecidedMust)
  const accepted =
    known.length === 0
      ? []
      : undecided.filter((verdict) => verdict.outcome === 'inconclusive' && isListed(verdict.case))
  return {
    known,
    new: failed.filter((id) => !Object.hasOwn(failures, id)),
    stale: Object.keys(failures).filter((id) => decided.has(id) && !failed.includes(id)),
    expired: named.filter(isExpired),
    inconclusive: accepted.map((verdict) => verdict.case),
    undecided: undecided.filter((verdict) => !accepted.includes(verdict)).map((verdict) => verdict.case),
  }
}

/**
 * The baseline that lists exactly the failures of a report, with the reasons and expiry dates that it already had, and what
 * these failures leave inconclusive.
 */
export function updatedBaseline(
  report: ConformanceReport,
  { failures, inconclusive: listed = [] }: Baseline,
): Baseline {
  const decided = decidedIn(report)
  // A case without a result may still fail.
  const kept = Object.entries(failures).filter(([id]) => !decided.has(id))
  const found = failedCases(report).map((id): [string, KnownFailure] => [
    id,
    failures[id] ?? { reason: 'Not investigated yet.' },
  ])
  const next = Object.fromEntries([...kept, ...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const now = report.verdicts.filter(
    (verdict) => verdict.outcome === 'inconclusive' && isUndecidedMust(verdict),
  )
  const inconclusive = [...new Set([...listed, ...now.map((verdict) => verdict.case)])]
    .filter((id) => !decided.has(id) && !Object.hasOwn(next, id))
    .toSorted()
  return found.length === 0 || inconclusive.length === 0
    ? { failures: next }
    : { failures: next, inconclusive }
}

/** The cases with a result: neither untested nor inconclusive. */
function decidedIn({ verdicts }: ConformanceReport): ReadonlySet<string> {
  const decided = verdicts.filter(({ outcome }) => outcome !== 'untested' && outcome !== 'inconclusive')
  return new Set(decided.map((verdict) => verdict.case))
}

function failedCases({ verdicts }: ConformanceReport): string[] {
  return verdicts.filter(({ outcome }) => outcome === 'failed').map((verdict) => verdict.case)
}
