import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

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

/** The receiver needs no code of schemas, only types. */
const RECEIVER_TYPE = 'receiver/deep/type-of-schemas.ts'

/** Files that import one folder each, as a value and as a type, and whether the table allows it. */
const TABLE = Object.entries(ALLOWED).flatMap(([from, allowed]) =>
  FOLDERS.flatMap((to) =>
    [`value-of-${to}`, `type-of-${to}`].map((name) => {
      const path = `${from}/deep/${name}.ts`
      const keyword = name.startsWith('type') ? 'export type' : 'export'
      return {
        path,
        source: `${keyword} { thing } from '${specifier(path, `${to}/module.ts`)}'`,
        allowed: from.startsWith(to) || allowed.includes(to) || (path === RECEIVER_TYPE && to === 'schemas'),
      }
    }),
  ),
)

/** Other files, and the lines of each that must be reported. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  'receiver/verify.ts': [
    "export { createHmac } from 'node:crypto'",
    "export type { Event } from './event.ts'",
    "export { readFileSync } from 'node:fs'",
    "export { parse } from './event.ts'",
  ],
  'scripts/proofs/crash/crash.ts': [
    "export { a } from '../../bench/drive.ts'",
    "export { b } from '../../tools/schemas.ts'",
    "export { c } from '../../shared/numbers.ts'",
  ],
  'scripts/bench/run.ts': [
    "export { a } from '../proofs/shared/audit.ts'",
    "export { b } from '../shared/numbers.ts'",
  ],
  'scripts/shared/numbers.ts': ["export { a } from '../bench/drive.ts'", "export { b } from './program.ts'"],
  'docs/examples/receiver.js': [
    "export { a } from '../../receiver/index.ts'",
    "export { b } from 'hookproof'",
  ],
  'load/cycle-a.ts': ["export type { B } from './cycle-b.ts'"],
  'load/cycle-b.ts': ["export type { A } from './cycle-a.ts'"],
  'load/import-type.ts': ["export type A = typeof import('../receiver/verify.ts')"],
}

/** By rule, the place of every finding as `path:line`. */
let findings: ReadonlyMap<string, readonly string[]>

/** Lints all files above in one run, with the configuration of the repository. */
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-lint-'))
  try {
    copyFileSync(join(REPOSITORY, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    const files = [
      ...TABLE.map(({ path, source }) => [path, source] as const),
      ...Object.entries(SOURCES).map(([path, lines]) => [path, lines.join('\n')] as const),
    ]
    for (const [path, source] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), `${source}\n`)
    }
    findings = lint(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function lint(cwd: string): Map<string, string[]> {
  const oxlint = join(REPOSITORY, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] }
  const places = new Map<string, string[]>()
  for (const { code, filename, labels } of diagnostics) {
    const rule = /\((.*)\)/.exec(code)?.[1] ?? code
    places.set(rule, [...(places.get(rule) ?? []), `${filename}:${labels[0]?.span.line}`])
  }
  return places
}

interface Diagnostic {
  /** `eslint(no-restricted-imports)` */
  readonly code: string
  readonly filename: string
  readonly labels: readonly { readonly span: { readonly line: number } }[]
}

const placesOf = (rule: string, select: (place: string) => boolean = () => true): string[] =>
  (findings.get(rule) ?? []).filter(select).toSorted()

test('the lint reports every import that the table of folders forbids, and no other', () => {
  const forbidden = TABLE.filter(({ allowed }) => !allowed).map(({ path }) => `${path}:1`)
  expect(placesOf('no-restricted-imports', (place) => place.includes('/deep/'))).toEqual(forbidden.toSorted())
})

test.each([
  ['verify.ts imports anything but node:crypto and types', 'receiver/verify.ts', [3, 4]],
  ['a proof imports a benchmark or a tool', 'scripts/proofs/crash/crash.ts', [1, 2]],
  ['a benchmark imports a proof', 'scripts/bench/run.ts', [1]],
  ['a shared script imports a benchmark', 'scripts/shared/numbers.ts', [1]],
  ['an example imports a file instead of a package', 'docs/examples/receiver.js', [1]],
])('the lint reports: %s', (_, path, lines) => {
  const expected = lines.map((line) => `${path}:${line}`)
  expect(placesOf('no-restricted-imports', (place) => place.startsWith(`${path}:`))).toEqual(expected)
})

test('the lint reports an import cycle of types', () => {
  expect(placesOf('no-cycle')).toEqual(['load/cycle-a.ts:1', 'load/cycle-b.ts:1'])
})

test('the lint reports a type that is imported by import(), which the other rules do not check', () => {
  expect(placesOf('consistent-type-imports')).toEqual(['load/import-type.ts:1'])
})
