import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**', 'test/browser/**'],
    globalSetup: ['test/support/postgres-server.ts'],
    testTimeout: 20_000,
    // As many workers as CI has cores: much of the time is spent waiting for other processes.
    maxWorkers: 2,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'reports/test.json' }]] : ['default'],
  },
})
