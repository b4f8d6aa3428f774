import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**', 'test/browser/**'],
    globalSetup: ['test/receiver/postgres-server.ts'],
    testTimeout: 20_000,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'reports/test.json' }]] : ['default'],
  },
})
