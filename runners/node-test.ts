import { after, describe, test } from 'node:test'
import type { ConformanceOptions } from './options.ts'
import { define } from './suite.ts'

export { HarnessError } from '../conformance/harness-error.ts'
export { ConformanceFailure } from './judgement.ts'
export type { ConformanceOptions, Receiver } from './options.ts'

/**
 * Defines a test of node:test for each case of SPEC.md, in groups by section. All tests share one run, which starts with
 * the first of them and grades every case: node:test does not reveal which tests a name pattern selects.
 *
 * A MUST that fails or could not be tested fails its test. A SHOULD that is not met passes with a diagnostic.
 *
 * @throws HarnessError `nothing_selected` when a pattern matches no case or no case is left to test
 */
export function conformance(options: ConformanceOptions): void {
  define(options, {
    group: (name, body) => {
      void describe(name, body)
    },
    afterAll: (end) => after(end),
    test: (title, verdict) => {
      void test(title, async (context) => {
        const judgement = await verdict()
        if (judgement.kind === 'skipped') context.skip(judgement.note)
        if (judgement.kind === 'warning') context.diagnostic(judgement.note)
      })
    },
  })
}
