// Everything of a release but the publishing. Builds once, packs both packages, compares what they contain with contents.json,
// tests these very tarballs, rehearses the publishing, and writes reports/release: tarballs, lists, SBOMs and notes.
//   tsx scripts/release/release.ts                 a dry run
//   tsx scripts/release/release.ts --tag v0.1.0    for a release: the tag, the versions and CHANGELOG.md must agree
//   tsx scripts/release/release.ts --built         uses the build that is there
//   tsx scripts/release/release.ts --write         also updates contents.json
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Contents, differences, kindsOf, notesOf, stage } from './package.ts'

const OUTPUT = 'reports/release'
const CONTENTS = 'scripts/release/contents.json'
/** The published packages: the receiver first, since `hookproof` depends on it. */
const FOLDERS = ['receiver', '.'] as const

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Packed {
  readonly name: string
  readonly tarball: string
  readonly files: readonly string[]
}

try {
  rehearse(readOptions())
} catch (error) {
  process.stderr.write(`release: ${(error as Error).message}\n`)
  process.exitCode = 1
}

interface Options {
  readonly tag?: string | undefined
  readonly built: boolean
  readonly write: boolean
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      tag: { type: 'string' },
      built: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  return values
}

function rehearse({ tag, built, write }: Options): void {
  const version = agreedVersion(tag)
  rmSync(OUTPUT, { recursive: true, force: true })
  mkdirSync(OUTPUT, { recursive: true })
  writeFileSync(
    join(OUTPUT, 'notes.md'),
    notesOf(readFileSync('CHANGELOG.md', 'utf8'), version, tag === undefined),
  )
  if (!built) run('npm', 'run', '--silent', 'build')
  const packed = FOLDERS.map(pack)
  compare(packed, write)
  run('npx', 'vitest', 'run', '--config', 'test/package/vitest.config.ts')
  for (const { name, tarball } of packed) {
    // A dry run writes nothing and needs no account, but it does refuse what the registry would refuse.
    run('npm', 'publish', `./${tarball}`, '--dry-run', '--ignore-scripts', '--access', 'public')
    writeSbom(name)
  }
  console.log(`\n${OUTPUT}: two packages of version ${version}, their contents, SBOMs and notes.`)
}

function agreedVersion(tag: string | undefined): string {
  const [receiver, root] = FOLDERS.map(manifestOf) as [Manifest, Manifest]
  const needed = root.dependencies?.[receiver.name]
  if (receiver.version !== root.version || needed !== root.version) {
    throw new Error(
      `package.json has version ${root.version} and needs ${receiver.name} ${needed}, whose version is ${receiver.version}`,
    )
  }
  if (tag !== undefined && tag !== `v${root.version}`) {
    throw new Error(`the tag is ${tag}, and package.json has version ${root.version}`)
  }
  return root.version
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function pack(folder: (typeof FOLDERS)[number]): Packed {
  const staged = mkdtempSync(join(tmpdir(), 'hookproof-stage-'))
  try {
    const listed = npmPack(folder, '--dry-run')
    stage(folder, pathsOf(listed), staged)
    return packed(folder, npmPack(staged, '--pack-destination', join(process.cwd(), OUTPUT)))
  } finally {
    rmSync(staged, { recursive: true })
  }
}

interface NpmPack {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

function npmPack(folder: string, ...options: readonly string[]): NpmPack {
  // Without scripts, since `prepare` would build again.
  const printed = output('npm', ['pack', '--json', '--ignore-scripts', ...options], folder)
  const [result] = JSON.parse(printed) as [NpmPack]
  return result
}

function pathsOf({ files }: NpmPack): string[] {
  return files.map(({ path }) => path).toSorted()
}

function packed(folder: (typeof FOLDERS)[number], result: NpmPack): Packed {
  const { name } = manifestOf(folder)
  const tarball = join(OUTPUT, result.filename)
  const paths = pathsOf(result)
  const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex')
  writeFileSync(`${tarball}.txt`, `sha256 ${hash}\n${paths.join('\n')}\n`)
  console.log(`${tarball}: ${paths.length} files, sha256 ${hash}`)
  return { name, tarball, files: paths }
}

function compare(packages: readonly Packed[], write: boolean): void {
  if (write) {
    const kinds = Object.fromEntries(packages.map(({ name, files }) => [name, kindsOf(files)]))
    writeFileSync(CONTENTS, `${JSON.stringify(kinds, null, 2)}\n`)
  }
  const allowed = JSON.parse(readFileSync(CONTENTS, 'utf8')) as Readonly<Record<string, Contents>>
  const found = packages.flatMap(({ name, files }) =>
    differences(files, allowed[name] ?? []).map((difference) => `${name}: ${difference}`),
  )
  if (found.length > 0) {
    const update = `If this is intended, run \`npm run release -- --write\` and review ${CONTENTS}.`
    throw new Error(`${found.join('\n')}\n${update}`)
  }
}

function writeSbom(name: string): void {
  const workspace = name === 'hookproof' ? [] : ['--workspace', name]
  const args = ['sbom', '--sbom-format', 'spdx', '--omit', 'dev', '--package-lock-only', ...workspace]
  const sbom = output('npm', args)
  writeFileSync(join(OUTPUT, `${name.replace('@', '').replace('/', '-')}.spdx.json`), sbom)
}

/** @throws Error that names the command if it fails; its own output says why */
function run(program: string, ...args: readonly string[]): void {
  const env = { ...process.env, HOOKPROOF_TARBALLS: OUTPUT }
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env })
  if (error !== undefined || status !== 0)
    throw failed(program, args, error?.message ?? `exit code ${status}`)
}

/** @returns what the program printed */
function output(program: string, args: readonly string[], cwd = '.'): string {
  const { status, error, stdout } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error !== undefined || status !== 0)
    throw failed(program, args, error?.message ?? `exit code ${status}`)
  return stdout
}

function failed(program: string, args: readonly string[], reason: string): Error {
  return new Error(`\`${program} ${args.join(' ')}\` failed: ${reason}. Its output is above.`)
}
