import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPackages, type Installed, packAndInstall, REPOSITORY, runWith } from './install.ts'

let installed: Installed

beforeAll(async () => {
  installed = await packAndInstall('@hookproof/receiver')
})

afterAll(() => installed?.remove())

interface Loaded {
  /** The packages whose files Node.js ran, without @hookproof/receiver. */
  readonly packages: readonly string[]
  /** How many files of @hookproof/receiver it ran. */
  readonly own: number
  /** Whether it loaded node:sqlite. */
  readonly sqlite: boolean
}

/** Runs ES module source and finds out from V8, which counts calls in each script, whose files ran. */
async function loadedBy(source: string): Promise<Loaded> {
  const coverage = mkdtempSync(join(tmpdir(), 'hookproof-graph-'))
  try {
    const report = `${source}\nconsole.log(process.moduleLoadList.some((name) => name.endsWith(' sqlite')))`
    const args = ['--input-type=module', '--eval', report]
    const { code, stdout, stderr } = await runWith(
      { NODE_V8_COVERAGE: coverage },
      installed.folder,
      process.execPath,
      ...args,
    )
    if (code !== 0) throw new Error(stderr)
    const files = readdirSync(coverage).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
        result: { url: string }[]
      }
      return result.map(({ url }) => url).filter((url) => /^file:.*\.[cm]?js$/.test(url))
    })
    const packages = files.map(packageOf)
    const others = new Set(packages.filter((name) => name !== '@hookproof/receiver'))
    return {
      packages: [...others].toSorted(),
      own: packages.filter((name) => name === '@hookproof/receiver').length,
      sqlite: stdout === 'true\n',
    }
  } finally {
    rmSync(coverage, { recursive: true })
  }
}

/** The package of a file; the file itself if it is in none. */
function packageOf(url: string): string {
  const names = [...url.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)]
  return names.at(-1)?.[1] ?? url
}

/** A package of the repository with everything that it depends on. */
function closureOf(...names: readonly string[]): Set<string> {
  const closure = new Set<string>()
  const visit = (name: string, from: string): void => {
    if (closure.has(name)) return
    closure.add(name)
    const paths = createRequire(join(from, '/')).resolve.paths(name) ?? []
    const folder = paths.map((path) => join(path, name)).find((path) => readManifest(path) !== undefined)
    if (folder === undefined) return
    const { dependencies = {}, optionalDependencies = {} } = readManifest(folder) ?? {}
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
      visit(dependency, folder)
  }
  for (const name of names) visit(name, REPOSITORY)
  return closure
}

type Manifest = { readonly dependencies?: object; readonly optionalDependencies?: object }

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

const RAW_BODY = [
  'bytes',
  'depd',
  'http-errors',
  'iconv-lite',
  'inherits',
  'raw-body',
  'safer-buffer',
  'setprototypeof',
  'statuses',
  'toidentifier',
  'unpipe',
]

test('what V8 reports contains both kinds of modules', async () => {
  const { packages } = await loadedBy(`import '@hookproof/receiver'; import 'raw-body'`)
  expect(packages).toEqual(RAW_BODY)
})

test.each([
  '@hookproof/receiver',
  '@hookproof/receiver/fastify',
  '@hookproof/receiver/fetch',
  '@hookproof/receiver/sqlite',
])('%s loads no file outside the package, and no SQLite', async (path) => {
  const { packages, own, sqlite } = await loadedBy(`import '${path}'`)
  expect(packages).toEqual([])
  expect(own).toBeGreaterThan(5)
  expect(sqlite).toBe(false)
})

test('@hookproof/receiver/express also loads raw-body, and no framework', async () => {
  const { packages, sqlite } = await loadedBy(`import '@hookproof/receiver/express'`)
  expect(packages.filter((name) => !RAW_BODY.includes(name))).toEqual([])
  expect(packages).toContain('raw-body')
  expect(sqlite).toBe(false)
})

test('a SQLite inbox loads SQLite when it is opened', async () => {
  addPackages(installed.folder, '@photostructure/sqlite')
  const { packages, sqlite } = await loadedBy(`
    import { sqliteInbox } from '@hookproof/receiver/sqlite'
    const inbox = await sqliteInbox({ path: 'graph.sqlite' })
    await inbox.close()`)
  if (process.getBuiltinModule('node:sqlite') === undefined) {
    const closure = closureOf('@photostructure/sqlite')
    expect(packages).toContain('@photostructure/sqlite')
    expect(packages.filter((name) => !closure.has(name))).toEqual([])
  } else {
    expect(sqlite).toBe(true)
    expect(packages).toEqual([])
  }
})

test('@hookproof/receiver/postgres loads pg, and what it needs', async () => {
  addPackages(installed.folder, 'pg')
  const { packages } = await loadedBy(`import '@hookproof/receiver/postgres'`)
  const closure = closureOf('pg')
  expect(packages).toContain('pg')
  expect(packages.filter((name) => !closure.has(name))).toEqual([])
})
