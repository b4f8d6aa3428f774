import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

const FOLDERS = [
  'schemas',
  'fixtures',
  'receiver',
  'server',
  'conformance',
  'sandbox',
  'runners',
  'load',
  'cli',
  'scripts',
  'test',
] as const

/** Which folders a file of each folder may import; the folder itself always. */
const ALLOWED: Readonly<Record<string, readonly (typeof FOLDERS)[number][]>> = {
  schemas: [],
  fixtures: ['schemas'],
  receiver: [],
  server: ['receiver', 'schemas'],
  conformance: ['fixtures', 'schemas'],
  sandbox: ['fixtures', 'schemas'],
  runners: ['conformance', 'fixtures', 'schemas'],
  load: ['fixtures'],
  cli: FOLDERS.filter((folder) => !['runners', 'scripts', 'test'].includes(folder)),
  'scripts/tools': FOLDERS,
  'scripts/shared': [],
  'scripts/proofs': FOLDERS.filter((folder) => folder !== 'runners'),
  'scripts/bench': FOLDERS.filter((folder) => folder !== 'runners'),
  test: FOLDERS,
}

/** The specifier by which a file imports a path from the top of the repository. */
const specifier = (file: string, target: string): string => {
  const path = relative(dirname(file), target)
  return path.startsWith('.') ? path : `./${path}`
}

/** Lints source files with the repository's configuration in one run. @returns the names of the files with a finding */
function filesWithFindings(rule: string, files: ReadonlyMap<string, string>): string[] {
  const folder = temporaryFolder()
  copyFileSync(join(REPOSITORY, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  for (const [path, source] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), source)
  }
  const oxlint = join(REPOSITORY, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  return [
    ...new Set(diagnostics.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename)),
  ].toSorted()
}

/** The receiver needs no code of schemas, only types. */
const RECEIVER_TYPE = 'receiver/deep/type-of-schemas.ts'

/** A file that imports each folder, in both forms, and whether the table allows it. */
function snippets(): { path: string; source: string; allowed: boolean }[] {
  return Object.entries(ALLOWED).flatMap(([from, allowed]) =>
    FOLDERS.flatMap((to) =>
      [`value-of-${to}`, `type-of-${to}`].map((name) => {
        const path = `${from}/deep/${name}.ts`
        const target = specifier(path, `${to}/module.ts`)
        const keyword = name.startsWith('type') ? 'export type' : 'export'
        return {
          path,
          source: `${keyword} { thing } from '${target}'\n`,
          allowed:
            from.startsWith(to) || allowed.includes(to) || (path === RECEIVER_TYPE && to === 'schemas'),
        }
      }),
    ),
  )
}

test('the lint reports every import that the table of folders forbids, and no other', () => {
  const all = snippets()
  const files = new Map(all.map(({ path, source }) => [path, source]))
  const forbidden = all.filter(({ allowed }) => !allowed).map(({ path }) => path)
  expect(filesWithFindings('no-restricted-imports', files)).toEqual(forbidden.toSorted())
})

test.each([
  ['verify.ts imports another module of Node.js', 'receiver/verify.ts', 'node:fs'],
  ['verify.ts imports another module of the receiver', 'receiver/verify.ts', './event.ts'],
  ['a proof imports a benchmark', 'scripts/proofs/crash/crash.ts', '../../bench/drive.ts'],
  ['a proof imports a tool', 'scripts/proofs/crash/crash.ts', '../../tools/schemas.ts'],
  ['a benchmark imports a proof', 'scripts/bench/run.ts', '../proofs/shared/audit.ts'],
  ['a shared script imports a benchmark', 'scripts/shared/numbers.ts', '../bench/drive.ts'],
  ['an example imports a file of the repository', 'docs/examples/receiver.js', '../../receiver/index.ts'],
])('the lint reports: %s', (_, path, target) => {
  const source = `export { thing } from '${target}'\n`
  expect(filesWithFindings('no-restricted-imports', new Map([[path, source]]))).toEqual([path])
})

test('verify.ts may import node:crypto and types', () => {
  const source = "export { createHmac } from 'node:crypto'\nexport type { Event } from './event.ts'\n"
  expect(filesWithFindings('no-restricted-imports', new Map([['receiver/verify.ts', source]]))).toEqual([])
})

test('the lint reports an import cycle, also one of types', () => {
  const files = new Map([
    ['load/a.ts', "import type { B } from './b.ts'\nexport type A = B\n"],
    ['load/b.ts', "import type { A } from './a.ts'\nexport type B = A\n"],
  ])
  expect(filesWithFindings('no-cycle', files)).toEqual(['load/a.ts', 'load/b.ts'])
})

test('the lint reports a type imported by import(), which the other two rules do not see', () => {
  const files = new Map([['load/a.ts', "export type A = typeof import('../receiver/verify.ts')\n"]])
  expect(filesWithFindings('consistent-type-imports', files)).toEqual(['load/a.ts'])
})
