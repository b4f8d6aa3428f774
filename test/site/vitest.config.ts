import { defineConfig } from 'vitest/config'
import { flakyTests } from '../support/flaky-tests.ts'

/** The built site in Debian's Chromium; `npm run site` builds it. */
export default defineConfig({
  test: {
    include: ['test/site/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // A browser of three processes on a busy machine: CI repeats a failed test once, and names it.
    retry: process.env['CI'] ? 1 : 0,
    reporters: process.env['CI']
      ? ['default', flakyTests, ['json', { outputFile: 'reports/test-site.json' }]]
      : ['default'],
  },
})
