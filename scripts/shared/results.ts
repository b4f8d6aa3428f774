import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

const FOLDER = 'docs/results'

/** What is read from a report of the suite. */
interface Report {
  readonly profile: string
  readonly conclusion: string
  readonly verdicts: readonly { readonly case: string; readonly section: string; readonly outcome: string }[]
}

/** What a report says about one receiver, without its exchanges. */
export interface CaseResults {
  readonly profile: string
  readonly conclusion: string
  /** The median time until it acknowledged a delivery, in milliseconds, if that was measured. */
  readonly acknowledgedInMs?: number
  /** How many cases passed, by section. */
  readonly passed: Readonly<Record<string, number>>
  /** The cases with another outcome, by id. */
  readonly others: Readonly<Record<string, string>>
}

/** The last results of a kind of receivers, by their name. */
export type Results = Readonly<Record<string, CaseResults>>

/** Reads a report into what is kept of it. @param acknowledgedInMs in milliseconds, if that was measured */
export function resultsOf({ profile, conclusion, verdicts }: Report, acknowledgedInMs?: number): CaseResults {
  const passed: Record<string, number> = {}
  const others: Record<string, string> = {}
  for (const { case: id, section, outcome } of verdicts) {
    passed[section] = (passed[section] ?? 0) + (outcome === 'passed' ? 1 : 0)
    if (outcome !== 'passed') others[id] = outcome
  }
  const time = acknowledgedInMs === undefined ? {} : { acknowledgedInMs: Number(acknowledgedInMs.toFixed(1)) }
  return { profile, conclusion, ...time, passed, others }
}

/** Reads the last results of a kind. */
export function readResults(kind: 'examples' | 'libraries'): Results {
  return JSON.parse(readFileSync(`${FOLDER}/${kind}.json`, 'utf8')) as Results
}

/**
 * The receivers whose last result is another one than that of now. How many cases passed is not compared: that changes
 * with every new case.
 */
export function outdatedResults(last: Results, graded: ReadonlyMap<string, CaseResults>): string[] {
  const verdictOf = ({ profile, conclusion, others }: CaseResults) => ({ profile, conclusion, others })
  return [...graded].flatMap(([name, now]) => {
    const known = last[name]
    return known !== undefined && isDeepStrictEqual(verdictOf(known), verdictOf(now)) ? [] : [name]
  })
}

/** Replaces the results of the receivers that were graded; the others stay. @param names all that there are */
export function writeResults(
  kind: 'examples' | 'libraries',
  graded: ReadonlyMap<string, CaseResults>,
  names: readonly string[],
): Results {
  const known = { ...readResults(kind), ...Object.fromEntries(graded) }
  const kept = names.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]] as const]))
  const results = Object.fromEntries(kept)
  writeFileSync(`${FOLDER}/${kind}.json`, `${JSON.stringify(results, null, 2)}\n`)
  return results
}
