// Everything of a release but the publishing. Builds once, packs both packages, compares what they contain with contents.json,
// tests these very tarballs, rehearses the publishing, and writes reports/release: tarballs, lists, SBOMs and notes.
//   tsx scripts/release/release.ts                 a dry run
//   tsx scripts/release/release.ts --tag v0.1.0    for a release: the tag, the versions and CHANGELOG.md must agree
//   tsx scripts/release/release.ts --built         uses the build that is there
//   tsx scripts/release/release.ts --write         also updates contents.json
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Contents, differences, kindsOf } from './contents.ts'
import { notesOf } from './notes.ts'

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

const { values: options } = parseArgs({
  options: {
    tag: { type: 'string' },
    built: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const version = agreedVersion()
rmSync(OUTPUT, { recursive: true, force: true })
mkdirSync(OUTPUT, { recursive: true })
writeFileSync(
  join(OUTPUT, 'notes.md'),
  notesOf(readFileSync('CHANGELOG.md', 'utf8'), version, options.tag === undefined),
)
if (!options.built) run('npm', 'run', '--silent', 'build')
const packed = FOLDERS.map(pack)
compare(packed)
run('npx', 'vitest', 'run', '--config', 'test/package/vitest.config.ts')
for (const { name, tarball } of packed) {
  // A dry run writes nothing and needs no account, but it does refuse what the registry would refuse.
  run('npm', 'publish', `./${tarball}`, '--dry-run', '--ignore-scripts', '--access', 'public')
  writeSbom(name)
}
console.log(`\n${OUTPUT}: two packages of version ${version}, their contents, SBOMs and notes.`)

function agreedVersion(): string {
  const [receiver, root] = FOLDERS.map(manifestOf) as [Manifest, Manifest]
  const needed = root.dependencies?.[receiver.name]
  if (receiver.version !== root.version || needed !== root.version) {
    throw new Error(
      `package.json has version ${root.version} and needs ${receiver.name} ${needed}, whose version is ${receiver.version}`,
    )
  }
  if (options.tag !== undefined && options.tag !== `v${root.version}`) {
    throw new Error(`the tag is ${options.tag}, and package.json has version ${root.version}`)
  }
  return root.version
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function pack(folder: (typeof FOLDERS)[number]): Packed {
  // Without scripts, since `prepare` would build again.
  const output = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', join(process.cwd(), OUTPUT)],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [{ filename, files }] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }]
  const { name } = manifestOf(folder)
  const tarball = join(OUTPUT, filename)
  const paths = files.map(({ path }) => path).toSorted()
  const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex')
  writeFileSync(`${tarball}.txt`, `sha256 ${hash}\n${paths.join('\n')}\n`)
  console.log(`${tarball}: ${paths.length} files, sha256 ${hash}`)
  return { name, tarball, files: paths }
}

function compare(packages: readonly Packed[]): void {
  if (options.write) {
    const kinds = Object.fromEntries(packages.map(({ name, files }) => [name, kindsOf(files)]))
    writeFileSync(CONTENTS, `${JSON.stringify(kinds, null, 2)}\n`)
  }
  const allowed = JSON.parse(readFileSync(CONTENTS, 'utf8')) as Readonly<Record<string, Contents>>
  const found = packages.flatMap(({ name, files }) =>
    differences(files, allowed[name] ?? []).map((difference) => `${name}: ${difference}`),
  )
  if (found.length > 0) {
    const update = `If this is intended, run \`npm run release:dry -- --write\` and review ${CONTENTS}.`
    throw new Error(`${found.join('\n')}\n${update}`)
  }
}

function writeSbom(name: string): void {
  const workspace = name === 'hookproof' ? [] : ['--workspace', name]
  const args = ['sbom', '--sbom-format', 'spdx', '--omit', 'dev', '--package-lock-only', ...workspace]
  const sbom = execFileSync('npm', args, {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  writeFileSync(join(OUTPUT, `${name.replace('@', '').replace('/', '-')}.spdx.json`), sbom)
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'inherit', env: { ...process.env, HOOKPROOF_TARBALLS: OUTPUT } })
}
