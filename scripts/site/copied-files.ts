import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from '../examples/example.ts'

/** The files that name the packages of an example, and how a reader takes them over. */
const MANIFESTS = ['pom.xml', 'Cargo.toml', 'go.mod', 'requirements.txt'] as const

/** What a reader takes over besides the graded file of an example. */
interface Copied {
  /** The other files to copy, which the README names first: the tables, the route, the start. Paths inside its folder. */
  readonly files: readonly string[]
  /** The file that names its packages; absent where a command installs them. */
  readonly manifest: string | undefined
  /** The command that installs its packages; absent where the manifest names them. */
  readonly install: string | undefined
}

/**
 * Reads what a reader of an example copies.
 * @throws Error if its README links a file to copy that does not exist
 */
export function copiedWith({ folder, file, ours = false }: Example): Copied {
  const [intro = ''] = readFileSync(join(folder, 'README.md'), 'utf8').split(/^```/m)
  const linked = Array.from(intro.matchAll(/\]\((?!#|[a-z]+:)([^)]*)\)/g), ([, path = '']) => path)
  const files = [...new Set(linked)].filter((path) => path !== file)
  const missing = files.filter((path) => !existsSync(join(folder, path)))
  if (missing.length > 0) throw new Error(`${folder}/README.md links ${missing.join(', ')}, which is missing`)
  return {
    files,
    manifest: MANIFESTS.find((name) => existsSync(join(folder, name))),
    install: ours ? 'npm install @hookproof/receiver express' : npmInstall(folder),
  }
}

/** The command that installs what `package.json` names, in the graded versions. */
function npmInstall(folder: string): string | undefined {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return undefined
  const { dependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as {
    dependencies?: Record<string, string>
  }
  const packages = Object.entries(dependencies).map((entry) => entry.join('@'))
  return packages.length === 0 ? undefined : `npm install ${packages.join(' ')}`
}
