import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'examples/libraries'

/** What decides the result of some cases. */
interface Note {
  /** Ids of cases. */
  readonly cases: readonly string[]
  /** What the library does, as a sentence. */
  readonly fact: string
  /** The line of its source, at the tag of the version. */
  readonly source: string
}

/** What `library.json` says. All commands run in a shell, in the folder of the library. */
interface Manifest {
  readonly title: string
  readonly package: string
  readonly version: string
  readonly language: string
  /** The receiver around it. */
  readonly file: string
  /** Succeeds if the toolchain is installed. */
  readonly probe: string
  readonly install: string
  /** Starts the receiver in the foreground; it reads PORT and WEBHOOK_SECRET. */
  readonly start: string
  readonly notes: readonly Note[]
}

/** A public library that verifies this header scheme, and a small receiver around it. */
export interface Library extends Manifest {
  readonly name: string
  readonly folder: string
}

/**
 * Reads the libraries with these names; all without a name.
 * @throws Error if there is no library of a name
 */
export function readLibraries(names: readonly string[] = []): Library[] {
  const all = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'library.json')))
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) throw new Error(`no library ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return all
    .filter((name) => names.length === 0 || names.includes(name))
    .map((name) => {
      const folder = join(FOLDER, name)
      const manifest = JSON.parse(readFileSync(join(folder, 'library.json'), 'utf8')) as Manifest
      return { ...manifest, name, folder }
    })
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en'))
}
