// Prints how many tests passed, failed and were skipped, from Vitest's JSON reports: the last line of a CI run.
//   tsx scripts/tools/summary.ts <report.json> ...
import { readFileSync } from 'node:fs'

interface Results {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
}

const results = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')) as Results)
const total = (count: (result: Results) => number) => results.reduce((sum, result) => sum + count(result), 0)
const skipped = total(({ numPendingTests }) => numPendingTests)
const failed = total(({ numFailedTests }) => numFailedTests)

console.log(
  `${total(({ numPassedTests }) => numPassedTests)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
)
if (failed > 0) process.exitCode = 1
