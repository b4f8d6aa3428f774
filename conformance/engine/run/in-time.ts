import type { Verdict } from '../../contracts/payment-service/model.ts'
import { stalledSoFar } from '../time/awake.ts'
import { type Concluding, conclude } from './conclude.ts'
import { type Sending, type Sent, sendCase } from './send-case.ts'

/** An answer that took longer may have been given by a clock that has moved on, in milliseconds. */
const LATE_FROM_MS = 2_000

/** The deliveries of a case, and how long the receiver may have had for one of them. */
export interface TimedSent extends Sent {
  readonly tookMs: number
}

/** Sends a case by `sendCase`, and takes the time. */
export async function sendTimed(...args: Parameters<typeof sendCase>): Promise<TimedSent> {
  const stalled = stalledSoFar()
  const sent = await sendCase(...args)
  // A stall between the signature and the delivery takes of the time, too.
  return { ...sent, tookMs: Math.max(slowestMs(sent), stalledSoFar() - stalled) }
}

/**
 * Sends a case once more if only the time that its answers took may have failed it: the receiver may have compared `t`
 * with its clock at any moment until then.
 */
export async function inTime(
  verdict: Verdict,
  { tookMs }: TimedSent,
  sending: Sending,
  concluding: Concluding,
): Promise<Verdict> {
  const testCase = verdict.case
  if (testCase.dependsOnTransit !== true || verdict.problems.length === 0 || tookMs < LATE_FROM_MS) {
    return verdict
  }
  const seconds = Math.ceil(tookMs / 1000) + 1
  const later = { ...sending, seed: `${sending.seed}/later`, now: () => sending.now() + seconds }
  const again = await sendTimed(testCase, later, () => Promise.resolve())
  const second = await conclude(testCase, again, concluding)
  const secondMs = again.tookMs
  if (second.problems.length === 0 || secondMs <= seconds * 1000) return second
  const reason = `its answers took ${Math.round(secondMs / 1000)} s, so when the receiver compared \`t\` with its clock is open`
  return { ...second, outcome: 'untested', problems: [], reason }
}

function slowestMs({ exchanges }: Sent): number {
  return Math.max(0, ...exchanges.map(({ answer }) => answer?.wallMs ?? answer?.ms ?? 0))
}
