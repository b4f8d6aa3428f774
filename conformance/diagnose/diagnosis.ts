import type { Exchange, Verdict } from '../case/model.ts'

/** When at least this share of the valid deliveries is rejected, one common cause is more likely than many. */
export const MOST = 0.8

/** How many failures of one kind justify a diagnosis. */
const SEVERAL = 5

/** Why a case was not tested when nothing showed that the receiver had caught up. */
export const MARKER_UNSEEN = 'the effect of a valid control payment was not observed in time'

/** One line about the common cause of many failures, if there is one. */
export function diagnose(verdicts: readonly Verdict[], skewSeconds: number | undefined): string | undefined {
  const valid = verdicts.flatMap(({ exchanges }) =>
    exchanges.filter(({ delivery, unanswered }) => delivery.change === undefined && unanswered !== true),
  )
  // It answered before the first case, or there would be no run.
  const silent = verdicts.some(({ exchanges }) => exchanges.some(({ error }) => error?.code === 'refused'))
  const answered = valid.some(({ answer }) => answer !== undefined)
  const wrong = valid.filter(({ answer }) => answer?.status !== 200)
  if (wrong.length > 0 && wrong.length >= valid.length * MOST && (answered || !silent)) {
    const [status] = mostCommon(wrong.map(({ answer }) => answer?.status))
    if (!silent || status !== undefined) return almostNoneAccepted(wrong, valid.length)
  }
  if (silent) return 'The receiver stopped answering during the run: it may have crashed.'
  if (skewSeconds !== undefined && skewSeconds !== 0) {
    const direction = skewSeconds > 0 ? 'ahead of' : 'behind'
    return `The receiver's clock is ${Math.abs(skewSeconds)} s ${direction} this machine's clock; deliveries were signed by the receiver's clock.`
  }
  const observed = verdicts.filter(({ case: { needs } }) => needs === 'effects')
  if (
    observed.some(({ reason }) => reason === MARKER_UNSEEN) &&
    observed.every(({ outcome }) => outcome !== 'passed')
  ) {
    return 'No effect of any payment was observed. Check that the observed effects are those of this receiver; a receiver that ignores test events by design has to be checked in live mode.'
  }
  return refusedWithOtherStatus(verdicts)
}

/** Many refusals with the wrong status code have one fix. */
function refusedWithOtherStatus(verdicts: readonly Verdict[]): string | undefined {
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  const otherStatus = failed.filter(({ problems }) =>
    problems.every(({ guidance }) => guidance !== undefined),
  )
  if (otherStatus.length < SEVERAL) return undefined
  return `${otherStatus.length} of ${failed.length} failures are refusals with the wrong status code: answer 401 to a wrong signature and 400 to a malformed or stale header.`
}

function almostNoneAccepted(wrong: readonly Exchange[], all: number): string {
  const [status, times] = mostCommon(wrong.map(({ answer }) => answer?.status))
  const share = times === all ? 'all' : `${times} of ${all}`
  const head = wrong.length === all ? 'No' : 'Almost no'
  const what = `${head} valid delivery was accepted: ${share} got ${status === undefined ? 'no response' : status}.`
  if (status === undefined) return `${what} The handler may throw an error: check the receiver's log.`
  if (status === 400 || status === 401 || status === 403) {
    return `${what} First check that the receiver uses the same signing secret and verifies the raw body, then the header name and the clock.`
  }
  if (status < 300) return `${what} Answer exactly 200; this causes most of the other failures.`
  return status < 400 ? `${what} Use the URL that it redirects to.` : `${what} Check the receiver's log.`
}

function mostCommon<T>(values: readonly T[]): [value: T | undefined, times: number] {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce<[T | undefined, number]>(
    (best, entry) => (entry[1] > best[1] ? entry : best),
    [undefined, 0],
  )
}
