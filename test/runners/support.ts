import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'

export const SECRET = 'whsec_of_the_tests_in_a_test_runner'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** The result of one test file in a test runner. */
export interface Ran {
  /** The exit code of the runner. */
  readonly code: number
  /** What the runner printed, with all other files of the same run. */
  readonly output: string
  /** By the id of the case. */
  readonly tests: ReadonlyMap<string, TestResult>
}

export interface TestResult {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed; empty otherwise. */
  readonly message: string
}

export interface Project {
  readonly args?: readonly string[]
  /** Added to an otherwise minimal environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Further files, by name. */
  readonly files?: Readonly<Record<string, string>>
}

/** As a project has it: a package of node_modules, which Vitest does not transform. */
const VITEST_CONFIG = `export default { test: { server: { deps: { external: [/[/]dist[/]/] } } } }`

/**
 * Runs test files in one separate Vitest process, in a separate folder.
 * @param sources the test files by name: ES modules that may import `hookproof`, `express`, `stripe` and `vitest`
 * @returns the result of each file, by its name
 */
export async function runVitest<Name extends string>(
  sources: Readonly<Record<Name, string>>,
  { args = [], env = {}, files = {} }: Project = {},
): Promise<Record<Name, Ran>> {
  const names = Object.keys(sources) as Name[]
  const tests = Object.fromEntries(names.map((name) => [`${name}.test.mjs`, sources[name]]))
  return inFolder({ ...files, ...tests, 'vitest.config.mjs': VITEST_CONFIG }, async (folder) => {
    const main = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
    const options = ['--reporter=verbose', '--reporter=json', '--outputFile=results.json', '--maxWorkers=1']
    const { code, output } = await node(folder, env, [main, 'run', '--root', folder, ...options, ...args])
    const { testResults } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as VitestJson
    const resultOf = (name: Name): Ran => {
      const own = testResults.filter((result) => basename(result.name) === `${name}.test.mjs`)
      const results = own.flatMap(({ assertionResults }) => assertionResults)
      return {
        code,
        output,
        tests: byCase(
          results.map(({ title, status, failureMessages }) => [
            title,
            {
              outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
              message: failureMessages.join('\n'),
            },
          ]),
        ),
      }
    }
    return Object.fromEntries(names.map((name) => [name, resultOf(name)])) as Record<Name, Ran>
  })
}

interface VitestJson {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Runs one test file with `node --test` in a separate process and folder. */
export async function runNodeTest(
  source: string,
  { args = [], env = {}, files = {} }: Project = {},
): Promise<Ran> {
  return inFolder({ ...files, 'receiver.mjs': source, 'reporter.mjs': LINES_OF_JSON }, async (folder) => {
    const own = ['--test-reporter=./reporter.mjs', '--test-reporter-destination=results.jsonl']
    const forPeople = ['--test-reporter=spec', '--test-reporter-destination=stdout']
    const { code, output } = await node(folder, env, [
      '--test',
      ...own,
      ...forPeople,
      ...args,
      'receiver.mjs',
    ])
    const lines = readFileSync(join(folder, 'results.jsonl'), 'utf8').trim().split('\n')
    return { code, output, tests: byCase(lines.map((line) => JSON.parse(line) as [string, TestResult])) }
  })
}

const LINES_OF_JSON = `
export default async function* (source) {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const outcome = type === 'test:fail' ? 'failed' : data.skip === undefined ? 'passed' : 'skipped'
    yield JSON.stringify([data.name, { outcome, message: data.details.error?.cause?.message ?? '' }]) + '\\n'
  }
}`

/** The results of the cases by their ids, without groups. */
function byCase(tests: readonly (readonly [title: string, result: TestResult])[]): Map<string, TestResult> {
  const found = new Map<string, TestResult>()
  for (const [title, result] of tests) {
    const id = title.split(' - ', 1)[0] ?? ''
    if (CATALOGUE.some((testCase) => testCase.id === id)) found.set(id, result)
  }
  return found
}

/** The ids of the tests with an outcome, in the order of the run. */
export function having(outcome: TestResult['outcome'], { tests }: Ran): string[] {
  return [...tests].flatMap(([id, result]) => (result.outcome === outcome ? [id] : []))
}

/** The cases of test mode: those that need effects, or the others. */
export function casesNeeding(needs: 'effects' | undefined): string[] {
  return CATALOGUE.filter(
    (testCase) => testCase.mode !== 'live' && testCase.onlyWith === undefined && testCase.needs === needs,
  ).map(({ id }) => id)
}

async function inFolder<Result>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(join(REPOSITORY, 'dist/runners'))) {
    throw new Error('dist/runners is missing: run `npm run build` first')
  }
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'hookproof-runners-')))
  try {
    mkdirSync(join(folder, 'node_modules'))
    // Everyone may create a junction on Windows; elsewhere it is a symbolic link.
    symlinkSync(REPOSITORY, join(folder, 'node_modules/hookproof'), 'junction')
    for (const name of ['@hookproof', 'express', 'stripe', 'vitest']) {
      symlinkSync(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs Node without the environment variables of the runner of these tests. */
function node(
  cwd: string,
  own: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, NO_COLOR: '1', ...own }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd, env, maxBuffer: 1e8, timeout: 150_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, output: `${stdout}${stderr}` })
      },
    )
  })
}
