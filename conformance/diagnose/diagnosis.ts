import type { Exchange, Verdict } from '../case/model.ts'

/** The share of genuine deliveries from which on one common cause is likelier than many. */
export const MOST = 0.8

/** How many failures of one kind are worth a line of their own. */
const SEVERAL = 5

/** Why a case is untested when nothing showed that the receiver had come so far. */
export const MARKER_UNSEEN = 'the effect of a genuine control payment was not seen in time'

/** One line on what all failures have in common, where one cause explains them better than a hundred verdicts. */
export function diagnose(verdicts: readonly Verdict[], skewSeconds: number | undefined): string | undefined {
  const genuine = verdicts.flatMap(({ exchanges }) =>
    exchanges.filter(({ delivery, unanswered }) => delivery.change === undefined && unanswered !== true),
  )
  // It did answer before the first case, or there would be no run.
  const silent = verdicts.some(({ exchanges }) => exchanges.some(({ error }) => error?.code === 'refused'))
  const answered = genuine.some(({ answer }) => answer !== undefined)
  const wrong = genuine.filter(({ answer }) => answer?.status !== 200)
  if (wrong.length > 0 && wrong.length >= genuine.length * MOST && (answered || !silent)) {
    return hardlyAccepted(wrong, genuine.length)
  }
  if (silent) return 'The receiver stopped answering during the run: it may have crashed.'
  if (skewSeconds !== undefined && skewSeconds !== 0) {
    const direction = skewSeconds > 0 ? 'ahead of' : 'behind'
    return `The receiver's clock is ${Math.abs(skewSeconds)} s ${direction} this machine's; deliveries were signed by the receiver's clock.`
  }
  const observed = verdicts.filter(({ case: { needs } }) => needs === 'effects')
  if (
    observed.some(({ reason }) => reason === MARKER_UNSEEN) &&
    observed.every(({ outcome }) => outcome !== 'passed')
  ) {
    return "No effect of any payment was seen. Check that what is observed is this receiver's; one that rightly ignores test events needs --mode live."
  }
  return refusedOtherwise(verdicts)
}

/** Many refusals that are right but for their status are one thing to mend. */
function refusedOtherwise(verdicts: readonly Verdict[]): string | undefined {
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  const half = failed.filter(({ problems }) => problems.every(({ guidance }) => guidance !== undefined))
  if (half.length < SEVERAL) return undefined
  return `${half.length} of ${failed.length} failures are refusals that are right but for their status: answer 401 to a wrong signature, 400 to a header that is malformed or stale.`
}

function hardlyAccepted(wrong: readonly Exchange[], all: number): string {
  const [status, times] = mostCommon(wrong.map(({ answer }) => answer?.status))
  const some = times === all ? 'all' : `${times} of ${all}`
  const head = wrong.length === all ? 'No' : 'Hardly any'
  const what = `${head} genuine delivery was accepted: ${some} got ${status === undefined ? 'no answer' : status}.`
  if (status === undefined) return `${what} The handler may throw: see its log.`
  if (status === 400 || status === 401 || status === 403) {
    return `${what} Check first that the signing secret given here is the receiver's, then the header name and the clock.`
  }
  if (status < 300) return `${what} Answer exactly 200: most other failures follow from this one.`
  return status < 400
    ? `${what} Give the address that it redirects to.`
    : `${what} The receiver's own log tells more.`
}

function mostCommon<T>(values: readonly T[]): [value: T | undefined, times: number] {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce<[T | undefined, number]>(
    (best, entry) => (entry[1] > best[1] ? entry : best),
    [undefined, 0],
  )
}
