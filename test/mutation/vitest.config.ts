import { defineConfig } from 'vitest/config'
import { sourceAlias } from '../support/source-alias.ts'

/**
 * The tests that `npm run mutation` runs against each changed copy of a file: only those of the mutated files. Tests with
 * random input are excluded, so that a mutant killed once is killed every time.
 */
export default defineConfig({
  resolve: { alias: sourceAlias },
  test: {
    include: [
      'test/mutation/load.test.ts',
      'test/fixtures/sign*.test.ts',
      'test/fixtures/vectors.test.ts',
      'test/conformance/contracts/payment-service/expect*.test.ts',
      'test/conformance/contracts/webhook/expectations/identical.test.ts',
      'test/receiver/receive.test.ts',
      'test/receiver/verify*.test.ts',
      'test/receiver/shared/errors.test.ts',
    ],
    exclude: ['test/receiver/verify.property.test.ts'],
    testTimeout: 20_000,
  },
})
