import type { Exchange, Expectation } from '../model.ts'
import { turnsAway } from '../turned-away.ts'

/** How much later than its context delivery a probe is signed, in seconds. */
export const STEP_SECONDS = 1

/**
 * Each context delivery has a `t` in the future, and some probes, sent seconds later, one that is `STEP_SECONDS` later: a receiver that
 * accepted the first with a clock that runs accepts these too, whatever that clock shows (SPEC.md 3.2). A probe proves
 * nothing unless its copies, which may reach other machines, get the same answer.
 */
export const clockAdvances: Expectation = {
  kind: 'accepted-or-refused',
  expected: "what is inside the window by the receiver's clock at first is inside it seconds later",
  check({ exchanges }) {
    const probes = exchanges.filter(({ delivery }) => delivery.role === 'probe')
    for (const { delivery, answer } of exchanges) {
      if (delivery.role !== 'context' || answer?.status !== 200) continue
      const t = Number(delivery.signed.t)
      const later = probes.filter((probe) => Number(probe.delivery.signed.t) === t + STEP_SECONDS)
      if (later.length > 0 && later.every(isRefused)) {
        const madeAt = delivery.madeAt ?? 0
        return {
          problem: `status ${later[0]?.answer?.status} to a t that was ${t + STEP_SECONDS - madeAt} s ahead at the start of the run, although one ${t - madeAt} s ahead was accepted then: its clock does not advance`,
          severity: 'protocol',
          exchanges: later,
        }
      }
    }
    return undefined
  },
}

function isRefused({ answer }: Exchange): boolean {
  return answer !== undefined && (answer.status === 400 || answer.status === 401) && !turnsAway(answer)
}
