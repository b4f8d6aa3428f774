import type { Reporter } from 'vitest/node'

/** Names each test that failed and passed when it was repeated: a defect of the test or the product, which a busy machine shows. */
export const flakyTests: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky)
      process.stderr.write(`flaky: ${test.fullName} passed at the second attempt\n`)
  },
}
