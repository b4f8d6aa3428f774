import type { Mutant } from '../mutant.ts'
import { MUTANTS } from '../mutants.ts'
import { missedIn } from './detected.ts'
import type { Graded, Outcomes } from './grade.ts'
import type { Job } from './job.ts'

/** So many mutants are not missed by chance. */
const MOST = 10

/** What the runs of mutants have shown, which a repeated run replaces. */
interface Shown {
  readonly mutants: Map<string, Outcomes>
  readonly seeds: Map<string, readonly Outcomes[]>
  readonly causes: Map<string, readonly (readonly string[])[]>
}

/**
 * Repeats the runs that missed a mutant, or named no cause for it, one after the other: on a busy machine a receiver whose
 * timing matters may happen to be correct, and deliveries that arrive late may hide a cause. A report with a wrong cause
 * counts, and runs of correct receivers are never repeated.
 * @param runsOf the runs of a mutant that `shown.seeds` has
 * @returns the repeated runs
 */
export async function repeatAlone(
  shown: Shown,
  runsOf: (name: string) => readonly number[],
  perform: (job: Job) => Promise<Graded>,
): Promise<string[]> {
  const isMissed = (name: string, outcomes: Outcomes | undefined, isEntire: boolean): boolean =>
    outcomes !== undefined && missedIn(name, outcomes, isEntire).length > 0
  const isEntireMissed = (name: string): boolean =>
    isMissed(name, shown.mutants.get(name), true) || lacksCause(shown, name)
  const areSeedsMissed = (name: string): boolean =>
    shown.seeds.get(name)?.some((outcomes) => isMissed(name, outcomes, false)) === true

  const missed = Object.keys(MUTANTS).filter((name) => isEntireMissed(name) || areSeedsMissed(name))
  if (missed.length > MOST) return []
  const repeated: string[] = []
  for (const name of missed) {
    if (isEntireMissed(name)) {
      repeated.push(`${name}, run 0`)
      const { outcomes, causes } = await perform({ kind: 'mutant', name, run: 0 })
      shown.mutants.set(name, outcomes)
      shown.causes.set(name, [causes, ...(shown.causes.get(name) ?? []).slice(1)])
    }
    const seeds = [...(shown.seeds.get(name) ?? [])]
    for (const [index, run] of runsOf(name).entries()) {
      if (!isMissed(name, seeds[index], false)) continue
      repeated.push(`${name}, run ${run}`)
      seeds[index] = (await perform({ kind: 'mutant', name, run, onlyItsCases: true })).outcomes
    }
    shown.seeds.set(name, seeds)
  }
  return repeated
}

/** Whether the first report names no cause, although the mutant has one. */
function lacksCause({ causes }: Shown, name: string): boolean {
  const mutant: Mutant | undefined = MUTANTS[name]
  return mutant?.cause !== undefined && causes.get(name)?.[0]?.length === 0
}
