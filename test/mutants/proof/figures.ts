import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import type { Mutant, Variant } from '../mutant.ts'
import { MUTANTS } from '../mutants.ts'
import { VARIANTS } from '../variants.ts'
import { isMust, MUSTS, missedIn } from './detected.ts'
import type { Outcomes } from './grade.ts'
import type { Matrix } from './matrix.ts'

/** What a matrix proves, and what it does not. */
export interface Figures {
  /** Mutants that one of their cases did not detect with every seed, each with those cases. */
  readonly survivors: ReadonlyMap<string, readonly string[]>
  /** MUST cases that detect no mutant. */
  readonly unproven: readonly string[]
  /** Cases that a correct receiver did not pass. */
  readonly falseFailures: readonly string[]
  /** Reports that name another cause than the mutant has, or one more, or one for a correct receiver. */
  readonly wrongCauses: readonly string[]
  /** Cases on which the runs of one receiver disagree. */
  readonly unstable: readonly string[]
}

/** Evaluates a matrix. */
export function figuresOf({ mutants, seeds, causes, repeated }: Matrix): Figures {
  const survivors = new Map<string, string[]>()
  const proven = new Set<string>()
  for (const [name, { fails }] of Object.entries(MUTANTS)) {
    const entire = mutants.get(name)
    const missedBy = [
      ...(entire === undefined ? [] : [missedIn(name, entire, true)]),
      ...(seeds.get(name) ?? []).map((outcomes) => missedIn(name, outcomes, false)),
    ]
    const missed = fails.flatMap((id) => {
      const missing = missedBy.filter((ids) => ids.includes(id)).length
      if (missedBy.length > 0 && missing === 0) proven.add(id)
      return missing === 0 ? [] : [`${id} (missed in ${missing} of ${missedBy.length} runs)`]
    })
    if (missed.length > 0) survivors.set(name, missed)
  }
  const variants = Object.entries(VARIANTS)
  const falseFailures = variants.flatMap(([name, variant]) =>
    (repeated.get(name) ?? []).flatMap((outcomes) =>
      unexpected(outcomes, variant).map((outcome) => `${name}: ${outcome}`),
    ),
  )
  const unstable = [...repeated].flatMap(([name, [first, ...others]]) =>
    CATALOGUE.filter(({ id }) => others.some((outcomes) => outcomes.get(id) !== first?.get(id))).map(
      ({ id }) => `${name}: ${id}`,
    ),
  )
  return {
    survivors,
    unproven: MUSTS.filter((id) => !proven.has(id)),
    falseFailures,
    wrongCauses: wrongCausesOf(causes),
    unstable,
  }
}

function wrongCausesOf(causes: Matrix['causes']): string[] {
  return [...causes].flatMap(([name, runs]) => {
    const mutant: Mutant | undefined = MUTANTS[name]
    return runs.flatMap(([first, ...others]) => {
      const more = others.filter((code) => mutant?.also?.some((known) => known === code) !== true)
      if (first === mutant?.cause) return more.map((code) => `${name}: the report also names ${code}`)
      // What else fails with a mutant whose timing matters is left to chance, and so is the cause.
      if (mutant?.timed === true && mutant.cause === undefined) return []
      const hint =
        mutant?.cause === undefined && mutant !== undefined
          ? ' (if that is right, give it to the mutant)'
          : ''
      return [`${name}: the report names ${first ?? 'no cause'}, not ${mutant?.cause ?? 'none'}${hint}`]
    })
  })
}

/**
 * The unexpected outcomes of a correct receiver: every case must pass, except those with an expected warning.
 *
 * @param ids the cases that ran; default: all
 */
function unexpected(
  outcomes: Outcomes,
  { warning = [], untested = [] }: Pick<Variant, 'warning' | 'untested'>,
  ids: readonly string[] = CATALOGUE.map(({ id }) => id),
): string[] {
  return ids.flatMap((id) => {
    const outcome = outcomes.get(id)
    if (untested.some((own) => own === id))
      return outcome === 'untested' ? [] : [`${id} ${outcome ?? 'not run'}`]
    const isExpected = warning.some((own) => own === id)
      ? outcome === 'warning' || (outcome === 'untested' && !isMust(id))
      : outcome === 'passed'
    return isExpected ? [] : [`${id} ${outcome ?? 'not run'}`]
  })
}
