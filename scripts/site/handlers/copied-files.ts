import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from '../../examples/example.ts'
import { installOf } from './install.ts'
import { missingImports } from './missing-imports.ts'

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
