import { configDefaults, defineConfig } from 'vitest/config'
import { sourceAlias } from './test/support/source-alias.ts'

export default defineConfig({
  resolve: { alias: sourceAlias },
  test: {
    include: ['test/**/*.test.ts'],
    // Those have configurations of their own.
    exclude: [...configDefaults.exclude, 'test/{package,browser,site}/**', 'test/**/*.system.test.ts'],
    // Only for tests that never end: on an overloaded machine everything takes many times longer.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Test files share the modules of their worker: importing them for each file would take a quarter of the time.
    isolate: false,
    // Transforming them takes a tenth of the time; the next run has them from the disk, by what is in each file.
    experimental: { fsModuleCache: process.env['CI'] === undefined },
    // Two more than CI has cores, because half of the time is spent waiting.
    maxWorkers: 4,
    reporters: process.env['CI'] ? ['default', ['json', { outputFile: 'reports/test.json' }]] : ['default'],
  },
})
