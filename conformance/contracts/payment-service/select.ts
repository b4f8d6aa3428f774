import type { ReportExcluded } from '../../../schemas/types.ts'
import { HarnessError } from '../../engine/errors.ts'
import { CATALOGUE } from './cases/index.ts'
import { nearest, suggestion } from './cases/nearest.ts'
import type { CatalogueCase, Mode, Profile } from './model.ts'
import { type ContractVersion, CURRENT_VERSION, caseIn, enteredIn } from './requirements/versions.ts'

/** What a run grades, and what it excludes, with the reason. */
export interface Selection {
  readonly cases: readonly CatalogueCase[]
  readonly excluded: readonly ReportExcluded[]
}

/** How cases are chosen: by profile and mode, then by name. */
export interface SelectionOptions {
  readonly profile: Profile
  readonly mode: Mode
  /** Default: the newest version. */
  readonly contract?: ContractVersion
  /** Globs over case ids; an empty list means all. `*` matches any characters, and `signature-header` its entire section. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
}

/**
 * Chooses the cases of a run.
 *
 * @throws HarnessError `nothing_selected` for a pattern that matches no case, or when no case is left.
 */
export function select(options: SelectionOptions): Selection {
  const only = options.only.map((pattern) => matcherOf(pattern, 'only'))
  const skip = options.skip.map((pattern) => matcherOf(pattern, 'skip'))
  const named = CATALOGUE.filter(
    ({ id }) =>
      (only.length === 0 || only.some((matches) => matches(id))) && !skip.some((matches) => matches(id)),
  )
  const excluded = named.flatMap((testCase) => {
    const why = reasonToExclude(testCase, options)
    return why === undefined ? [] : [{ case: testCase.id, ...why }]
  })
  const { contract = CURRENT_VERSION } = options
  const cases = named.flatMap((testCase) => {
    const inVersion = caseIn(contract, testCase)
    return inVersion === undefined || reasonToExclude(testCase, options) !== undefined ? [] : [inVersion]
  })
  if (cases.length === 0) throw nothingLeft(options, excluded[0])
  return { cases, excluded }
}

function nothingLeft(
  { only, skip }: SelectionOptions,
  firstExcluded: Selection['excluded'][number] | undefined,
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
  { profile, mode, contract = CURRENT_VERSION }: SelectionOptions,
): Omit<ReportExcluded, 'case'> | undefined {
  if (caseIn(contract, testCase) === undefined) {
    const version = enteredIn(testCase) ?? 'that comes next'
    return { code: 'later_version', reason: `entered the contract in version ${version}` }
  }
  if (testCase.needs === 'effects' && profile === 'core')
    return { code: 'full_profile', reason: 'needs the full profile' }
  const { mode: own } = testCase
  return own !== undefined && own !== mode ? { code: `${own}_mode`, reason: `needs ${own} mode` } : undefined
}

/** The ids that a pattern matches. */
export function globOf(pattern: string): RegExp {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${source}(?:/.*)?$`)
}

function matcherOf(pattern: string, option: string): (id: string) => boolean {
  const entire = globOf(pattern)
  if (!CATALOGUE.some(({ id }) => entire.test(id))) {
    const names = [...CATALOGUE.map(({ id }) => id), ...new Set(CATALOGUE.map(({ section }) => section))]
    const hint = suggestion(nearest(pattern, names), '`hookproof cases` lists all cases')
    throw new HarnessError(
      'nothing_selected',
      `"${option}": the pattern "${pattern}" matches no case; ${hint}`,
      { names: [option] },
    )
  }
  return (id) => entire.test(id)
}
