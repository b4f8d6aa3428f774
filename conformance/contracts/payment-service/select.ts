import { HarnessError } from '../../engine/errors.ts'
import { renamedNotice, resolveCaseId } from './cases/aliases.ts'
import { CATALOGUE } from './cases/index.ts'
import { nearest, suggestion } from './cases/nearest.ts'
import type { CatalogueCase, Mode, Profile } from './model.ts'
import { type ContractVersion, CURRENT_VERSION, caseIn, enteredIn } from './requirements/versions.ts'

/** What a run grades, and what it excludes, with the reason. */
export interface Selection {
  readonly cases: readonly CatalogueCase[]
  readonly excluded: readonly { readonly case: string; readonly reason: string }[]
  /** One line for each pattern that is the old id of a renamed case. */
  readonly notices: readonly string[]
}

/** How cases are chosen: by profile and mode, then by name. */
export interface SelectionOptions {
  readonly profile: Profile
  readonly mode: Mode
  /** Default: the newest version. */
  readonly contract?: ContractVersion
  /**
   * Globs over case ids; an empty list means all. `*` matches any characters, `signature-header` its entire section, and
   * the old id of a renamed case matches that case.
   */
  readonly only: readonly string[]
  readonly skip: readonly string[]
}

/**
 * Chooses the cases of a run.
 *
 * @throws HarnessError `nothing_selected` for a pattern that matches no case, or when no case is left.
 */
export function select(options: SelectionOptions): Selection {
  const notices: string[] = []
  const matchersOf = (option: 'only' | 'skip') =>
    options[option].map((pattern) => {
      const resolved = resolveCaseId(pattern)
      if (resolved?.alias !== undefined) notices.push(renamedNotice(resolved.alias, resolved.id))
      return matcherOf(resolved?.id ?? pattern, option)
    })
  const only = matchersOf('only')
  const skip = matchersOf('skip')
  const named = CATALOGUE.filter(
    ({ id }) =>
      (only.length === 0 || only.some((matches) => matches(id))) && !skip.some((matches) => matches(id)),
  )
  const excluded = named.flatMap((testCase) => {
    const reason = reasonToExclude(testCase, options)
    return reason === undefined ? [] : [{ case: testCase.id, reason }]
  })
  const { contract = CURRENT_VERSION } = options
  const cases = named.flatMap((testCase) => {
    const inVersion = caseIn(contract, testCase)
    return inVersion === undefined || reasonToExclude(testCase, options) !== undefined ? [] : [inVersion]
  })
  if (cases.length === 0) throw nothingLeft(options, excluded[0])
  return { cases, excluded, notices }
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
): string | undefined {
  if (caseIn(contract, testCase) === undefined)
    return `entered the contract in version ${enteredIn(testCase) ?? 'that comes next'}`
  if (testCase.needs === 'effects' && profile === 'core') return 'needs the full profile'
  return testCase.mode !== undefined && testCase.mode !== mode ? `needs ${testCase.mode} mode` : undefined
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
