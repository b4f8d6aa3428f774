import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'

/** Whole runs of the suite, and what takes many seconds for other reasons: not part of `npm test`, which takes 90 s at most. */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: ['test/**/*.long.test.ts'],
    exclude: [],
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'reports/test-long.json' }]]
      : ['default'],
  },
})
