import { defineConfig } from 'vitest/config'
import { sourceAlias } from '../support/source-alias.ts'

/** The HTML report in Debian's Chromium, separate from the other tests, since not every machine has a browser. */
export default defineConfig({
  resolve: { alias: sourceAlias },
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'reports/test-browser.json' }]]
      : ['default'],
  },
})
