import type { Baseline, ConformanceReport, KnownFailure } from '../schemas/types.ts'
import { CATALOGUE } from './catalogue/index.ts'
import { HarnessError } from './errors.ts'

/** What a baseline says about a report. Only `known` is borne: anything else makes the run fail. */
export type Comparison = NonNullable<ConformanceReport['baseline']>

/** Reads a baseline. @throws HarnessError `bad_option` that names what is wrong with it. */
export async function parseBaseline(text: string, file: string): Promise<Baseline> {
  const { explain, validate } = await import('../schemas/validate.ts')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new HarnessError(
      'bad_option',
      `the baseline ${file} is not JSON: mend it, or remove it and write it anew with \`hookproof check --update-baseline\``,
    )
  }
  const violations = validate('baseline', value)
  if (violations.length > 0) {
    throw new HarnessError('bad_option', `the baseline ${file} is not one: ${explain(violations)}`)
  }
  const baseline = value as Baseline
  const unknown = Object.keys(baseline.failures).find((name) => !CATALOGUE.some(({ id }) => id === name))
  if (unknown !== undefined) {
    throw new HarnessError(
      'bad_option',
      `the baseline ${file} names "${unknown}", which is no case: remove the entry`,
    )
  }
  return baseline
}

/**
 * Compares a report with a baseline.
 *
 * @param today the day of the run in UTC, as YYYY-MM-DD
 */
export function compare(report: ConformanceReport, { failures }: Baseline, today: string): Comparison {
  const failed = failuresOf(report)
  const isExpired = (id: string) => (failures[id]?.expires ?? today) < today
  const named = failed.filter((id) => Object.hasOwn(failures, id))
  const ran = new Set(
    report.verdicts.filter(({ outcome }) => outcome !== 'untested').map((verdict) => verdict.case),
  )
  return {
    known: named
      .filter((id) => !isExpired(id))
      .map((id) => ({ case: id, reason: failures[id]?.reason ?? '' })),
    new: failed.filter((id) => !Object.hasOwn(failures, id)),
    stale: Object.keys(failures).filter((id) => ran.has(id) && !failed.includes(id)),
    expired: named.filter(isExpired),
  }
}

/** The baseline that bears just the failures of a report; reasons and last days that were given stay. */
export function update(report: ConformanceReport, { failures }: Baseline): Baseline {
  const ran = new Set(report.verdicts.map((verdict) => verdict.case))
  // What was not run this time is not known to be mended.
  const kept = Object.entries(failures).filter(([id]) => !ran.has(id))
  const found = failuresOf(report).map((id): [string, KnownFailure] => [
    id,
    failures[id] ?? { reason: 'Not looked into yet.' },
  ])
  return { failures: Object.fromEntries([...kept, ...found].toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

function failuresOf({ verdicts }: ConformanceReport): string[] {
  return verdicts.filter(({ outcome }) => outcome === 'failed').map((verdict) => verdict.case)
}
