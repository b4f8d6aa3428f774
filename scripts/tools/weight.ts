// Installs each published package into an empty folder, as a user does, and measures what that installs. Needs a build.
//   tsx scripts/tools/weight.ts            prints the weights, and fails above the limits
//   tsx scripts/tools/weight.ts --check    also fails if README.md is out of date
//   tsx scripts/tools/weight.ts --write    also updates README.md
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { type InstalledPackage, installedPackages } from './weight/installed-packages.ts'
import { outdatedWeights, type Weight, withWeights } from './weight/quoted-weights.ts'

/** The published packages: the folder of each, and the most that installing it may install. */
const PUBLISHED: readonly { folder: string; limit: Partial<Weight> }[] = [
  { folder: 'receiver', limit: { packages: 14, files: 1.3 } },
  { folder: '.', limit: { disk: 45 } },
]

const UNITS = {
  packages: 'packages',
  files: 'MB in files',
  disk: 'MB on disk',
} as const satisfies Record<keyof Weight, string>

/** In bytes: the unit of `du -h`. */
const MEGABYTE = 1024 * 1024

/** How many of the heaviest packages are listed. */
const SHOWN = 10

interface Packed {
  readonly name: string
  readonly tarball: string
  readonly dependencies: readonly string[]
  readonly limit: Partial<Weight>
}

await withTemporaryFolder(async (folder) => {
  const packed = PUBLISHED.map((published) => pack(published, folder))
  const weights = new Map<string, Weight>()
  for (const published of packed) {
    const installed = install(published, packed, folder)
    const weight = weightOf(installed)
    weights.set(published.name, weight)
    print(published, weight, installed)
    for (const [unit, name] of Object.entries(UNITS) as [keyof Weight, string][]) {
      const limit = published.limit[unit]
      const measured = Number(weight[unit].toFixed(3))
      if (limit !== undefined && weight[unit] > limit) {
        fail(`${published.name}: ${measured} ${name}: more than the limit of ${limit}`)
      }
    }
  }
  updateReadme(weights)
})

function updateReadme(weights: ReadonlyMap<string, Weight>): void {
  const text = readFileSync('README.md', 'utf8')
  if (process.argv.includes('--write')) writeFileSync('README.md', withWeights(text, weights))
  else if (process.argv.includes('--check')) {
    const outdated = outdatedWeights(text, weights)
    if (outdated.length > 0) {
      fail(`README.md is out of date: ${outdated.join('; ')}. Run \`npm run weight -- --write\`.`)
    }
  }
}

function pack({ folder, limit }: (typeof PUBLISHED)[number], into: string): Packed {
  const { name, dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    dependencies?: Readonly<Record<string, string>>
  }
  // Without scripts, since `prepare` would build again.
  const output = npm(folder, 'pack', '--json', '--ignore-scripts', '--pack-destination', into)
  const [{ filename }] = JSON.parse(output) as [{ filename: string }]
  return { name, tarball: join(into, filename), dependencies: Object.keys(dependencies), limit }
}

/** Installs a package into an empty folder, with those of our packages that it depends on, which may not be published yet. */
function install(published: Packed, packed: readonly Packed[], temporary: string): InstalledPackage[] {
  const folder = join(temporary, published.name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const tarballs = [...withOurDependencies(published, packed)].map(({ tarball }) => tarball)
  npm(
    folder,
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    ...tarballs,
  )
  return installedPackages(join(folder, 'node_modules'))
}

function withOurDependencies(published: Packed, packed: readonly Packed[]): Set<Packed> {
  const found = new Set([published])
  for (const { dependencies } of found) {
    for (const other of packed) if (dependencies.includes(other.name)) found.add(other)
  }
  return found
}

function weightOf(installed: readonly InstalledPackage[]): Weight {
  const total = (unit: 'fileBytes' | 'diskBytes') =>
    installed.reduce((bytes, { [unit]: more }) => bytes + more, 0) / MEGABYTE
  return { packages: installed.length, files: total('fileBytes'), disk: total('diskBytes') }
}

function print({ name, limit }: Packed, weight: Weight, installed: readonly InstalledPackage[]): void {
  const parts = Object.entries(UNITS).map(([unit, unitName]) => {
    const { [unit as keyof Weight]: measured } = weight
    const { [unit as keyof Weight]: upTo } = limit
    return `${Number(measured.toFixed(2))} ${unitName}${upTo === undefined ? '' : ` (limit ${upTo})`}`
  })
  console.log(`\nnpm install ${name}: ${parts.join(', ')}`)
  console.log('  MB on disk  MB in files')
  for (const heavy of installed.toSorted((a, b) => b.diskBytes - a.diskBytes).slice(0, SHOWN)) {
    const { name: dependency, diskBytes, fileBytes } = heavy
    console.log(`  ${megabytes(diskBytes).padStart(10)}  ${megabytes(fileBytes).padStart(11)}  ${dependency}`)
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(2)
}

function npm(folder: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, {
    cwd: resolve(folder),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
