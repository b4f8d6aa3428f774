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
 * @param seeds the runs that `shown.seeds` has for each mutant
 * @returns the repeated runs
 */
export async function repeatAlone(
  shown: Shown,
  seeds: readonly number[],
  perform: (job: Job) => Promise<Graded>,
): Promise<string[]> {
  const missed = Object.keys(MUTANTS).filter(
    (name) =>
      lacksCause(shown, name) ||
      runsOf(shown, name).some((outcomes, index) => isMissed(name, outcomes, index)),
  )
  if (missed.length > MOST) return []
  const repeated: string[] = []
  for (const name of missed) {
    const [entire = new Map(), ...others] = runsOf(shown, name)
    if (isMissed(name, entire, 0) || lacksCause(shown, name)) {
      repeated.push(`${name}, run 0`)
      const { outcomes, causes } = await perform({ kind: 'mutant', name, run: 0 })
      shown.mutants.set(name, outcomes)
      shown.causes.set(name, [causes, ...(shown.causes.get(name) ?? []).slice(1)])
    }
    for (const [index, outcomes] of others.entries()) {
      const run = seeds[index]
      if (run === undefined || !isMissed(name, outcomes, index + 1)) continue
      repeated.push(`${name}, run ${run}`)
      others[index] = (await perform({ kind: 'mutant', name, run, onlyItsCases: true })).outcomes
    }
    shown.seeds.set(name, others)
  }
  return repeated
}

const runsOf = ({ mutants, seeds }: Shown, name: string): Outcomes[] => [
  mutants.get(name) ?? new Map(),
  ...(seeds.get(name) ?? []),
]

/** Whether the first report names no cause, although the mutant has one. */
function lacksCause({ causes }: Shown, name: string): boolean {
  const mutant: Mutant | undefined = MUTANTS[name]
  return mutant?.cause !== undefined && causes.get(name)?.[0]?.length === 0
}

const isMissed = (name: string, outcomes: Outcomes, index: number): boolean =>
  missedIn(name, outcomes, index === 0).length > 0
