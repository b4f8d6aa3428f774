import { defineConfig } from 'vitest/config'

/** The built site in Debian's Chromium; `npm run site` builds it. */
export default defineConfig({
  test: {
    include: ['test/site/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'reports/test-site.json' }]]
      : ['default'],
  },
})
