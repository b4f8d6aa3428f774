import { afterAll, describe, type RunnerTestSuite, test } from 'vitest'
import type { ConformanceOptions } from './options.ts'
import { define } from './suite.ts'

export { HarnessError } from '../conformance/errors.ts'
export { ConformanceFailure } from './judgement.ts'
export type { ConformanceOptions, Receiver } from './options.ts'

/**
 * Defines a Vitest test for each case of SPEC.md, in groups by section. Call it where `describe` may be called. All
 * tests share one run, which begins with the first of them and grades only those that Vitest was asked to run.
 *
 * A MUST that fails, or that could not be tested, fails its test. A SHOULD that is not met passes with an annotation.
 *
 * @throws HarnessError `nothing_selected` when a pattern matches no case, or nothing is left to test.
 */
export function conformance(options: ConformanceOptions): void {
  define(options, {
    group: (name, body) => describe(name, body),
    afterAll: (end) => afterAll(end),
    // The run has time limits of its own, and a second try would only be told the same verdict.
    test: (title, verdict) =>
      test(title, { timeout: 0, retry: 0 }, async ({ task, skip, annotate }) => {
        const judgement = await verdict(() => chosenIn(task.suite?.suite))
        if (judgement.kind === 'skipped') skip(judgement.note)
        if (judgement.kind === 'warning') await annotate(judgement.note, 'advice')
      }),
  })
}

/** The titles of the tests that Vitest will run, below the group that holds the sections. */
function chosenIn(suite: RunnerTestSuite | undefined): ReadonlySet<string> {
  const sections = suite?.tasks.flatMap((task) => (task.type === 'suite' ? task.tasks : [])) ?? []
  return new Set(sections.filter(({ mode }) => mode === 'run' || mode === 'queued').map(({ name }) => name))
}
