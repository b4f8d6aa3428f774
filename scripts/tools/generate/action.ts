// Generates what action.yml installs: this release of hookproof, with the exact packages that the tests of this repository use.
import { readFile } from 'node:fs/promises'

interface Package {
  readonly name?: string
  readonly version?: string
  readonly optionalDependencies?: object
  readonly devDependencies?: object
  readonly workspaces?: unknown
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly link?: boolean
}

/** The folders of this repository that are packages, as the lock file of a user has them. */
const PUBLISHED: Readonly<Record<string, string>> = {
  '': 'node_modules/hookproof',
  receiver: 'node_modules/@hookproof/receiver',
}

/**
 * The manifest and the lock file of the action. Each package has the hash that the registry's file must have, except the two of
 * this repository, which are published later and whose versions never change.
 */
export async function generateAction(): Promise<Map<string, string>> {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, Package>>
  }
  const version = packages['']?.version ?? ''
  const manifest = {
    name: '@hookproof/action',
    private: true,
    description: 'What action.yml installs. Generated from package-lock.json.',
    license: 'MIT',
    dependencies: { hookproof: version },
  }
  const { private: _private, description: _description, ...root } = manifest
  const all = Object.entries(packages).filter(([, { dev, devOptional, link }]) =>
    [dev, devOptional, link].every((flag) => flag !== true),
  )
  // npm does not mark those that only an optional package for tests uses.
  const options = new Set(all.flatMap(([, about]) => Object.keys(about.optionalDependencies ?? {})))
  const used = all
    .filter(([path, { optional }]) => optional !== true || options.has(path.replace(/^.*node_modules\//, '')))
    .map(([path, about]) => [installedPath(path), published(about)] as const)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
  const lock = {
    name: manifest.name,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(used) },
  }
  return new Map([
    ['action/package.json', text(manifest)],
    ['action/package-lock.json', text(lock)],
  ])
}

function installedPath(path: string): string {
  const own = PUBLISHED[path]
  if (own !== undefined) return own
  return path.startsWith('receiver/') ? path.replace('receiver', PUBLISHED['receiver'] ?? '') : path
}

/** Without what npm does not read from a published package. */
function published({
  name: _name,
  devDependencies: _dev,
  workspaces: _workspaces,
  ...rest
}: Package): object {
  return rest
}

const text = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
