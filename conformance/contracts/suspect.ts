import type { Delivery } from '../engine/delivery.ts'
import type { Silence } from '../engine/pace/silence.ts'
import type { JudgedCase } from './model.ts'

/** A delivery that may be why a receiver stopped answering, and its case. */
export interface Suspect<C extends JudgedCase> {
  readonly delivery: Delivery
  readonly testCase: C
}

/**
 * The likely reason for a silence: the first unusual delivery that was in flight. One whose case can fail by its response
 * comes first.
 *
 * @param caseOf the case of a delivery; undefined when it belongs to none
 */
export function suspectOf<C extends JudgedCase>(
  { inFlight }: Pick<Silence, 'inFlight'>,
  caseOf: (delivery: Delivery) => C | undefined,
): Suspect<C> | undefined {
  const all = inFlight.flatMap((delivery) => {
    const testCase = caseOf(delivery)
    return testCase === undefined ? [] : [{ delivery, testCase }]
  })
  const ranked = [
    all.filter((one) => isUnusual(one) && isAtOnce(one) && canFail(one)),
    all.filter((one) => isUnusual(one) && isAtOnce(one)),
    all.filter(isUnusual),
    all,
  ]
  return ranked.flat()[0]
}

const isUnusual = ({ delivery: { change } }: Suspect<JudgedCase>) => change !== undefined
/** Whether it arrived complete: a receiver may still have been reading one that is slow. */
const isAtOnce = ({ delivery: { transport } }: Suspect<JudgedCase>) => transport === undefined
const canFail = ({ testCase: { level, needs } }: Suspect<JudgedCase>) =>
  level === 'MUST' && needs === undefined
