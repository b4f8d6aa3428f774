import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'
import { LongestFirst } from './longest-first.ts'

/**
 * What needs the built programs, a database, other programs, every case of the catalogue or an entire run of the suite. The
 * tests that each kind of inbox has to pass run here once more, with that in Postgres.
 */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: ['test/**/*.{system,contract}.test.ts'],
    exclude: ['**/node_modules/**'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/postgres-server.ts'],
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'reports/test-system.json' }]]
      : ['default'],
  },
})
