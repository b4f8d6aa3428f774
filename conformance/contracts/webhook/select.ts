import type { ReportExcluded } from '../../../schemas/types.ts'
import { HarnessError } from '../../harness-error.ts'
import type { Selection } from '../model.ts'
import { nearest, suggestion } from '../nearest.ts'
import type { CatalogueCase, ContractVersion, Mode, Profile } from './model.ts'

/** How cases are chosen: by profile and mode, then by name. */
export interface SelectionOptions {
  readonly profile: Profile
  readonly mode: Mode
  /** Default: the newest version. */
  readonly contract?: ContractVersion
  /** Globs over case ids; an empty list means all. `*` matches any characters, and `signature-header` its entire section. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** After what time the run delivers again, in milliseconds. Default: it excludes the cases that need one. */
  readonly redeliverAfterMs?: number | undefined
}

/** All cases of a contract, and its versions. */
export interface Catalogue {
  readonly cases: readonly CatalogueCase[]
  readonly current: ContractVersion
  /** A case as a version has it; undefined for one that entered the contract later. */
  readonly caseIn: (version: ContractVersion, testCase: CatalogueCase) => CatalogueCase | undefined
  /** What lists the cases, for a pattern that matches none. */
  readonly listedIn?: string
  /** The first version with a case, or undefined for a case that no version has yet. */
  readonly enteredIn: (testCase: CatalogueCase) => ContractVersion | undefined
}

/**
 * Chooses the cases of a run.
 *
 * @throws HarnessError `nothing_selected` for a pattern that matches no case, or when no case is left.
 */
export function selectFrom(catalogue: Catalogue, options: SelectionOptions): Selection<CatalogueCase> {
  const only = options.only.map((pattern) => matcherOf(pattern, 'only', catalogue))
  const skip = options.skip.map((pattern) => matcherOf(pattern, 'skip', catalogue))
  const named = catalogue.cases.filter(
    ({ id }) =>
      (only.length === 0 || only.some((matches) => matches(id))) && !skip.some((matches) => matches(id)),
  )
  const excluded = named.flatMap((testCase) => {
    const why = reasonToExclude(testCase, options, catalogue)
    return why === undefined ? [] : [{ case: testCase.id, ...why }]
  })
  const { contract = catalogue.current } = options
  const cases = named.flatMap((testCase) => {
    const inVersion = catalogue.caseIn(contract, testCase)
    const isExcluded = reasonToExclude(testCase, options, catalogue) !== undefined
    return inVersion === undefined || isExcluded ? [] : [inVersion]
  })
  if (cases.length === 0) throw nothingLeft(options, excluded[0])
  return { cases, excluded }
}

function nothingLeft(
  { only, skip }: SelectionOptions,
  firstExcluded: ReportExcluded | undefined,
): HarnessError {
  if (firstExcluded !== undefined) {
    const { case: id, reason } = firstExcluded
    return new HarnessError('nothing_selected', `there is nothing to test: ${id} ${reason}`)
  }
  const patterns = Object.entries({ only, skip }).filter(([, given]) => given.length > 0)
  const listed = patterns.map(([option, given]) => `"${option}" (${given.join(', ')})`)
  return new HarnessError('nothing_selected', `there is nothing to test with ${listed.join(' and ')}`, {
    names: patterns.map(([option]) => option),
  })
}

function reasonToExclude(
  testCase: CatalogueCase,
  options: SelectionOptions,
  { current, caseIn, enteredIn }: Catalogue,
): Omit<ReportExcluded, 'case'> | undefined {
  const { profile, mode, contract = current } = options
  if (caseIn(contract, testCase) === undefined) {
    const version = enteredIn(testCase) ?? 'that comes next'
    return { code: 'later_version', reason: `entered the contract in version ${version}` }
  }
  if (testCase.needs === 'effects' && profile === 'core')
    return { code: 'full_profile', reason: 'needs the full profile' }
  if (testCase.onlyWith !== undefined && options.redeliverAfterMs === undefined)
    return { code: 'redeliver_after', reason: 'needs a time after which to deliver again' }
  const { mode: own } = testCase
  return own !== undefined && own !== mode ? { code: `${own}_mode`, reason: `needs ${own} mode` } : undefined
}

/** The ids that a pattern matches. */
export function globOf(pattern: string): RegExp {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${source}(?:/.*)?$`)
}

function matcherOf(
  pattern: string,
  option: string,
  { cases, listedIn = '`hookproof cases` lists all cases' }: Catalogue,
): (id: string) => boolean {
  const entire = globOf(pattern)
  if (!cases.some(({ id }) => entire.test(id))) {
    const names = [...cases.map(({ id }) => id), ...new Set(cases.map(({ section }) => section))]
    const hint = suggestion(nearest(pattern, names), listedIn)
    throw new HarnessError(
      'nothing_selected',
      `"${option}": the pattern "${pattern}" matches no case; ${hint}`,
      { names: [option] },
    )
  }
  return (id) => entire.test(id)
}
