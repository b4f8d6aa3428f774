import type { Case, Clock, Judge, Planned } from '../case.ts'
import type { Delivery } from '../delivery.ts'
import { renewable } from '../renewal.ts'

/** What the cases of a run send: each is planned once, when it is first asked for. */
export interface Plans<C extends Case> {
  /** How many deliveries all cases send. */
  readonly deliveries: () => number
  /** How many answers a case waits for, one after another. */
  readonly turnsOf: (testCase: C) => number
  /**
   * Hands out what a case sends. It is made again as long as it waits, because what it was made by means something else by
   * then.
   *
   * @param ahead seconds by which its clock is ahead, for a case that is sent again
   */
  readonly take: (testCase: C, ahead?: number) => Planned
  /** The case of a delivery that was handed out. */
  readonly ownerOf: (delivery: Delivery) => C | undefined
}

/** @param now the clock that deliveries are made by, in Unix seconds */
export function createPlans<C extends Case>(
  cases: readonly C[],
  judge: Pick<Judge<C, unknown>, 'plan'>,
  now: () => number,
): Plans<C> {
  const planned = new Map<C, Planned>()
  const owners = new WeakMap<Delivery, C>()

  function make(testCase: C, clock: Clock): Planned {
    const made = judge.plan(testCase, clock)
    for (const delivery of deliveriesIn(made)) owners.set(delivery, testCase)
    return made
  }

  function plan(testCase: C, ahead = 0): Planned {
    const clock: Clock = {
      now: () => now() + ahead,
      emittedAt: now() + ahead,
      ...(ahead > 0 && { isAgain: true }),
    }
    const made = make(testCase, clock)
    renewable(deliveriesIn(made), () => deliveriesIn(make(testCase, clock)), clock.now)
    return made
  }

  function known(testCase: C): Planned {
    const made = planned.get(testCase) ?? plan(testCase)
    planned.set(testCase, made)
    return made
  }

  return {
    deliveries: () => cases.reduce((sum, testCase) => sum + deliveriesIn(known(testCase)).length, 0),
    turnsOf(testCase) {
      const { plan: steps, marker } = known(testCase)
      const turns = steps.map(({ how, deliveries }) =>
        ['together', 'pipelined', 'in-any-order'].includes(how) ? 1 : deliveries.length,
      )
      return turns.reduce((sum, count) => sum + count, marker === undefined ? 0 : 1)
    },
    take(testCase, ahead) {
      const made = ahead === undefined ? known(testCase) : plan(testCase, ahead)
      planned.delete(testCase)
      return made
    },
    ownerOf: (delivery) => owners.get(delivery),
  }
}

function deliveriesIn({ plan, marker }: Planned): readonly Delivery[] {
  return [...plan.flatMap(({ deliveries }) => deliveries), ...(marker === undefined ? [] : [marker])]
}
