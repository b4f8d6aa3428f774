import { readFileSync, writeFileSync } from 'node:fs'
import type { ConformanceReport } from '../../conformance/index.ts'

const FOLDER = 'docs/results'

/** What a report says about one receiver, without its exchanges. */
export interface CaseResults {
  readonly profile: ConformanceReport['profile']
  readonly conclusion: ConformanceReport['conclusion']
  /** How many cases passed, by section. */
  readonly passed: Readonly<Record<string, number>>
  /** The cases with another outcome, by id. */
  readonly others: Readonly<Record<string, string>>
}

/** The last results of a kind of receivers, by their name. */
export type Results = Readonly<Record<string, CaseResults>>

/** Reads a report into what is kept of it. */
export function resultsOf({ profile, conclusion, verdicts }: ConformanceReport): CaseResults {
  const passed: Record<string, number> = {}
  const others: Record<string, string> = {}
  for (const { case: id, section, outcome } of verdicts) {
    passed[section] = (passed[section] ?? 0) + (outcome === 'passed' ? 1 : 0)
    if (outcome !== 'passed') others[id] = outcome
  }
  return { profile, conclusion, passed, others }
}

/** Reads the last results of a kind. */
export function readResults(kind: 'examples' | 'libraries'): Results {
  return JSON.parse(readFileSync(`${FOLDER}/${kind}.json`, 'utf8')) as Results
}

/** Replaces the results of the receivers that were graded; the others stay. */
export function writeResults(
  kind: 'examples' | 'libraries',
  graded: ReadonlyMap<string, CaseResults>,
  names: readonly string[],
): void {
  const known = { ...readResults(kind), ...Object.fromEntries(graded) }
  const kept = names.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]] as const]))
  writeFileSync(`${FOLDER}/${kind}.json`, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}
