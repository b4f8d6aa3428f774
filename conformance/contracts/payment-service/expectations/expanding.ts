import { turnsAway } from '../../../engine/pace/blocked.ts'
import type { Exchange, Expectation } from '../model.ts'

/** The share of the time limit within which a valid delivery has to be answered beside bodies that are not compressed. */
const QUICK_SHARE = 0.25

/**
 * Each probe is accepted in time, while and after compressed bodies arrive. It is a problem only if a valid delivery beside
 * as many bytes that are not compressed, the signed context delivery, was answered quickly: then neither the network nor
 * the number of connections can be the reason. A receiver that has ended is a problem in any case (SPEC.md 10.9).
 */
export const acceptedWhileExpanding: Expectation = {
  kind: 'accepted',
  expected: { code: 'accepted_while_expanding' },
  check({ exchanges, ackWithinMs }) {
    const isAccepted = ({ answer }: Exchange, withinMs: number) =>
      answer?.status === 200 && answer.ms <= withinMs
    const failed = exchanges.find(
      (exchange) => exchange.delivery.role === 'probe' && !isAccepted(exchange, ackWithinMs),
    )
    if (failed === undefined) return undefined
    const reference = exchanges.find(
      ({ delivery }) => delivery.role === 'context' && delivery.change === undefined,
    )
    // It ended: what was answered beside the other bodies was answered by a receiver that still ran.
    const ended = exchanges.find(
      ({ delivery, error }) => delivery.role === 'probe' && error?.code === 'refused',
    )
    if (ended !== undefined && reference?.answer?.status === 200) {
      return { wrong: { code: 'ended_while_expanding' }, severity: 'protocol', exchanges: [ended] }
    }
    const isTurnedAway = failed.answer !== undefined && turnsAway(failed.answer)
    return reference !== undefined && isAccepted(reference, ackWithinMs * QUICK_SHARE) && !isTurnedAway
      ? { wrong: { code: 'answer_while_expanding' }, severity: 'protocol', exchanges: [failed] }
      : { untested: { code: 'as_uncompressed', exchange: failed } }
  },
}
