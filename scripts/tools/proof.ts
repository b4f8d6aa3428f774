// Proves the catalogue: runs it against every mutant, every correct variant and every foreign receiver, prints the
// figures, fails when one is short, and writes docs/kill-matrix.md, or with --check fails when that is out of date.
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { check } from '../../conformance/check.ts'
import { FOREIGN, SECRET } from '../../test/foreign/receivers.ts'
import { costOfCases } from '../../test/mutants/cost.ts'
import { figuresOf, MUSTS } from '../../test/mutants/figures.ts'
import { runMatrix } from '../../test/mutants/matrix.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { VARIANTS } from '../../test/mutants/variants.ts'
import { proofPage, settled } from './proof-page.ts'

const PATH = 'docs/kill-matrix.md'
/** How much dearer a case may be in a catalogue four times as long: beyond this, something grows with its length. */
const FLAT_WITHIN = 1.5

const problems: string[] = []
// First, while nothing else runs.
const whole = wallTimes()
const costs = await costOfCases()
const growth = (costs.at(-1)?.ms ?? Number.NaN) / (costs[0]?.ms ?? Number.NaN)
if (!(growth <= FLAT_WITHIN)) problems.push(`the cost of a case grows ${growth.toFixed(2)} times`)

const foreign = await gradeForeign()
const matrix = await runMatrix()
const { survivors, unproven, falseFailures, unstable } = figuresOf(matrix)
for (const [name, missed] of survivors) problems.push(`not killed: ${name} by ${missed.join(', ')}`)
for (const id of unproven) problems.push(`no mutant fails: ${id}`)
for (const what of [...falseFailures, ...foreign]) problems.push(`false failure: ${what}`)
for (const what of unstable) problems.push(`unstable: ${what}`)

const mutants = Object.keys(MUTANTS).length
const correct = Object.keys(VARIANTS).length + Object.keys(FOREIGN).length
const costLine = costs.map(({ cases, ms }) => `${ms.toFixed(2)} ms of ${cases}`).join(', ')
console.log(`mutants killed           ${mutants - survivors.size} of ${mutants}`)
console.log(`MUST cases killed        ${MUSTS.length - unproven.length} of ${MUSTS.length}`)
console.log(
  `false failures           ${falseFailures.length + foreign.length} on ${correct} correct receivers`,
)
console.log(`unstable verdicts        ${unstable.length} in 3 runs of ${matrix.repeated.size} receivers`)
console.log(
  `whole catalogue          ${whole.map((seconds) => seconds.toFixed(2)).join(', ')} s with start (asked: under 3 s)`,
)
console.log(`cost of one case         ${costLine}: ${growth.toFixed(2)} times (flat within ${FLAT_WITHIN})`)

const wanted = proofPage(matrix)
if (problems.length === 0 && !process.argv.includes('--check')) await writeFile(PATH, wanted)
else if (problems.length === 0 && settled(await readFile(PATH, 'utf8').catch(() => '')) !== settled(wanted)) {
  problems.push(`out of date: ${PATH}. Run \`npm run proof\` and commit what it writes.`)
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/** Three runs of the command against the receiver that it starts, in seconds. */
function wallTimes(): number[] {
  return Array.from({ length: 3 }, () => {
    const started = performance.now()
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', 'check'], {
      encoding: 'utf8',
    })
    if (status !== 0) problems.push(`hookproof check ended with status ${status}: ${stderr}`)
    return (performance.now() - started) / 1000
  }).toSorted((a, b) => a - b)
}

/** What correct receivers in other languages and on other frameworks did not get as they should. */
async function gradeForeign(): Promise<string[]> {
  const amiss: string[] = []
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
      if (outcome === 'failed' || outcome === 'untested') amiss.push(`${name}: ${id} ${outcome}`)
  }
  return amiss
}
