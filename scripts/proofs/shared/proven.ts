import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** For each proof a hash of the files that it depends on, as they were when it last held entirely. Proofs write it. */
const FILE = 'scripts/proofs/proven.json'

/** The folders and files that decide what a proof shows, beside its own folder and those that all share. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  attack: ['receiver', 'server', 'load'],
  catalogue: ['conformance', 'receiver', 'server', 'test/foreign', 'test/mutants'],
  crash: ['receiver', 'server', 'load'],
  durability: ['conformance', 'receiver', 'server', 'cli/commands/receive', 'test/crash'],
  faults: ['receiver', 'server', 'load'],
  fsync: ['receiver', 'server', 'load'],
  fuzz: ['receiver', 'server', 'load'],
  k6: ['load', 'cli/commands/load', 'cli/commands/receive', 'receiver', 'server'],
  openapi: ['sandbox', 'cli/commands/sandbox'],
  powercut: ['receiver', 'server', 'load', 'scripts/proofs/faults'],
  runtimes: ['conformance', 'receiver', 'docs/examples', 'docs/frameworks.md', 'README.md'],
  'sandbox-fuzz': ['sandbox', 'cli/commands/sandbox', 'load', 'scripts/proofs/fuzz'],
  services: ['conformance', 'test/conformance/services'],
  soak: ['load', 'receiver', 'server'],
  timing: ['receiver'],
}
const SHARED = ['fixtures', 'schemas', 'scripts/proofs/shared', 'scripts/shared', 'test/support']
/** What an installation or a build writes, and what only people read. */
const NOT_SOURCES = [
  'README.md',
  'node_modules',
  'dist',
  '.venv',
  'target',
  '.next',
  '.svelte-kit',
  'build',
  'vendor',
  '__pycache__',
]

/** Whether nothing that the proof depends on has changed since it last held entirely. */
export const isProven = (proof: string, folders = foldersOf(proof)): boolean =>
  readProven()[proof] === fingerprintOf(folders)

/** Records that the proof held entirely. In CI nobody would commit the record. */
export function recordProven(proof: string, folders = foldersOf(proof)): void {
  if (process.env['CI'] !== undefined) return
  const fingerprint = fingerprintOf(folders)
  const proven = Object.entries({ ...readProven(), [proof]: fingerprint })
  const sorted = Object.fromEntries(proven.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`)
}

const readProven = () => JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>

function foldersOf(proof: string): readonly string[] {
  const folders = FOLDERS[proof]
  if (folders === undefined)
    throw new Error(`scripts/proofs/shared/proven.ts does not say what the proof ${proof} depends on`)
  return [...folders, `scripts/proofs/${proof}`]
}

function fingerprintOf(folders: readonly string[]): string {
  const hash = createHash('sha256').update(installedVersions())
  for (const folder of [...folders, ...SHARED]) {
    for (const path of filesOf(folder)) hash.update(`${path}\n`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

function filesOf(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.split(sep).some((part) => NOT_SOURCES.includes(part)))
    .toSorted()
    .map((file) => join(path, file))
    .filter((file) => statSync(file).isFile())
}

/** The version of each package that users install too. */
function installedVersions(): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, { version?: string; dev?: boolean }>>
  }
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return installed.map(([path, { version }]) => `${path} ${version}\n`).join('')
}
