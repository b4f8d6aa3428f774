import { readManifests } from '../examples/example.ts'

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
export const readLibraries = (names: readonly string[] = []): Library[] =>
  readManifests<Manifest>(FOLDER, 'library', names)

/** How a library did. */
export interface Result {
  readonly passed: number
  readonly all: number
  /** The cases of requirements that it fails. */
  readonly failed: readonly string[]
  /** The cases of recommendations that it does not follow. */
  readonly warned: readonly string[]
}

const BEGIN = '<!-- libraries -->\n'
const END = '<!-- /libraries -->'
const HEAD = [
  '| library | version | language | cases passed | failed | warnings |',
  '| --- | --- | --- | --- | --- | --- |',
].join('\n')

/** Writes the results into the page. Libraries without a result keep what the page says. */
export function withResults(
  page: string,
  libraries: readonly Library[],
  results: ReadonlyMap<string, Result>,
): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from === -1 || to < from) throw new Error(`the page lacks the markers ${BEGIN.trim()} and ${END}`)
  const current = page.slice(from + BEGIN.length, to)
  const rows = libraries.map((library) => {
    const result = results.get(library.name)
    return result === undefined ? rowIn(current, library) : rowOf(library, result)
  })
  const sections = libraries.map((library) => {
    const result = results.get(library.name)
    return result === undefined ? sectionIn(current, library) : sectionOf(library, result)
  })
  const parts = [`${HEAD}\n${rows.join('\n')}`, ...sections.filter((section) => section !== '')]
  return `${page.slice(0, from)}${BEGIN}${parts.join('\n\n')}\n${page.slice(to)}`
}

const linkOf = ({ title, name, file }: Library) => `[${title}](../examples/libraries/${name}/${file})`

function rowOf(library: Library, { passed, all, failed, warned }: Result): string {
  const { version, language } = library
  return `| ${[linkOf(library), version, language, `${passed} of ${all}`, failed.length, warned.length].join(' | ')} |`
}

const rowIn = (current: string, library: Library) =>
  current.split('\n').find((line) => line.startsWith(`| ${linkOf(library)} |`)) ??
  `| ${linkOf(library)} | ${library.version} | ${library.language} | not graded | | |`

/** The cases of a library, each with what decides it. */
function sectionOf({ title, notes }: Library, { failed, warned }: Result): string {
  if (failed.length + warned.length === 0) return ''
  const explained = new Set(notes.flatMap(({ cases }) => cases))
  const list = (cases: readonly string[]) => cases.map((id) => `\`${id}\``).join(', ')
  const of = (all: readonly string[], cases: readonly string[]) => all.filter((id) => cases.includes(id))
  const lines = notes.flatMap(({ cases, fact, source }) => {
    const [fails, warns] = [of(failed, cases), of(warned, cases)]
    if (fails.length + warns.length === 0) return []
    const parts = [
      ...(fails.length > 0 ? [`Fails ${list(fails)}`] : []),
      ...(warns.length > 0 ? [`${fails.length > 0 ? 'warning' : 'Warning'} in ${list(warns)}`] : []),
    ]
    return [`- ${fact} ([source](${source})). ${parts.join('; ')}.`]
  })
  const rest = (all: readonly string[], what: string) => {
    const open = all.filter((id) => !explained.has(id))
    return open.length === 0 ? [] : [`- ${what} ${list(open)}.`]
  }
  return [
    `## ${title}`,
    '',
    ...lines,
    ...rest(failed, 'Also fails'),
    ...rest(warned, 'Also a warning in'),
  ].join('\n')
}

function sectionIn(current: string, { title }: Library): string {
  const section = current.split(/^(?=## )/m).find((part) => part.startsWith(`## ${title}\n`))
  return section?.trimEnd() ?? ''
}
