import { defineConfig } from 'vitest/config'
import { sourceAlias } from './test/support/source-alias.ts'

export default defineConfig({
  resolve: { alias: sourceAlias },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**', 'test/browser/**'],
    globalSetup: ['test/support/postgres-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Test files share the modules of their worker: importing them for each file would take a quarter of the time.
    isolate: false,
    // One more than CI has cores, because much of the time is spent waiting for other processes.
    maxWorkers: 3,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'reports/test.json' }]] : ['default'],
  },
})
