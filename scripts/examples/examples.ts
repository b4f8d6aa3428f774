// Installs, starts and grades the examples, and compares docs/examples.md with them.
//   npm run examples -- [name...]            grades these examples, or all
//   npm run examples -- [name...] --write    also writes their rows of the table, and docs/results/examples.json
//   npm run examples -- --check              also fails if the table or the results are out of date, apart from the times
//   npm run examples -- [name...] --traps    grades them with their commonest mistakes instead, and compares the causes
//   npm run examples -- --check --traps      does both with one installation
//   npm run examples -- flask --only time-window/*    grades in these cases only
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { outdatedResults, readResults, writeResults } from '../shared/results.ts'
import { type Example, readExamples } from './example.ts'
import { type Grade, grade } from './grade.ts'
import { failureOf, install } from './running.ts'
import { outdatedRows, withRows } from './table.ts'
import { faultOf, springAll } from './trap.ts'

const PAGE = 'docs/examples.md'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    traps: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
})
const { write, check, traps, only } = values
const isGrading = !traps || check || write

const grades = new Map<Example, Grade>()
const all = readExamples()
for (const example of readExamples(positionals)) {
  const missing = failureOf(example.probe, example.folder)
  if (missing !== undefined) skip(example.name, example.probe, missing)
  else {
    try {
      install(example)
      if (isGrading) {
        const result = await grade(example, only)
        grades.set(example, result)
        print(example, result)
      }
      if (traps) await compareCauses(example)
    } catch (error) {
      fail(`${example.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
const kept = new Map([...grades].map(([{ name }, { results }]) => [name, results]))
if (write && only.length === 0) {
  writeFileSync(PAGE, withRows(readFileSync(PAGE, 'utf8'), all, grades))
  writeResults(
    'examples',
    kept,
    all.map(({ name }) => name),
  )
}
if (check) {
  const outdated = [
    ...outdatedRows(readFileSync(PAGE, 'utf8'), all, grades),
    ...outdatedResults(readResults('examples'), kept).map((name) => `${name} in docs/results/examples.json`),
  ]
  if (outdated.length > 0) {
    fail(`${PAGE} is out of date: ${outdated.join('; ')}. Run \`npm run examples -- --write\`.`)
  }
}

async function compareCauses(example: Example): Promise<void> {
  const traps = example.traps?.filter(({ name, probe = 'true' }) => {
    const missing = failureOf(probe, example.folder)
    if (missing !== undefined) skip(`${example.name}/${name}`, probe, missing)
    return missing === undefined
  })
  for await (const { trap, report } of springAll({ ...example, ...(traps && { traps }) })) {
    const fault = faultOf(trap, report)
    console.log(`${example.name}/${trap.name}: ${report.diagnosis ?? `${report.counts.warning} warnings`}`)
    if (fault !== undefined) fail(`  ${fault}`)
  }
}

function print({ name, lines }: Example, { faults, result, acknowledgmentMs }: Grade): void {
  console.log(`${name}: ${result}; ${lines} lines; acknowledged in ${acknowledgmentMs.toFixed(1)} ms`)
  if (faults.length > 0) fail(faults.map((fault) => `  ${fault}`).join('\n'))
}

function skip(name: string, probe: string, missing: string): void {
  const line = `${name}: SKIPPED, because "${probe}" failed: ${missing}`
  if (process.env['CI'] === undefined) console.log(line)
  else fail(line)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
