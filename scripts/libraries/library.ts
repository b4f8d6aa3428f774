import { SERVICE_NAMES, type ServiceId } from '../../conformance/contracts/service-names.ts'
import { SERVICES } from '../../conformance/contracts/services.ts'
import { capitalized } from '../../conformance/report/words/causes/words.ts'
import { readManifests } from '../examples/example.ts'
import { replaceMarked, tableOf } from '../shared/marked.ts'
import type { CaseResults, Results } from '../shared/results.ts'

const FOLDER = 'examples/libraries'

/** What decides the result of some cases. */
interface Note {
  /** Ids of cases. */
  readonly cases: readonly string[]
  /** What the library does, as a sentence. */
  readonly fact: string
  /** The line of its source, at the tag of the version. */
  readonly source: string
  /** Where it fails a MUST of the service it is made for: what somebody without the secret can do, and one exchange that shows it. */
  readonly harm?: string
}

/** What `library.json` says. All commands run in a shell, in the folder of the library. */
interface Manifest {
  readonly title: string
  readonly package: string
  readonly version: string
  readonly language: string
  /** Whose deliveries it verifies, if they are not those of the payment service. */
  readonly service?: ServiceId
  /** The name of its signature header, if it is not that of the service. */
  readonly signatureHeader?: string
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

/** The service whose deliveries a library verifies. */
export const serviceOf = ({ service = 'payment-service' }: Library): ServiceId => service

const HEAD = ['library', 'version', 'language', 'cases passed', 'failed', 'warnings']

/** Writes the last results of all libraries into docs/libraries.md, by service, each with what decides it. */
export function withLibraries(page: string, libraries: readonly Library[], results: Results): string {
  const parts = SERVICE_NAMES.flatMap((service) => {
    const own = libraries.filter((library) => serviceOf(library) === service)
    if (own.length === 0) return []
    const rows = own.map(({ name, title, version, language, file }) => {
      const link = `[${title}](../examples/libraries/${name}/${file})`
      return [link, version, language, ...countsOf(results[name])]
    })
    const sections = own.flatMap((library) => sectionOf(library, results[library.name]?.others ?? {}))
    return [`## ${capitalized(SERVICES[service].title)}`, tableOf(HEAD, rows).trimEnd(), ...sections]
  })
  return replaceMarked(page, 'libraries', `${parts.join('\n\n')}\n`)
}

function countsOf(results: CaseResults | undefined): (string | number)[] {
  if (results === undefined) return ['not graded', '', '']
  const { passed, others } = results
  const count = Object.values(passed).reduce((sum, more) => sum + more, 0)
  const all = count + Object.keys(others).length
  return [`${count} of ${all}`, idsOf(others, 'failed').length, idsOf(others, 'warning').length]
}

const idsOf = (others: CaseResults['others'], outcome: string): string[] =>
  Object.keys(others).filter((id) => others[id] === outcome)

/** The cases that a library did not pass, each with what decides it; nothing for one that passed all. */
function sectionOf({ title, notes }: Library, others: CaseResults['others']): string[] {
  const [failed, warned, untested] = ['failed', 'warning', 'untested'].map((outcome) =>
    idsOf(others, outcome),
  ) as [string[], string[], string[]]
  if (failed.length + warned.length === 0) return []
  const list = (cases: readonly string[]) => cases.map((id) => `\`${id}\``).join(', ')
  const lines = notes.flatMap(({ cases, fact, source, harm }) => {
    const [fails, warns, after] = [failed, warned, untested].map((ids) =>
      ids.filter((id) => cases.includes(id)),
    ) as [string[], string[], string[]]
    if (fails.length + warns.length === 0) return []
    const parts = [
      ...(fails.length > 0 ? [`Fails ${list(fails)}`] : []),
      ...(after.length > 0 ? [`${list(after)} are then not tested`] : []),
      ...(warns.length > 0 ? [`${fails.length > 0 ? 'warning' : 'Warning'} in ${list(warns)}`] : []),
    ]
    const why = harm === undefined ? '' : ` ${harm}`
    return [`- ${fact} ([source](${source})). ${parts.join('; ')}.${why}`]
  })
  const explained = new Set(notes.flatMap(({ cases }) => cases))
  const rest = (ids: readonly string[], what: string) => {
    const open = ids.filter((id) => !explained.has(id))
    return open.length === 0 ? [] : [`- ${what} ${list(open)}.`]
  }
  return [
    [`### ${title}`, '', ...lines, ...rest(failed, 'Also fails'), ...rest(warned, 'Also a warning in')].join(
      '\n',
    ),
  ]
}
