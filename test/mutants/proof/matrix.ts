import { type Lane, startPool } from '../../../scripts/proofs/shared/pool.ts'
import type { Mutant } from '../mutant.ts'
import { MUTANTS } from '../mutants.ts'
import { VARIANTS } from '../variants.ts'
import { repeatAlone } from './alone.ts'
import type { Graded, Outcomes } from './grade.ts'
import type { Job } from './job.ts'
import { SECRETS } from './secrets.ts'

/** How many seeds each mutant is graded with: the entire catalogue with the first, its own cases with the others. */
export const SEEDS = 10
/** How often each variant, and some mutants, run the entire catalogue: once with each shape of secret. */
export const RUNS = SECRETS.length
const REPEATED_MUTANTS = 10

/** Which runs a matrix has of each receiver; the number of a run decides its seed, its secret and its mode. */
export interface Extent {
  /** Those of a mutant with the entire catalogue. */
  readonly mutant: (name: string) => readonly number[]
  /** Those of a mutant with the cases alone that must detect it. */
  readonly itsCases: (name: string) => readonly number[]
  /** Those of a correct variant, with the entire catalogue. */
  readonly variant: (name: string) => readonly number[]
}

const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, n) => start + n)
const MUTANT_NAMES = Object.keys(MUTANTS)
const VARIANT_NAMES = Object.keys(VARIANTS)
const STEADY = MUTANT_NAMES.filter((name) => MUTANTS[name]?.timed !== true)

/** The mutants whose outcomes are compared between runs. */
const REPEATED = new Set(
  upTo(REPEATED_MUTANTS)
    .map((n) => STEADY[Math.floor((n * STEADY.length) / REPEATED_MUTANTS)] ?? '')
    .filter((name) => isRepeatable(MUTANTS[name])),
)

export const FULL: Extent = {
  mutant: (name) => upTo(REPEATED.has(name) ? RUNS : 1),
  itsCases: () => upTo(SEEDS, 1),
  variant: () => upTo(RUNS),
}

/** One mutant of each cause. */
const OF_CAUSES = new Set(
  [...new Map(STEADY.toReversed().map((name) => [MUTANTS[name]?.cause, name])).entries()]
    .filter(([cause]) => cause !== undefined)
    .map(([, name]) => name),
)

/** Each mutant against its cases, each variant against the entire catalogue, and each cause once; the shapes of secrets in turn. */
export const QUICK: Extent = {
  mutant: (name) => (OF_CAUSES.has(name) ? [0] : []),
  itsCases: (name) => [1 + (MUTANT_NAMES.indexOf(name) % SECRETS.length)],
  variant: (name) => [VARIANT_NAMES.indexOf(name) % SECRETS.length],
}

/** Each mutant against its cases, and every eleventh variant, so that each shape of secrets occurs. */
export const SAMPLE: Extent = {
  mutant: () => [],
  itsCases: QUICK.itsCases,
  variant: (name) => (VARIANT_NAMES.indexOf(name) % 11 === 0 ? QUICK.variant(name) : []),
}

/**
 * The processes of each kind of job, and how many jobs each performs at the same time. An entire catalogue has its process
 * for itself: to find the cause of many failures keeps it busy, which would delay the receivers of others. It mostly waits.
 */
const LANES = {
  entire: { processes: 8, each: 1 },
  cases: { processes: 2, each: 4 },
  slow: { processes: 3, each: 5 },
  /** Receivers whose timing matters. They mostly wait, so a few at a time leave the processor idle, on which that depends. */
  timed: { processes: 6, each: 1 },
  alone: { processes: 1, each: 1 },
} as const

const start = (lane: Lane) => startPool<Job, Graded>(new URL('./worker.ts', import.meta.url), lane)

/** The outcomes for every mutant and variant. */
export interface Matrix {
  /** The outcomes of the entire catalogue, for the mutants that ran it. */
  readonly mutants: ReadonlyMap<string, Outcomes>
  /** The outcomes of the cases that must detect each mutant, with each seed of those runs. */
  readonly seeds: ReadonlyMap<string, readonly Outcomes[]>
  /** The causes that the report of each receiver names, first those of mutants, one list for each run of the entire catalogue. */
  readonly causes: ReadonlyMap<string, readonly (readonly string[])[]>
  /** All variants and some mutants, each with the outcomes of its runs. */
  readonly repeated: ReadonlyMap<string, readonly Outcomes[]>
  /** Runs that ended with an error instead of a report. */
  readonly errors: readonly string[]
  /** Runs that missed a mutant, or its cause, while others ran, and were repeated alone. */
  readonly alone: readonly string[]
}

/** How often a line says how far it is. */
const PROGRESS_MS = 60_000

const NOTHING: Graded = { outcomes: new Map(), causes: [] }

/** Grades every mutant and variant in several processes; then those whose timing matters, a few at a time. @param extent which runs */
export async function runMatrix(extent: Extent = FULL): Promise<Matrix> {
  const pools = {
    entire: start(LANES.entire),
    cases: start(LANES.cases),
    slow: start(LANES.slow),
  }
  const errors: string[] = []
  let ended = 0
  const progress = setInterval(
    () => process.stderr.write(`${ended} of ${runsIn(extent)} runs have ended\n`),
    PROGRESS_MS,
  ).unref()
  /** An error of one run must not hide the results of the others. */
  const orError = (graded: Promise<Graded>): Promise<Graded> =>
    graded
      .catch((error: unknown) => {
        errors.push(error instanceof Error ? error.message : String(error))
        return NOTHING
      })
      .finally(() => {
        ended += 1
      })
  const inTurn = (lane: keyof typeof pools, job: Job) => orError(pools[lane].perform(job))
  const each = <Result>(numbers: readonly number[], run: (n: number) => Promise<Result>) =>
    Promise.all(numbers.map(run))

  const mutants = new Map<string, Outcomes>()
  const seeds = new Map<string, readonly Outcomes[]>()
  const repeated = new Map<string, readonly Outcomes[]>()
  const causes = new Map<string, readonly (readonly string[])[]>()
  try {
    await Promise.all([
      ...Object.entries(VARIANTS).map(async ([name, { slow }]) => {
        const limit = slow === true ? 'slow' : 'entire'
        const runs = await each(extent.variant(name), (run) => inTurn(limit, { kind: 'variant', name, run }))
        repeated.set(name, outcomesOf(runs))
        causes.set(name, causesOf(runs))
      }),
      ...STEADY.map(async (name) => {
        const runs = await each(extent.mutant(name), (run) => inTurn('entire', { kind: 'mutant', name, run }))
        const entire = outcomesOf(runs)
        causes.set(name, causesOf(runs))
        if (entire[0] !== undefined) mutants.set(name, entire[0])
        if (entire.length > 1) repeated.set(name, entire)
        seeds.set(
          name,
          await each(extent.itsCases(name), (run) =>
            inTurn('cases', { kind: 'mutant', name, run, onlyItsCases: true }),
          ).then(outcomesOf),
        )
      }),
    ])
  } finally {
    await Promise.all(Object.values(pools).map((pool) => pool.close()))
  }
  const pool = start(LANES.timed)
  try {
    await Promise.all(
      MUTANT_NAMES.filter((name) => !STEADY.includes(name)).map(async (name) => {
        const [entire] = await each(extent.mutant(name), (run) =>
          orError(pool.perform({ kind: 'mutant', name, run })),
        )
        if (entire !== undefined) {
          mutants.set(name, entire.outcomes)
          causes.set(name, [entire.causes])
        }
        seeds.set(
          name,
          await each(extent.itsCases(name), (run) =>
            orError(pool.perform({ kind: 'mutant', name, run, onlyItsCases: true })),
          ).then(outcomesOf),
        )
      }),
    )
  } finally {
    await pool.close()
  }
  const last = start(LANES.alone)
  try {
    const alone = await repeatAlone({ mutants, seeds, causes }, extent.itsCases, (job) =>
      orError(last.perform(job)),
    )
    return { mutants, seeds, causes, repeated, errors, alone }
  } finally {
    clearInterval(progress)
    await last.close()
  }
}

/** How many runs an extent has, without those that are repeated alone. */
const runsIn = ({ mutant, itsCases, variant }: Extent): number =>
  [...MUTANT_NAMES.flatMap((name) => [mutant(name), itsCases(name)]), ...VARIANT_NAMES.map(variant)].flat()
    .length

/** Whether each run must have the same outcomes: what a receiver that ends leaves untested depends on the moment. */
function isRepeatable(mutant: Mutant | undefined): boolean {
  return mutant?.dependsOnData !== true && mutant?.cause !== 'crashed'
}
const outcomesOf = (runs: readonly Graded[]) => runs.map(({ outcomes }) => outcomes)
const causesOf = (runs: readonly Graded[]) => runs.map(({ causes }) => causes)
