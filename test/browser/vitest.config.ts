import { defineConfig } from 'vitest/config'
import { flakyTests } from '../support/flaky-tests.ts'
import { sourceAlias } from '../support/source-alias.ts'

/** The HTML report in Debian's Chromium, separate from the other tests, since not every machine has a browser. */
export default defineConfig({
  resolve: { alias: sourceAlias },
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/setup.ts'],
    // Vitest would leave one of two cores to itself.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A browser of three processes on a busy machine: CI repeats a failed test once, and names it.
    retry: process.env['CI'] ? 1 : 0,
    reporters: process.env['CI']
      ? ['default', flakyTests, ['json', { outputFile: 'reports/test-browser.json' }]]
      : ['default'],
  },
})
