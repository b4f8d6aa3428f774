// Proves the cases and causes of the services: grades receivers with one mistake each, and correct ones, and prints figures. It
// fails if a mistake is not found, if no mistake fails a MUST case, if a correct receiver fails a case, or if a cause is wrong.
//   npm run proof -- services            writes docs/results/service-mistakes.json and docs/kill-matrix-services.md; in CI they must be up to date
//   npm run proof -- services --quick    one receiver in eleven
//   npm run proof -- services --quick-if-proven    as in CI: short, if nothing has changed since a run held
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isProven, recordProven } from '../shared/proven.ts'
import { figuresOf, isMissed, summaryOf } from './figures.ts'
import { jobsOf, runMatrix } from './matrix.ts'
import { KILLED, readKilled, serviceMatrixPage } from './page.ts'

/** What each grading has shown. */
const RESULTS = 'reports/services.json'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'quick-if-proven': { type: 'boolean', default: false },
  },
})
const isQuick = values.quick || (values['quick-if-proven'] && isProven('services'))
const started = performance.now()
const recorded = readKilled()
const jobs = jobsOf(isQuick)
const { results, errors, alone } = await runMatrix(jobs, (result) => isMissed(result, recorded))
mkdirSync('reports', { recursive: true })
writeFileSync(RESULTS, `${JSON.stringify(results.map(summaryOf), null, 1)}\n`)
const figures = figuresOf(results, recorded, isQuick)
for (const { service, mutants, variants, causes } of figures)
  print(
    service,
    `${mutants} mistakes, ${variants} correct receivers, ${causes.named} of ${causes.due} causes named`,
  )
if (alone.length > 0) print('repeated alone', alone.join('; '))
print('duration', `${Math.round((performance.now() - started) / 1000)} s, ${jobs.length} runs`)

const problems = [
  ...errors.map((error) => `a grading ended with an error: ${error}`),
  ...figures.flatMap((one) => one.problems),
]
const killed = Object.fromEntries(figures.map((one) => [one.service, one.killed]))
const isOutdated = JSON.stringify(killed) !== JSON.stringify(recorded)
if (problems.length === 0 && isOutdated) {
  if (isQuick || process.env['CI'] !== undefined)
    problems.push(`out of date: ${KILLED}. Run \`npm run proof -- services\` and commit the result.`)
  else {
    writeFileSync(KILLED, `${JSON.stringify(killed, null, 2)}\n`)
    writeFileSync('docs/kill-matrix-services.md', serviceMatrixPage(killed))
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
else if (!isQuick) recordProven('services')

function print(name: string, figure: string): void {
  process.stdout.write(`${name.padEnd(24)} ${figure}\n`)
}
