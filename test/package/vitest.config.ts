import { defineConfig } from 'vitest/config'

/** Tests the package as users get it: packed, and installed in another folder. Slow, so it is not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    // Vitest would leave one of two cores to itself, and installing waits for the disk.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'reports/test-package.json' }]]
      : ['default'],
  },
})
