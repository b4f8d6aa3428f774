import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Example } from '../../examples/example.ts'

/** How a line names another file: an import, or a file that becomes part of the program. */
const IMPORT =
  /\b(?:import|from|require|require_once|require_relative|include|include_str|mod|use)\b|go:embed/
/** Folders of packages, builds and mistakes, none of which a reader copies. */
const OTHER_FOLDERS = /(?:^|\/)(?:node_modules|traps|target|build|dist|__pycache__|\.[^/]*)\//
const CODE = new Set(['.js', '.ts', '.py', '.go', '.rs', '.java', '.php', '.rb', '.sql'])

/**
 * The files of an example that its shown files import, and that are not shown.
 * @param shown paths inside the folder
 */
function missingImports(folder: string, shown: readonly string[]): string[] {
  const texts = shown.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => CODE.has(extname(path)) && !OTHER_FOLDERS.test(path) && !shown.includes(path))
    .filter((path) => texts.some((by) => names(by, path)))
}

function names({ path: by, text }: { path: string; text: string }, path: string): boolean {
  const extension = extname(path)
  const name = basename(path, extension).replaceAll('+', String.raw`\+`)
  const word = new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`)
  // A class of the same package needs no import.
  if (extension === '.java' && extname(by) === '.java') return word.test(text)
  return text.split('\n').some((line) => IMPORT.test(line) && word.test(line))
}

/**
 * The command that installs the packages of an example in the graded versions; undefined if none does, or it needs none.
 * @param copied the files that a reader copies, inside its folder
 */
function installOf(
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

/** What a reader takes over besides the graded file of an example. */
interface Copied {
  /** The other files to copy, which the README names first: the tables, the route, the start. Paths inside its folder. */
  readonly files: readonly string[]
  /** The file that names its packages, where no command installs them. */
  readonly manifest: string | undefined
  /** The command that installs its packages; absent where the manifest names them, and where it needs none. */
  readonly install: string | undefined
}

/**
 * Reads what a reader of an example copies.
 * @throws Error if its README links a file to copy that does not exist, or leaves out one that a copied file imports
 */
export function copiedWith(example: Pick<Example, 'folder' | 'file' | 'packages' | 'ours'>): Copied {
  const { folder, file } = example
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const [intro = ''] = readme.split(/^```/m)
  const linked = Array.from(intro.matchAll(/\]\((?!#|[a-z]+:)([^)]*)\)/g), ([, path = '']) => path)
  const files = [...new Set(linked)].filter((path) => path !== file)
  const missing = files.filter((path) => !existsSync(join(folder, path)))
  if (missing.length > 0) throw new Error(`${folder}/README.md links ${missing.join(', ')}, which is missing`)
  const imported = missingImports(folder, [file, ...files])
  if (imported.length > 0)
    throw new Error(`${folder}/README.md must link ${imported.join(', ')}, which a copied file imports`)
  return {
    files,
    manifest: ['pom.xml'].find((name) => existsSync(join(folder, name))),
    install: installOf(example, [file, ...files], readme),
  }
}
