import type { Exchange, Verdict } from './model.ts'

/** One line on what all failures have in common, where one cause explains them better than a hundred verdicts. */
export function diagnose(verdicts: readonly Verdict[], skewSeconds: number | undefined): string | undefined {
  const genuine = verdicts.flatMap(({ exchanges }) =>
    exchanges.filter(({ delivery, unanswered }) => delivery.change === undefined && unanswered !== true),
  )
  // It did answer before the first case, or there would be no run.
  const silent = verdicts.some(({ exchanges }) => exchanges.some(({ error }) => error?.code === 'refused'))
  const answered = genuine.some(({ answer }) => answer !== undefined)
  if (genuine.length > 0 && genuine.every(({ answer }) => answer?.status !== 200) && (answered || !silent))
    return nothingAccepted(genuine)
  if (silent) return 'The receiver stopped answering during the run: it may have crashed.'
  if (skewSeconds !== undefined && skewSeconds !== 0) {
    const direction = skewSeconds > 0 ? 'ahead of' : 'behind'
    return `The receiver's clock is ${Math.abs(skewSeconds)} s ${direction} this machine's; deliveries were signed by the receiver's clock.`
  }
  return undefined
}

function nothingAccepted(genuine: readonly Exchange[]): string {
  const [status, times] = mostCommon(genuine.map(({ answer }) => answer?.status))
  const some = times === genuine.length ? 'all' : `${times} of ${genuine.length}`
  const what = `No genuine delivery was accepted: ${some} got ${status === undefined ? 'no answer' : status}.`
  if (status === 400 || status === 401 || status === 403) {
    return `${what} Check first that the signing secret given here is the receiver's, then the header name and the clock.`
  }
  if (status !== undefined && status >= 300 && status < 400)
    return `${what} Give the address that it redirects to.`
  if (status !== undefined && status >= 500) return `${what} The receiver's own log tells more.`
  return what
}

function mostCommon<T>(values: readonly T[]): [value: T | undefined, times: number] {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce<[T | undefined, number]>(
    (best, entry) => (entry[1] > best[1] ? entry : best),
    [undefined, 0],
  )
}
