import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import type { Mutant } from '../mutant.ts'
import { MUTANTS } from '../mutants.ts'
import type { Outcomes } from './grade.ts'

export const MUSTS = CATALOGUE.filter(({ level }) => level === 'MUST').map(({ id }) => id)
const musts = new Set<string>(MUSTS)

export const isMust = (id: string): boolean => musts.has(id)

/** The cases that had to detect a mutant in a run, and did not. @param isEntire whether the run had the entire catalogue */
export function missedIn(name: string, outcomes: Outcomes, isEntire: boolean): string[] {
  const mutant: Mutant | undefined = MUTANTS[name]
  const cause = mutant?.cause
  const fails: readonly string[] = mutant?.fails ?? []
  return fails.filter(
    (id) => !detects(outcomes, id) && !(isEntire && cause === 'crashed' && isGone(outcomes, id)),
  )
}

/** Whether another case of the entire catalogue has ended the receiver before this one, which then cannot be tested. */
function isGone(outcomes: Outcomes, id: string): boolean {
  return outcomes.get(id) === 'untested' && [...outcomes.values()].includes('failed')
}

/** Whether a case detects a mistake: a MUST case fails, any other gives a warning. */
function detects(outcomes: Outcomes, id: string): boolean {
  return outcomes.get(id) === (isMust(id) ? 'failed' : 'warning')
}
