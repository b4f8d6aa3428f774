// Proves the catalogue: runs it against every mutant, every correct variant and every third-party receiver, and prints
// figures. It fails if one falls short. It writes docs/kill-matrix.md; with --check it fails if that page is out of date.
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { check } from '../../conformance/check.ts'
import { FOREIGN, SECRET } from '../../test/foreign/receivers.ts'
import { costOfCases } from '../../test/mutants/cost.ts'
import { figuresOf, MUSTS } from '../../test/mutants/figures.ts'
import { runMatrix } from '../../test/mutants/matrix.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { VARIANTS } from '../../test/mutants/variants.ts'
import { comparablePart, proofPage } from './proof-page.ts'

const PAGE = 'docs/kill-matrix.md'
/** How much more a case may cost in a catalogue four times as long; more means that the cost grows with the length. */
const MOST_GROWTH = 1.5

const problems: string[] = []
// First, while nothing else runs.
const seconds = wallTimes()
const costs = await costOfCases()
const growth = (costs.at(-1)?.ms ?? Number.NaN) / (costs[0]?.ms ?? Number.NaN)
if (!(growth <= MOST_GROWTH)) problems.push(`the cost of a case grows by a factor of ${growth.toFixed(2)}`)

const foreign = await gradeForeign()
const matrix = await runMatrix()
const { survivors, unproven, falseFailures, unstable } = figuresOf(matrix)
for (const [name, missed] of survivors)
  problems.push(`mutant survived: ${name}, not detected by ${missed.join(', ')}`)
for (const id of unproven) problems.push(`MUST case without a mutant: ${id}`)
for (const what of [...falseFailures, ...foreign]) problems.push(`false failure: ${what}`)
for (const what of unstable) problems.push(`unstable: ${what}`)

const mutants = Object.keys(MUTANTS).length
const correct = Object.keys(VARIANTS).length + Object.keys(FOREIGN).length
const costLine = costs.map(({ cases, ms }) => `${ms.toFixed(2)} ms with ${cases} cases`).join(', ')
console.log(`mutants killed           ${mutants - survivors.size} of ${mutants}`)
console.log(`MUST cases killed        ${MUSTS.length - unproven.length} of ${MUSTS.length}`)
console.log(
  `false failures           ${falseFailures.length + foreign.length} on ${correct} correct receivers`,
)
console.log(`unstable verdicts        ${unstable.length} in 3 runs of ${matrix.repeated.size} receivers`)
console.log(
  `whole catalogue          ${seconds.map((run) => run.toFixed(2)).join(', ')} s including start (target: under 3 s)`,
)
console.log(`cost per case            ${costLine}: factor ${growth.toFixed(2)} (limit ${MOST_GROWTH})`)

const page = proofPage(matrix)
if (problems.length === 0 && !process.argv.includes('--check')) await writeFile(PAGE, page)
else if (
  problems.length === 0 &&
  comparablePart(await readFile(PAGE, 'utf8').catch(() => '')) !== comparablePart(page)
) {
  problems.push(`out of date: ${PAGE}. Run \`npm run proof\` and commit the result.`)
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/** How long the command takes to grade the bundled receiver, in seconds; three runs. */
function wallTimes(): number[] {
  return Array.from({ length: 3 }, () => {
    const started = performance.now()
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', 'check'], {
      encoding: 'utf8',
    })
    if (status !== 0) problems.push(`hookproof check exited with code ${status}: ${stderr}`)
    return (performance.now() - started) / 1000
  }).toSorted((a, b) => a - b)
}

/** The cases that correct receivers in other languages and frameworks fail or cannot run. */
async function gradeForeign(): Promise<string[]> {
  const failures: string[] = []
  for (const [name, { start, missing }] of Object.entries(FOREIGN)) {
    const reason = missing()
    if (reason !== undefined) {
      problems.push(`${name}: not tested, ${reason}`)
      continue
    }
    const { url, close } = await start()
    const report = await check({ url: `${url}/webhooks`, observe: `${url}/observe`, secret: SECRET })
    await close()
    for (const { case: id, outcome } of report.verdicts)
      if (outcome !== 'passed' && outcome !== 'warning') failures.push(`${name}: ${id} ${outcome}`)
  }
  return failures
}
