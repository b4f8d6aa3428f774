import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Profile } from '../../conformance/index.ts'

/** The folder of all examples. */
const EXAMPLES = 'examples'

/** What `example.json` says about an example. All commands run in a shell, in the folder of the example. */
interface Manifest {
  /** The framework. */
  readonly title: string
  readonly language: string
  /** The one file that a reader copies. */
  readonly file: string
  /** What the example is graded with: the name of each package, and its version. */
  readonly packages: Readonly<Record<string, string>>
  readonly store: string
  /** True if acknowledged deliveries survive a crash. */
  readonly durable: boolean
  /** Succeeds if the toolchain is installed. */
  readonly probe: string
  /** Installs the packages, and builds where that is necessary. */
  readonly install: string
  /** Builds it again after a change of its files; absent if nothing is built. */
  readonly build?: string
  /** Starts the receiver in the foreground; it reads PORT, HOOKPROOF_SECRET (or else WEBHOOK_SECRET), DATABASE and OBSERVE. */
  readonly start: string
  /** True if it uses `@hookproof/receiver`, of which the built package is installed. */
  readonly ours?: boolean
  /** The commonest mistakes of this stack. */
  readonly traps?: readonly Trap[]
}

/** The patch with which an example takes odd events for live money, and fails to handle refunds without an amount. */
export const ODD_EVENTS = 'traps/odd-events.patch'

/** A mistake, as a change of an example. */
export interface Trap {
  readonly name: string
  /** The framework, if it is not that of the example, which is made to use it. */
  readonly framework?: string
  /** What a developer sees, as a heading that traps of several stacks share. */
  readonly symptom: string
  /** A unified diff, as a path inside the folder of the example. */
  readonly patch: string
  /** The code of the cause that the report must name first; absent for a mistake that fails no case. */
  readonly cause?: string
  /** A case in which the report must warn, for a mistake that fails none. */
  readonly warning?: string
  /** The lines that fix it, as a diff, if the reverse of the patch has too many. */
  readonly fix?: readonly string[]
  /** Succeeds if what the mistake needs besides the example is installed. */
  readonly probe?: string
  /** Installs the packages that the mistake needs, in the copy. */
  readonly install?: string
  /** The profile that shows it; core if absent. */
  readonly profile?: Profile
  /** Globs of the cases that show it, for a mistake that needs few of a long profile; all if absent. */
  readonly only?: readonly string[]
}

/** A receiver in one stack. */
export interface Example extends Manifest {
  readonly name: string
  readonly folder: string
  /** The lines of its file. */
  readonly lines: number
}

/** The first examples of the table: a reader starts there. The others follow by title. */
const FIRST = ['express', 'express-hookproof']

/**
 * Reads the examples with these names; all without a name.
 * @throws Error if there is no example of a name
 */
export const readExamples = (names: readonly string[] = []): Example[] =>
  readManifests<Manifest>(EXAMPLES, 'example', names)
    .map((example) => {
      const text = readFileSync(join(example.folder, example.file), 'utf8')
      return { ...example, lines: text.trimEnd().split('\n').length }
    })
    .toSorted((a, b) => rank(a) - rank(b))

function rank({ name }: Example): number {
  const place = FIRST.indexOf(name)
  return place === -1 ? FIRST.length : place
}

/**
 * Reads the manifests of a kind, by title: `<kind>.json` in each subfolder that has one.
 * @param names those to read; all without a name
 * @throws Error if there is none of a name
 */
export function readManifests<Manifest extends { readonly title: string }>(
  parent: string,
  kind: string,
  names: readonly string[],
): (Manifest & { readonly name: string; readonly folder: string })[] {
  const all = readdirSync(parent).filter((name) => existsSync(join(parent, name, `${kind}.json`)))
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) throw new Error(`no ${kind} ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return (names.length === 0 ? all : all.filter((name) => names.includes(name)))
    .map((name) => {
      const folder = join(parent, name)
      const manifest = JSON.parse(readFileSync(join(folder, `${kind}.json`), 'utf8')) as Manifest
      return { ...manifest, name, folder }
    })
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en'))
}
