// Proves the catalogue: runs it against every mutant, every correct variant and every third-party receiver, and prints
// figures. It fails if one falls short.
//   npm run proof               everything; writes reports/kill-matrix.md, and docs/kill-matrix.md, which in CI must be up to date
//   npm run proof -- --quick    each mutant only against the cases that must detect it, each variant once
//   npm run proof -- --quick --sample-if-proven    as in CI: one in eleven variants, if nothing has changed since a run held
//   npm run proof -- --busy 4   with so many processes beside it that keep the CPU busy, at normal priority
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { check } from '../../../conformance/check.ts'
import { FOREIGN, SECRET } from '../../../test/foreign/receivers.ts'
import { MUTANTS } from '../../../test/mutants/mutants.ts'
import { costOfCases } from '../../../test/mutants/proof/cost.ts'
import { MUSTS } from '../../../test/mutants/proof/detected.ts'
import { figuresOf } from '../../../test/mutants/proof/figures.ts'
import { FULL, QUICK, RUNS, runMatrix, SAMPLE, SEEDS } from '../../../test/mutants/proof/matrix.ts'
import { SECRETS } from '../../../test/mutants/proof/secrets.ts'
import { wallTimeOfCore } from '../../../test/mutants/proof/wall-time.ts'
import { VARIANTS } from '../../../test/mutants/variants.ts'
import { isProven, recordProven } from '../shared/proven.ts'
import { comparablePart, proofPage } from './page.ts'

const PAGE = 'docs/kill-matrix.md'
/** The page as this run would write it. */
const COPY = 'reports/kill-matrix.md'
/** How much more a case may cost in a catalogue four times as long; more means that the cost grows with the length. */
const MOST_GROWTH = 1.5
/** How many times longer than an empty program the core profile may take, as an entire process. */
const MOST_TIMES_EMPTY = 20

const { busy, ...values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'sample-if-proven': { type: 'boolean', default: false },
    busy: { type: 'string', default: '0' },
  },
}).values
const isSample = values['sample-if-proven'] && isProven('catalogue')
const isQuick = values.quick || isSample
const problems: string[] = []
const started = performance.now()
if (!isQuick) await measureCost()
const others = Array.from({ length: Number(busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']))
process.once('exit', () => others.forEach((other) => void other.kill('SIGKILL')))
const [foreign, matrix] = await Promise.all([
  gradeForeign(),
  runMatrix(isSample ? SAMPLE : isQuick ? QUICK : FULL),
])
const { survivors, unproven, falseFailures, wrongCauses, unstable } = figuresOf(matrix)
for (const error of matrix.errors) problems.push(`a run ended with an error: ${error}`)
for (const [name, missed] of survivors)
  problems.push(`mutant survived: ${name}, not detected by ${missed.join(', ')}`)
for (const id of unproven) problems.push(`MUST case without a mutant: ${id}`)
for (const what of [...falseFailures, ...foreign]) problems.push(`false failure: ${what}`)
for (const what of wrongCauses) problems.push(`wrong cause: ${what}`)
for (const what of unstable) problems.push(`unstable: ${what}`)

const mutants = Object.keys(MUTANTS).length
const variants = Object.keys(VARIANTS).filter((name) => matrix.repeated.get(name)?.length !== 0).length
const thirdParties = Object.keys(FOREIGN).length
const withCause = [...matrix.causes].filter(
  ([name, runs]) => runs.length > 0 && MUTANTS[name]?.cause !== undefined,
)
print(
  'mutants killed',
  `${mutants - survivors.size} of ${mutants}, ${isQuick ? 'each by its cases' : `each with ${SEEDS} seeds`}`,
)
if (matrix.alone.length > 0)
  print(
    'repeated alone',
    `${matrix.alone.length} runs that missed a mutant or its cause beside others: ${matrix.alone.join('; ')}`,
  )
print('MUST cases killed', `${MUSTS.length - unproven.length} of ${MUSTS.length}`)
print(
  'false failures',
  `${falseFailures.length + foreign.length} on ${variants} variants with ${isQuick ? 'one' : SECRETS.length} of ${SECRETS.length} shapes of secrets and on ${thirdParties} third-party receivers`,
)
print('causes named', `${withCause.length} mutants, ${wrongCauses.length} wrong`)
if (!isQuick)
  print('unstable verdicts', `${unstable.length} in ${RUNS} runs of ${matrix.repeated.size} receivers`)
if (others.length > 0) print('busy processes beside it', String(others.length))
print('duration', `${Math.round((performance.now() - started) / 1000)} s`)

for (const other of others) other.kill('SIGKILL')

const page = proofPage(matrix)
if (!isQuick) {
  await mkdir(dirname(COPY), { recursive: true })
  await writeFile(COPY, page)
}
if (problems.length === 0 && !isQuick && process.env['CI'] === undefined) await writeFile(PAGE, page)
else if (
  problems.length === 0 &&
  comparablePart(await readFile(PAGE, 'utf8').catch(() => '')) !== comparablePart(page)
) {
  problems.push(`out of date: ${PAGE}. Run \`npm run proof\` and commit the result.`)
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
else if (!isSample) recordProven('catalogue')

function print(name: string, figure: string): void {
  process.stdout.write(`${name.padEnd(24)} ${figure}\n`)
}

/** Measured while nothing else runs: how long the core profile takes, and whether the cost of a case grows with their number. */
async function measureCost(): Promise<void> {
  const wall = await wallTimeOfCore()
  const timesEmpty = wall.check / wall.empty
  if (!(timesEmpty <= MOST_TIMES_EMPTY))
    problems.push(`the core profile takes ${timesEmpty.toFixed(1)} times as long as an empty program`)
  print(
    'core profile',
    `${wall.check.toFixed(2)} s for the entire process against a running receiver (target: 0.60 s), ${timesEmpty.toFixed(1)} times an empty program (limit ${MOST_TIMES_EMPTY})`,
  )
  const costs = await costOfCases()
  const growth = (costs.at(-1)?.ms ?? Number.NaN) / (costs[0]?.ms ?? Number.NaN)
  if (!(growth <= MOST_GROWTH)) problems.push(`the cost of a case grows by a factor of ${growth.toFixed(2)}`)
  const perCase = costs.map(({ cases, ms }) => `${ms.toFixed(2)} ms with ${cases} cases`).join(', ')
  print('cost per case', `${perCase}: factor ${growth.toFixed(2)} (limit ${MOST_GROWTH})`)
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
