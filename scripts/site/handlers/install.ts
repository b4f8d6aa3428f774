import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from '../../examples/example.ts'

/**
 * The command that installs the packages of an example in the graded versions; undefined if none does, or it needs none.
 * @param copied the files that a reader copies, inside its folder
 */
export function installOf(
  { folder, packages, ours = false }: Pick<Example, 'folder' | 'packages' | 'ours'>,
  copied: readonly string[],
  readme: string,
): string | undefined {
  if (ours) return 'npm install @hookproof/receiver express'
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined
  const npm = read('package.json')
  if (npm !== undefined)
    return npmInstall(
      npm,
      copied.map((path) => readFileSync(join(folder, path), 'utf8')),
    )
  const cargo = read('Cargo.toml')
  if (cargo !== undefined) return cargoAdd(cargo)
  const go = read('go.mod')
  if (go !== undefined) return `go get ${/^require (\S+) (\S+)$/m.exec(go)?.slice(1).join('@')}`
  if (read('requirements.txt') !== undefined)
    return `pip install ${Object.entries(packages)
      .map((entry) => entry.join('=='))
      .join(' ')}`
  // The packages of Debian, with which it is graded.
  return /^sudo apt-get install .*$/m.exec(readme)?.[0]
}

/** Of what an example needs only to be built, a reader needs what the copied files import. */
function npmInstall(manifest: string, texts: readonly string[]): string | undefined {
  type Versions = Record<string, string>
  const { dependencies = {}, devDependencies = {} } = JSON.parse(manifest) as {
    dependencies?: Versions
    devDependencies?: Versions
  }
  const imported = Object.entries(devDependencies).filter(([name]) =>
    texts.some((text) => text.includes(`from '${name}'`)),
  )
  const packages = [...Object.entries(dependencies), ...imported].map((entry) => entry.join('@'))
  return packages.length === 0 ? undefined : `npm install ${packages.join(' ')}`
}

function cargoAdd(manifest: string): string {
  const [, dependencies = ''] = /^\[dependencies\]\n((?:.+\n)*)/m.exec(manifest) ?? []
  const crates = Array.from(dependencies.matchAll(/^([\w-]+) = (.*)$/gm), ([, name = '', value = '']) => ({
    crate: `${name}@${/"([\d.]+)"/.exec(value)?.[1]}`,
    features: /\[(.*)\]/.exec(value)?.[1]?.replaceAll(/["\s]/g, ''),
  }))
  const plain = crates.flatMap(({ crate, features }) => (features === undefined ? crate : []))
  // With versions, `cargo add` takes the features of one crate only.
  const others = crates.flatMap(({ crate, features }) =>
    features === undefined ? [] : `cargo add ${crate} --features ${features}`,
  )
  return [`cargo add ${plain.join(' ')}`, ...others].join('\n')
}
