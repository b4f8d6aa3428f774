import type { Judgement } from '../../runners/judgement.ts'
import type { ConformanceOptions } from '../../runners/options.ts'
import { define, type Verdict } from '../../runners/suite.ts'

/** The result of each case by its id: its judgement, or the error that its test throws. */
export type Outcomes = ReadonlyMap<string, Judgement | Error>

/** Grades in this process, as a test runner that runs all tests one after another. */
export async function gradeHere(options: ConformanceOptions): Promise<Outcomes> {
  const tests: (readonly [title: string, verdict: Verdict])[] = []
  const ends: (() => Promise<void>)[] = []
  define(options, {
    group: (_, body) => body(),
    test: (title, verdict) => tests.push([title, verdict]),
    afterAll: (end) => ends.push(end),
  })
  const outcomes = new Map<string, Judgement | Error>()
  for (const [title, verdict] of tests) {
    const id = title.split(' - ', 1)[0] ?? ''
    outcomes.set(id, await verdict().catch((error: Error) => error))
  }
  for (const end of ends) await end()
  return outcomes
}

/** The ids of the cases whose tests fail. */
export function failing(outcomes: Outcomes): string[] {
  return [...outcomes].flatMap(([id, outcome]) => (outcome instanceof Error ? [id] : []))
}
