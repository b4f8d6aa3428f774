// Installs, starts and grades the examples, and compares their results with the last ones, which docs/examples.md shows.
//   npm run examples -- [name...]            grades these examples, or all
//   npm run examples -- [name...] --write    also writes docs/results/examples.json and docs/examples.md
//   npm run examples -- --check              also fails if a result is out of date, apart from the times
//   npm run examples -- [name...] --traps    grades them with their commonest mistakes instead, and compares the causes
//   npm run examples -- --check --traps      does both with one installation; scripts/proofs/proven.json records what held
//   npm run examples -- --check --traps --quick-if-proven    an example that held, and has not changed, only in the core profile
//   npm run examples -- flask --only time-window/*    grades in these cases only
//   npm run examples -- --check --part 1/2            every second one: most of the time is spent waiting, so that two parts run side by side
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isProven, recordProven } from '../proofs/shared/proven.ts'
import { type CaseResults, outdatedResults, readResults, writeResults } from '../shared/results.ts'
import { type Example, readExamples } from './example.ts'
import { grade } from './grade.ts'
import { install, isInstalled } from './running.ts'
import { lastGradeOf, withExamples } from './table.ts'
import { springAll } from './trap.ts'

const PAGE = 'docs/examples.md'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    traps: { type: 'boolean', default: false },
    'quick-if-proven': { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    part: { type: 'string', default: '1/1' },
  },
})
const { write, check, traps, only } = values
const [part = 1, parts = 1] = values.part.split('/').map(Number)
const isGrading = !traps || check || write

const graded = new Map<string, CaseResults>()
let failures = 0
for (const [index, example] of readExamples(positionals).entries()) {
  if (index % parts !== part - 1) continue
  const { name, lines, probe, folder, ours } = example
  if (!isInstalled(name, probe, folder)) continue
  const sources = [folder, 'conformance', 'scripts/examples', ...(ours === true ? ['receiver'] : [])]
  const isShort = values['quick-if-proven'] && isProven(folder, sources)
  const before = failures
  try {
    install(example)
    if (isGrading) {
      const { faults, results } = await grade(example, only, isShort)
      if (!isShort) graded.set(name, results)
      console.log(`${name}: ${lastGradeOf(results).join('; acknowledged in ')}; ${lines} lines`)
      if (faults.length > 0) fail(faults.map((fault) => `  ${fault}`).join('\n'))
    }
    const areAllTried = traps && !isShort && (await compareCauses(example))
    if (areAllTried && isGrading && only.length === 0 && failures === before) recordProven(folder, sources)
  } catch (error) {
    fail(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
if (write && only.length === 0) {
  const all = readExamples()
  const names = all.map(({ name }) => name)
  const results = writeResults('examples', graded, names)
  writeFileSync(PAGE, withExamples(readFileSync(PAGE, 'utf8'), all, results))
}
if (check) {
  const outdated = outdatedResults(readResults('examples'), graded)
  if (outdated.length > 0)
    fail(`${PAGE} is out of date: ${outdated.join(', ')}. Run \`npm run examples -- --write\`.`)
}

/** @returns false if what a mistake needs is not installed */
async function compareCauses(example: Example): Promise<boolean> {
  const traps = example.traps?.filter(({ name, probe = 'true' }) =>
    isInstalled(`${example.name}/${name}`, probe, example.folder),
  )
  for await (const { name, found, fault } of springAll({ ...example, ...(traps && { traps }) })) {
    console.log(`${example.name}/${name}: ${found}`)
    if (fault !== undefined) fail(`  ${fault}`)
  }
  return traps?.length === example.traps?.length
}

function fail(message: string): void {
  failures += 1
  console.error(message)
  process.exitCode = 1
}
