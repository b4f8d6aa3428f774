import type { Verdict } from '../../../contracts/payment-service/model.ts'
import type { Candidate } from '../../cause.ts'
import { isOpen } from '../../evidence.ts'

/**
 * The process of the receiver ended: what was in flight then failed for that reason, whatever it contained.
 *
 * @param ended one sentence about the end; undefined when the receiver still runs, or was not started by the suite
 */
export function endedInRun(verdicts: readonly Verdict[], ended: string | undefined): Candidate | undefined {
  if (ended === undefined) return undefined
  const explains = new Set(
    verdicts.filter(
      (verdict) => isOpen(verdict) && verdict.exchanges.some(({ error }) => error !== undefined),
    ),
  )
  if (explains.size === 0) return undefined
  return {
    code: 'crashed',
    sentence: ended,
    first: true,
    fix: 'Check the last lines of its output, and catch every error within a request so that it does not end the process. If each of these deliveries is answered when it is sent alone, protect what requests share with a lock.',
    observed: true,
    explains,
  }
}
