// Installs and grades receivers around public libraries that verify the same header scheme.
//   npm run libraries -- [name...]            grades these libraries, or all
//   npm run libraries -- [name...] --write    also writes docs/libraries.md and docs/results/libraries.json
//   npm run libraries -- [name...] --check    also fails if docs/libraries.md is out of date
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { check } from '../../conformance/index.ts'
import { failureOf, run, settingIn, whileRunning } from '../examples/running.ts'
import { type CaseResults, outdatedResults, readResults, resultsOf, writeResults } from '../shared/results.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { type Library, type Result, readLibraries, withResults } from './library.ts'

const PAGE = 'docs/libraries.md'
/** What a verifier decides; the rest of the contract is up to the receiver. */
const SECTIONS = ['signature-header/*', 'time-window/*', 'body-bytes/*', 'refusals/*']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
})

const results = new Map<string, Result>()
const kept = new Map<string, CaseResults>()
for (const library of readLibraries(positionals)) {
  const { name, probe, folder } = library
  const missing = failureOf(probe, folder)
  if (missing !== undefined) {
    if (process.env['CI'] === undefined)
      console.log(`${name}: SKIPPED, because "${probe}" failed: ${missing}`)
    else fail(`${name}: "${probe}" failed: ${missing}`)
    continue
  }
  try {
    const result = await grade(library)
    results.set(name, result)
    const { passed, all, failed, warned } = result
    console.log(`${name}: ${passed} of ${all} passed`)
    for (const id of failed) console.log(`  failed: ${id}`)
    for (const id of warned) console.log(`  warning: ${id}`)
  } catch (error) {
    fail(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const page = readFileSync(PAGE, 'utf8')
const expected = withResults(page, readLibraries(), results)
if (values.write) {
  writeFileSync(PAGE, expected)
  writeResults(
    'libraries',
    kept,
    readLibraries().map(({ name }) => name),
  )
} else if (
  values.check &&
  (expected !== page || outdatedResults(readResults('libraries'), kept).length > 0)
) {
  fail(`${PAGE} is out of date. Run \`npm run libraries -- --write\`.`)
}

async function grade(library: Library): Promise<Result> {
  run(library.install, library.folder)
  return withTemporaryFolder(async (folder) => {
    const report = await whileRunning(library, await settingIn(folder), ({ url, secret }) =>
      check({ url, secret, profile: 'core', only: SECTIONS }),
    )
    kept.set(library.name, resultsOf(report))
    const idsOf = (outcome: string) =>
      report.verdicts.filter((verdict) => verdict.outcome === outcome).map((verdict) => verdict.case)
    const unclear = idsOf('inconclusive')
    if (unclear.length > 0) throw new Error(`no result in ${unclear.join(', ')}`)
    return {
      passed: report.counts.passed,
      all: report.verdicts.length,
      failed: idsOf('failed'),
      warned: idsOf('warning'),
    }
  })
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
