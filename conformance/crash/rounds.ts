import { HarnessError } from '../engine/errors.ts'
import { momentsOf } from './moments.ts'
import type { CrashOptions } from './options.ts'
import { lookBack, type Round, runRound } from './round.ts'
import type { Failure } from './verdicts/story.ts'
import type { World } from './world.ts'

/** After this many rounds with a failure, more would only repeat them. */
const FAILED_ROUNDS = 3

/** The rounds of a run. */
export interface Rounds {
  readonly done: readonly Round[]
  /** What was handled again after its round. */
  readonly late: readonly Failure[]
  /** Why the receiver did not start again after a crash, and in which round. */
  readonly notStarted?: { readonly round: number; readonly message: string } | undefined
}

/** Those of a run that tried no crash. */
export const NO_ROUNDS: Rounds = { done: [], late: [] }

/** Kills the receiver in each round, until too many rounds have failed or it does not start again. */
export async function runRounds(
  { rounds, round: only, onRound }: CrashOptions & { readonly rounds: number },
  world: World,
): Promise<Rounds> {
  const done: Round[] = []
  for (const [index, moment] of momentsOf(world.seed, rounds, world.effectMs).entries()) {
    const number = index + 1
    if (only !== undefined && only !== number) continue
    if (done.filter(({ failures }) => failures.length > 0).length >= FAILED_ROUNDS) break
    onRound?.(number, moment)
    try {
      done.push(await runRound(number, moment, world))
    } catch (error) {
      if (!(error instanceof HarnessError) || error.code !== 'not_started') throw error
      return { done, late: [], notStarted: { round: number, message: error.message } }
    }
  }
  return { done, late: await lookBack(done, world.observer) }
}
