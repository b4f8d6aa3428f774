import type { CatalogueCase, Mode, Profile } from '../case/model.ts'
import { CATALOGUE } from '../catalogue/index.ts'
import { HarnessError } from '../errors.ts'

/** What a run grades, and what it leaves out, with the reason. */
export interface Selection {
  readonly cases: readonly CatalogueCase[]
  readonly excluded: readonly { readonly case: string; readonly reason: string }[]
}

/** How cases are chosen: by profile and mode, then by name. */
export interface SelectionOptions {
  readonly profile: Profile
  readonly mode: Mode
  /** Globs over case ids; an empty list means all. `*` stands for any letters, `signature-header` for its section. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
}

/**
 * Chooses the cases of a run.
 *
 * @throws HarnessError `nothing_selected` for a pattern that matches no case, or when no case is left.
 */
export function select(options: SelectionOptions): Selection {
  const only = options.only.map(matcher)
  const skip = options.skip.map(matcher)
  const named = CATALOGUE.filter(
    ({ id }) =>
      (only.length === 0 || only.some((matches) => matches(id))) && !skip.some((matches) => matches(id)),
  )
  const excluded = named.flatMap((one) => {
    const reason = outside(one, options)
    return reason === undefined ? [] : [{ case: one.id, reason }]
  })
  const cases = named.filter((one) => outside(one, options) === undefined)
  if (cases.length === 0) {
    const [first] = excluded
    const why =
      first === undefined
        ? `the patterns ${[...options.only, ...options.skip].join(' and ')} leave no case`
        : `${first.case} ${first.reason}`
    throw new HarnessError('nothing_selected', `there is nothing to test: ${why}`)
  }
  return { cases, excluded }
}

function outside(one: CatalogueCase, { profile, mode }: SelectionOptions): string | undefined {
  if (one.needs === 'effects' && profile === 'core') return 'belongs to the full profile (--observe)'
  return one.mode !== undefined && one.mode !== mode ? `needs --mode ${one.mode}` : undefined
}

function matcher(pattern: string): (id: string) => boolean {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  const whole = new RegExp(`^${source}(?:/.*)?$`)
  if (!CATALOGUE.some(({ id }) => whole.test(id))) {
    throw new HarnessError(
      'nothing_selected',
      `the pattern "${pattern}" matches no case: \`hookproof cases\` lists them all`,
    )
  }
  return (id) => whole.test(id)
}
