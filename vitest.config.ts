import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**'],
    testTimeout: 20_000,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'reports/test.json' }]] : ['default'],
  },
})
