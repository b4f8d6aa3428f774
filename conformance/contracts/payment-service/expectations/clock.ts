import { turnsAway } from '../../../engine/pace/blocked.ts'
import { isSuccess } from '../../webhook/expectations/statuses.ts'
import type { Exchange, Expectation } from '../../webhook/model.ts'

/** How much later than its context delivery a probe is signed at least, in seconds. */
export const STEP_SECONDS = 1

/**
 * Each context delivery has a `t` in the future, and some probes, sent seconds later, one as far ahead of the time that they
 * were made at, which is at least `STEP_SECONDS` later: a receiver that accepted the first with a clock that runs accepts
 * these too, whatever that clock shows (SPEC.md 3.2). A probe proves nothing unless its copies, which may reach other
 * machines, get the same answer.
 */
export const clockAdvances: Expectation = {
  kind: 'accepted-or-refused',
  expected: { code: 'clock_advances' },
  check({ exchanges }) {
    const probes = exchanges.filter(({ delivery }) => delivery.role === 'probe')
    for (const { delivery, answer } of exchanges) {
      if (delivery.role !== 'context' || answer?.status !== 200) continue
      const later = probes.filter((probe) => aheadOf(probe.delivery) === aheadOf(delivery))
      const [first] = later
      if (first !== undefined && later.every(isRefused)) {
        const start = delivery.madeAt ?? 0
        return {
          wrong: {
            code: 'clock_stands_still',
            ahead: aheadOf(delivery),
            aheadAtStart: Number(first.delivery.signed.t) - start,
          },
          severity: 'protocol',
          exchanges: later,
        }
      }
    }
    return undefined
  },
}

/** By how much more a probe is stale than one that was refused for its age, in seconds: more than clocks of machines differ. */
export const STALE_BY_SECONDS = 3

/**
 * The first odd second from this one on. A time near the beginning of the window is one, unless it has to be new: that is
 * `STALE_BY_SECONDS` later than one, and so no other case has sent it.
 */
export const oddSecond = (t: number): number => t + 1 - (t % 2)

/**
 * Each context delivery has a `t` near the end of the window. Once that is over, a probe has the same `t`, and another one a
 * `t` that is less stale and was never sent before: a receiver that refuses the second for its age refuses the first too,
 * whatever its clock shows (SPEC.md 3.3).
 */
export const staleAlthoughSeen: Expectation = {
  kind: 'accepted-or-refused',
  expected: { code: 'stale_although_seen' },
  check({ exchanges }) {
    const timeOf = ({ delivery }: Exchange) => Number(delivery.signed.t)
    const of = (role: Exchange['delivery']['role']) =>
      exchanges.filter(({ delivery }) => delivery.role === role)
    const seen = new Set(
      of('context')
        .filter(({ answer }) => answer?.status === 200)
        .map(timeOf),
    )
    const refused = of('probe').filter((probe) => !seen.has(timeOf(probe)) && isRefused(probe))
    const accepted = of('probe').filter(
      (probe) =>
        seen.has(timeOf(probe)) &&
        isSuccess(probe.answer) &&
        refused.some((other) => timeOf(other) >= timeOf(probe) + STALE_BY_SECONDS),
    )
    if (accepted.length === 0) return undefined
    return { wrong: { code: 'let_in' }, observed: 'let-in', severity: 'security', exchanges: accepted }
  },
}

/** How far its `t` is ahead of the time that it was made at, in seconds. */
const aheadOf = ({ signed, madeAt = 0 }: Exchange['delivery']): number => Number(signed.t) - madeAt

function isRefused({ answer }: Exchange): boolean {
  return answer !== undefined && (answer.status === 400 || answer.status === 401) && !turnsAway(answer)
}
