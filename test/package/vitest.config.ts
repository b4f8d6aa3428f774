import { defineConfig } from 'vitest/config'

/** The package as users get it: packed, installed elsewhere, run there. Slow, and so apart from the other tests. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'reports/test-package.json' }]]
      : ['default'],
  },
})
