import { CATALOGUE } from '../../conformance/catalogue/index.ts'
import type { Matrix, Outcomes } from './matrix.ts'
import { MUTANTS } from './mutants.ts'
import { VARIANTS } from './variants.ts'

export const MUSTS = CATALOGUE.filter(({ level }) => level === 'MUST').map(({ id }) => id)
const mustSet = new Set(MUSTS)

/** What a matrix proves, and where it falls short. */
export interface Figures {
  /** Mutants that a case named for them did not fail, each with those cases. */
  readonly survivors: ReadonlyMap<string, readonly string[]>
  /** MUST cases that no mutant named for them fails. */
  readonly unproven: readonly string[]
  /** Cases that a correct receiver did not pass, where it should. */
  readonly falseFailures: readonly string[]
  /** Cases on which the runs of one receiver do not agree. */
  readonly unstable: readonly string[]
}

/** Draws the conclusions from a matrix. */
export function figuresOf({ mutants, repeated }: Matrix): Figures {
  const survivors = new Map<string, string[]>()
  const proven = new Set<string>()
  for (const [name, { fails }] of Object.entries(MUTANTS)) {
    const outcomes = mutants.get(name) ?? new Map()
    for (const id of fails) if (toldBy(outcomes, id)) proven.add(id)
    const missed = fails.filter((id) => !toldBy(outcomes, id))
    if (missed.length > 0) survivors.set(name, missed)
  }
  const variants = Object.entries(VARIANTS)
  const falseFailures = variants.flatMap(([name, variant]) =>
    (repeated.get(name) ?? []).flatMap((outcomes) =>
      amiss(outcomes, variant.warning ?? []).map((what) => `${name}: ${what}`),
    ),
  )
  const unstable = [...repeated].flatMap(([name, [first, ...others]]) =>
    CATALOGUE.filter(({ id }) => others.some((outcomes) => outcomes.get(id) !== first?.get(id))).map(
      ({ id }) => `${name}: ${id}`,
    ),
  )
  return { survivors, unproven: MUSTS.filter((id) => !proven.has(id)), falseFailures, unstable }
}

/** Whether a case tells that something is wrong: it fails, or advises where it is no MUST. */
export function toldBy(outcomes: Outcomes, id: string): boolean {
  return outcomes.get(id) === (mustSet.has(id) ? 'failed' : 'warning')
}

/** What a correct receiver did not get as it should: all passes, but for the advice that is expected. */
export function amiss(outcomes: Outcomes, warning: readonly string[]): string[] {
  return CATALOGUE.flatMap(({ id }) => {
    const outcome = outcomes.get(id)
    const right = warning.includes(id)
      ? outcome === 'warning' || (outcome === 'untested' && !mustSet.has(id))
      : outcome === 'passed'
    return right ? [] : [`${id} ${outcome ?? 'was not run'}`]
  })
}
