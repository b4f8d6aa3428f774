import type { CaseId } from '../../contracts/payment-service/cases/index.ts'
import type { Delivery } from '../../contracts/payment-service/delivery.ts'
import type {
  CatalogueCase,
  Exchange,
  Observation,
  Problem,
  Verdict,
} from '../../contracts/payment-service/model.ts'
import { judge } from '../../contracts/verdict.ts'
import { suspectOf } from '../../diagnosis/suspect.ts'
import { HarnessError } from '../errors.ts'
import type { Observer } from '../observe/observe.ts'
import { STOPPED_ANSWERING } from '../pace/silence.ts'
import type { Traffic } from '../pace/traffic.ts'

/** The case of each delivery that was planned. */
export type Owners = WeakMap<Delivery, CatalogueCase>

/** The case that a receiver fails when it accepts nothing any more. */
const ALIVE: CaseId = 'robustness/alive-at-the-end'

/** What may be missing only because the receiver hangs. */
const ABSENT: readonly (Observation | undefined)[] = [
  'not-fulfilled',
  'not-reversed',
  'fulfilled-after-refund',
]

/**
 * Corrects a verdict for a receiver that stopped answering: the case whose delivery was the likely reason keeps it, and so
 * does what was wrong before. Nothing else that got no answer, or has no effect, says anything.
 */
export async function silenced(
  verdict: Verdict,
  traffic: Pick<Traffic, 'certain' | 'silence'>,
  owners: Owners,
): Promise<Verdict> {
  const { outcome, case: testCase, problems, exchanges } = verdict
  const isAlive = testCase.id === ALIVE
  if (outcome === 'passed' || (outcome === 'untested' && !isAlive)) return verdict
  await traffic.certain()
  const silence = traffic.silence()
  if (silence === undefined) return verdict
  if (isAlive) return accused(testCase, silence.probes, verdict.durationMs)
  if (suspectOf(silence, (delivery) => owners.get(delivery))?.testCase === testCase) return verdict
  const isSilent = ({ delivery }: Exchange) => silence.unanswered.has(delivery)
  const isExplained = ({ observed, exchanges: wrong = [] }: Problem) =>
    ABSENT.includes(observed) || (wrong.length > 0 && wrong.every(isSilent))
  const left = problems.filter((problem) => !isExplained(problem))
  if (left.length === problems.length && !exchanges.some(isSilent)) return verdict
  return outcome !== 'inconclusive' && left.length > 0
    ? { ...verdict, problems: left }
    : { ...verdict, outcome: 'untested', problems: [], reason: STOPPED_ANSWERING }
}

/** An observer that no longer waits for a receiver that has stopped answering, if it shows no effects either. */
export function untilSilent(observer: Observer, { silent }: Pick<Traffic, 'silent'>): Observer {
  let isDown = false
  const given = silent.then(() => {
    if (isDown) throw new HarnessError('observation_failed', STOPPED_ANSWERING)
    return new Promise<never>(() => undefined)
  })
  given.catch(() => undefined)
  return {
    ...observer,
    async effects(paymentId) {
      try {
        return await Promise.race([given, observer.effects(paymentId)])
      } catch (error) {
        isDown = true
        throw error
      }
    },
  }
}

function accused(testCase: CatalogueCase, exchanges: readonly Exchange[], durationMs: number): Verdict {
  return judge(testCase, { exchanges, effects: () => [], secrets: [], ackWithinMs: 0 }, durationMs)
}
