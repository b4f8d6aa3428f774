import { afterAll, describe, type RunnerTestSuite, test } from 'vitest'
import type { ConformanceOptions } from './options.ts'
import { define } from './suite.ts'

export { HarnessError } from '../conformance/harness-error.ts'
export { ConformanceFailure } from './judgement.ts'
export type { ConformanceOptions, Receiver } from './options.ts'

/**
 * Defines a Vitest test for each case of SPEC.md, in groups by section. Call it where `describe` may be called. All
 * tests share one run, which starts with the first of them and grades only the tests that Vitest selected.
 *
 * A MUST that fails or could not be tested fails its test. A SHOULD that is not met passes with an annotation.
 *
 * @throws HarnessError `nothing_selected` when a pattern matches no case or no case is left to test
 */
export function conformance(options: ConformanceOptions): void {
  define(options, {
    group: (name, body) => describe(name, body),
    afterAll: (end) => afterAll(end),
    // The run has its own time limits, and a retry would only get the same verdict.
    test: (title, verdict) =>
      test(title, { timeout: 0, retry: 0 }, async ({ task, skip, annotate }) => {
        const judgement = await verdict(() => selectedIn(task.suite?.suite))
        if (judgement.kind === 'skipped') skip(judgement.note)
        if (judgement.kind === 'warning') await annotate(judgement.note, 'warning')
      }),
  })
}

/** The titles of the tests that Vitest will run, in the group that contains the sections. */
function selectedIn(suite: RunnerTestSuite | undefined): ReadonlySet<string> {
  const sections = suite?.tasks.flatMap((task) => (task.type === 'suite' ? task.tasks : [])) ?? []
  return new Set(sections.filter(({ mode }) => mode === 'run' || mode === 'queued').map(({ name }) => name))
}
