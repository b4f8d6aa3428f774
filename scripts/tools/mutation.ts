// Mutation testing: Stryker changes the files of stryker.config.json in one place at a time and runs their tests. It fails
// if no test notices a change and test/mutation/equivalent.json does not explain it.
//   npm run mutation [-- <file> ...]             mutates only these files
//   npm run mutation -- --quick-if-proven        only the first, if nothing has changed since all mutants were killed or explained
import { readFile, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { isProven, recordProven } from '../proofs/shared/proven.ts'
import { type Explanation, judge, type MutationReport, type Row } from './mutation-verdict.ts'

const CONFIG = 'stryker.config.json'
const EXPLANATIONS = 'test/mutation/equivalent.json'

interface Config {
  readonly mutate: readonly string[]
  readonly jsonReporter: { readonly fileName: string }
}

const readJson = async <T>(path: string) => JSON.parse(await readFile(path, 'utf8')) as T

const { mutate, jsonReporter } = await readJson<Config>(CONFIG)
const SOURCES = [
  'conformance',
  'receiver',
  'test/conformance',
  'test/fixtures',
  'test/mutation',
  'test/receiver',
]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'quick-if-proven': { type: 'boolean', default: false } },
})
const isShort = values['quick-if-proven'] && isProven('mutation', SOURCES)
const requested = isShort ? mutate.slice(0, 1) : positionals
const unknown = requested.filter((file) => !mutate.includes(file))

if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: not in "mutate" of ${CONFIG}, which lists ${mutate.join(', ')}`)
  process.exitCode = 1
} else {
  await run(requested.length > 0 ? requested : mutate)
}

async function run(files: readonly string[]): Promise<void> {
  // Otherwise an earlier report would be judged if Stryker wrote none.
  await rm(jsonReporter.fileName, { force: true })
  try {
    await new Stryker({ configFile: CONFIG, mutate: [...files] }).runMutationTest()
  } catch (error) {
    console.error(`Stryker could not run: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
    return
  }
  const all = await readJson<Explanation[]>(EXPLANATIONS)
  const explanations = requested.length > 0 ? all.filter(({ file }) => files.includes(file)) : all
  const report = await readJson<MutationReport>(jsonReporter.fileName)
  const { rows, problems } = judge(report, explanations, files)

  console.log(table(rows))
  for (const problem of problems) console.error(problem)
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0)
  console.log(
    `mutation: ${sum(({ mutants }) => mutants)} mutants, ${sum(({ killed }) => killed)} killed, ` +
      `${sum(({ explained }) => explained)} explained, ${sum(({ survive }) => survive)} survive`,
  )
  if (problems.length > 0) process.exitCode = 1
  else if (requested.length === 0) recordProven('mutation', SOURCES)
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ file }) => file.length))
  const cells = [
    ['file', 'mutants', 'killed', 'explained'],
    ...rows.map(({ file, mutants, killed, explained }) => [file, mutants, killed, explained]),
  ]
  return cells
    .map(([file, ...numbers]) => [String(file).padEnd(width), ...numbers.map((n) => String(n).padStart(9))])
    .map((row) => row.join(' '))
    .join('\n')
}
