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
  server: ['schemas'],
  conformance: ['fixtures', 'schemas'],
  sandbox: ['fixtures', 'schemas'],
  runners: ['conformance', 'fixtures', 'schemas'],
  load: ['fixtures'],
  cli: FOLDERS.filter((folder) => !['receiver', 'runners', 'scripts', 'test'].includes(folder)),
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

/** Files that import one folder each, as a value and as a type, and whether the table allows it. */
const TABLE = Object.entries(ALLOWED).flatMap(([from, allowed]) =>
  FOLDERS.flatMap((to) =>
    [`value-of-${to}`, `type-of-${to}`].map((name) => {
      const path = `${from}/deep/${name}.ts`
      const keyword = name.startsWith('type') ? 'export type' : 'export'
      return {
        path,
        source: `${keyword} { thing } from '${specifier(path, `${to}/module.ts`)}'`,
        allowed: from.startsWith(to) || allowed.includes(to),
      }
    }),
  ),
)

/** Files that import the receiver by its name. */
const byName = (...paths: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(
    paths.map((path) => [
      path,
      ["export { a } from '@hookproof/receiver'", "export type { B } from '@hookproof/receiver/express'"],
    ]),
  )

/** Other files, and the lines of each that must be reported. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  'receiver/verify.ts': [
    "export { createHmac } from 'node:crypto'",
    "export { a } from 'node:fs'",
    "export type { B } from './webhook-event.ts'",
  ],
  'receiver/receive.ts': [
    "export { a } from './verify.js'",
    "export type { B } from './webhook-event.ts'",
    "export { c } from 'node:util'",
  ],
  'receiver/express.ts': [
    "export { a } from './receive.js'",
    "export { b } from 'raw-body'",
    "export type { C } from 'node:http'",
    "export { d } from 'node:http'",
    "export type { E } from 'express'",
    "export { f } from './options.ts'",
  ],
  'receiver/fastify.ts': [
    "export { a } from './receive.js'",
    "export type { B } from 'fastify'",
    "export { c } from 'fastify'",
    "export { d } from 'raw-body'",
  ],
  'receiver/fetch.ts': ["export { a } from './receive.js'", "export type { B } from 'node:http'"],
  'receiver/inbox/any.ts': [
    "export { a } from '../options.ts'",
    "export { b } from './sqlite/driver.ts'",
    "export { c } from 'node:fs'",
    "export { d } from 'node:timers/promises'",
    "export { e } from 'raw-body'",
    "export { f } from 'pg'",
    "export type { H } from '@photostructure/sqlite'",
    "export type { I } from 'fastify'",
    "export { j } from 'fastify'",
    "export type { K } from 'express'",
    "export { l } from 'pino'",
    "export { m } from 'hookproof/fixtures'",
    "export { n } from '@hookproof/receiver'",
  ],
  ...byName('server/any.ts', 'cli/any.ts'),
  ...byName('schemas/any.ts', 'fixtures/any.ts', 'conformance/any.ts', 'sandbox/any.ts', 'runners/any.ts'),
  ...byName('load/any.ts', 'scripts/shared/any.ts'),
  'scripts/proofs/crash/crash.ts': [
    "export { a } from '../../bench/drive.ts'",
    "export { b } from '../../tools/schemas.ts'",
    "export { c } from '../../shared/numbers.ts'",
  ],
  'scripts/bench/bench.ts': [
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
  ['verify.ts imports anything but node:crypto', 'receiver/verify.ts', [2, 3]],
  ['receive.ts imports anything but verify.ts', 'receiver/receive.ts', [2, 3]],
  ['an adapter imports more than the core and raw-body', 'receiver/express.ts', [4, 5, 6]],
  ['an adapter loads Fastify', 'receiver/fastify.ts', [3, 4]],
  ['an adapter imports more than the core', 'receiver/fetch.ts', [2]],
  ['the receiver imports a package that it does not declare', 'receiver/inbox/any.ts', [10, 11, 12, 13, 9]],
  ['the suite imports the receiver', 'conformance/any.ts', [1, 2]],
  ['the schemas import the receiver', 'schemas/any.ts', [1, 2]],
  ['the fixtures import the receiver', 'fixtures/any.ts', [1, 2]],
  ['the sandbox imports the receiver', 'sandbox/any.ts', [1, 2]],
  ['the runners import the receiver', 'runners/any.ts', [1, 2]],
  ['the load generator imports the receiver', 'load/any.ts', [1, 2]],
  ['a shared script imports the receiver', 'scripts/shared/any.ts', [1, 2]],
  ['nothing when the server imports the receiver by its name', 'server/any.ts', []],
  ['nothing when the command imports the receiver by its name', 'cli/any.ts', []],
  ['a proof imports a benchmark or a tool', 'scripts/proofs/crash/crash.ts', [1, 2]],
  ['a benchmark imports a proof', 'scripts/bench/bench.ts', [1]],
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
