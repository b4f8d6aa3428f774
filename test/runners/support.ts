import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CATALOGUE } from '../../conformance/catalogue/index.ts'

export const SECRET = 'whsec_of_the_tests_in_a_test_runner'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** What a test runner said of a project with one file. */
export interface Ran {
  readonly code: number
  /** What it printed for a person. */
  readonly output: string
  /** By the id of the case. */
  readonly tests: ReadonlyMap<string, Told>
}

export interface Told {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed; empty otherwise. */
  readonly message: string
}

export interface Project {
  /** The test file, an ES module that may import `hookproof`, `express` and `vitest`. */
  readonly source: string
  readonly args?: readonly string[]
  /** Added to an environment that has next to nothing. */
  readonly env?: Readonly<Record<string, string>>
  /** Further files, by name. */
  readonly files?: Readonly<Record<string, string>>
}

/** Runs Vitest, as a program of its own, in a folder of its own. */
export async function runVitest({ source, args = [], env = {}, files = {} }: Project): Promise<Ran> {
  return inFolder({ ...files, 'receiver.test.mjs': source }, async (folder) => {
    const main = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
    const reporters = ['--reporter=verbose', '--reporter=json', '--outputFile=told.json']
    const { code, output } = await node(folder, env, [main, 'run', '--root', folder, ...reporters, ...args])
    const told = JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8')) as VitestJson
    const tests = told.testResults.flatMap(({ assertionResults }) => assertionResults)
    return {
      code,
      output,
      tests: byCase(
        tests.map(({ title, status, failureMessages }) => [
          title,
          {
            outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
            message: failureMessages.join('\n'),
          },
        ]),
      ),
    }
  })
}

interface VitestJson {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** Runs `node --test`, as a program of its own, in a folder of its own. */
export async function runNodeTest({ source, args = [], env = {}, files = {} }: Project): Promise<Ran> {
  return inFolder({ ...files, 'receiver.mjs': source, 'reporter.mjs': LINES_OF_JSON }, async (folder) => {
    const own = ['--test-reporter=./reporter.mjs', '--test-reporter-destination=told.jsonl']
    const forPeople = ['--test-reporter=spec', '--test-reporter-destination=stdout']
    const { code, output } = await node(folder, env, [
      '--test',
      ...own,
      ...forPeople,
      ...args,
      'receiver.mjs',
    ])
    const lines = readFileSync(join(folder, 'told.jsonl'), 'utf8').trim().split('\n')
    return { code, output, tests: byCase(lines.map((line) => JSON.parse(line) as [string, Told])) }
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

/** Groups and the like are left out. */
function byCase(tests: readonly (readonly [title: string, told: Told])[]): Map<string, Told> {
  const found = new Map<string, Told>()
  for (const [title, told] of tests) {
    const id = title.split(' - ', 1)[0] ?? ''
    if (CATALOGUE.some((one) => one.id === id)) found.set(id, told)
  }
  return found
}

/** The ids of the tests with an outcome, in the order of the run. */
export function having(outcome: Told['outcome'], { tests }: Ran): string[] {
  return [...tests].flatMap(([id, told]) => (told.outcome === outcome ? [id] : []))
}

/** The cases of test mode: those that need effects, or the others. */
export function casesNeeding(needs: 'effects' | undefined): string[] {
  return CATALOGUE.filter((one) => one.mode !== 'live' && one.needs === needs).map(({ id }) => id)
}

async function inFolder(files: Readonly<Record<string, string>>, use: (folder: string) => Promise<Ran>) {
  if (!existsSync(join(REPOSITORY, 'dist/runners'))) {
    throw new Error('dist/runners is missing: run `npm run build` first')
  }
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-testing-'))
  try {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(REPOSITORY, join(folder, 'node_modules/hookproof'))
    for (const name of ['express', 'vitest']) {
      symlinkSync(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name))
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs Node without what the runner of these very tests has put into the environment. */
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
      { cwd, env, maxBuffer: 1e8, timeout: 50_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, output: `${stdout}${stderr}` })
      },
    )
  })
}
