import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**', 'test/browser/**'],
    globalSetup: ['test/support/postgres-server.ts'],
    testTimeout: 20_000,
    // Much of the time is spent waiting for processes: as many workers as cores, or the whole takes over five minutes.
    maxWorkers: 2,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'reports/test.json' }]] : ['default'],
  },
})
