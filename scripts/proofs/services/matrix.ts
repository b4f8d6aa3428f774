import { mutantsOf, SERVICES, variantsOf } from '../../../test/conformance/services/grading.ts'
import { startPool } from '../shared/pool.ts'
import type { Graded, Job } from './job.ts'

/** A receiver that was graded. */
export interface Result {
  readonly job: Job
  readonly graded: Graded
}

/** The results of the proof. */
export interface Matrix {
  readonly results: readonly Result[]
  /** Runs that ended with an error instead of a report. */
  readonly errors: readonly string[]
  /** Runs that missed a mistake, or its cause, while others ran, and were repeated alone. */
  readonly alone: readonly string[]
}

/**
 * The processes of each kind of job, and how many jobs each performs at the same time. All cases have their process for
 * themselves: to find a cause keeps it busy, which would delay the receivers of others. They mostly wait.
 */
const LANES = {
  all: { processes: 8, each: 1 },
  some: { processes: 2, each: 4 },
  alone: { processes: 1, each: 1 },
} as const

/** One in so many receivers is graded in a short run. */
const SAMPLED = 11
/** So many mistakes are not missed by chance. */
const MOST_ALONE = 10
/** How often a line says how far it is. */
const PROGRESS_MS = 60_000

/** Each mutant with its cases, then with all, and each correct receiver. @param isQuick whether only some receivers are graded */
export function jobsOf(isQuick: boolean): Job[] {
  const some = <T>(all: readonly T[], first: number) =>
    isQuick ? all.filter((_, index) => index % SAMPLED === first) : all
  return SERVICES.flatMap((service, index): Job[] => {
    // Another sample of each service; the simplest receiver of all.
    const mutants = some(mutantsOf(service), index)
    return [
      ...some(variantsOf(service), 0).map(({ name }): Job => ({ service, name, kind: 'variant' })),
      ...mutants.flatMap(({ name, create }): Job[] => [
        { service, name, kind: 'its-cases' },
        // A receiver that is slow on purpose takes half a minute, and has no cause.
        ...(create().delayMs > 0 ? [] : [{ service, name, kind: 'mutant' } as const]),
      ]),
    ]
  })
}

/**
 * Grades receivers in several processes. What missed a mistake, or its cause, is repeated alone: on a busy machine a receiver
 * whose timing matters may happen to be correct. A wrong cause counts, and so does what a correct receiver fails.
 */
export async function runMatrix(
  jobs: readonly Job[],
  isMissed: (result: Result) => boolean,
): Promise<Matrix> {
  const start = (lane: keyof typeof LANES) =>
    startPool<Job, Graded>(new URL('./worker.ts', import.meta.url), LANES[lane])
  const errors: string[] = []
  let ended = 0
  const progress = setInterval(
    () => process.stderr.write(`${ended} of ${jobs.length} runs have ended\n`),
    PROGRESS_MS,
  ).unref()
  /** An error of one grading must not hide the results of the others. */
  const inTurn = async (pool: ReturnType<typeof start>, job: Job): Promise<Result[]> => {
    try {
      return [{ job, graded: await pool.perform(job) }]
    } catch (error) {
      errors.push(`${job.service}: ${error instanceof Error ? error.message : String(error)}`)
      return []
    } finally {
      ended += 1
    }
  }
  const pools = { all: start('all'), some: start('some') }
  const first = await Promise.all(
    jobs.map((job) => inTurn(pools[job.kind === 'its-cases' ? 'some' : 'all'], job)),
  )
  clearInterval(progress)
  await Promise.all(Object.values(pools).map((pool) => pool.close()))
  const missed = first.flat().filter(isMissed)
  const again = missed.length > MOST_ALONE ? [] : missed
  const pool = start('alone')
  const repeated = new Map<Job, Result[]>()
  for (const { job } of again) repeated.set(job, await inTurn(pool, job))
  await pool.close()
  return {
    results: first.flat().flatMap((result) => repeated.get(result.job) ?? [result]),
    errors,
    alone: again.map(({ job: { service, name } }) => `${service}, ${name}`),
  }
}
