import type { Acknowledgment } from './responses.ts'
import type { Call } from './trace.ts'

/** Whether the 200s of a trace were sent after a sync of what they acknowledge. */
export interface Judgment {
  readonly acknowledged: number
  readonly synced: number
  /** Those of which the trace does not show the commit. */
  readonly uncommitted: number
  /** What is wrong with each of the others. */
  readonly problems: readonly string[]
  /** How many syncs there were that a 200 waited for, and how many 200s the most used of them served. */
  readonly syncs: number
  readonly mostPerSync: number
}

/**
 * Before each 200 a sync must have completed that began after the commit of the delivery had been written to the same file.
 * @param commits by payment id, the write that completed the commit
 */
export function judge(
  calls: readonly Call[],
  acknowledgments: readonly Acknowledgment[],
  commits: ReadonlyMap<string, Call>,
): Judgment {
  const syncs = calls.filter(
    ({ name, result, injected }) => (name === 'fdatasync' || name === 'fsync') && result === 0 && !injected,
  )
  const problems: string[] = []
  let uncommitted = 0
  const uses = new Map<Call, number>()

  for (const { paymentId, call } of acknowledgments) {
    const commit = paymentId === undefined ? undefined : commits.get(paymentId)
    if (commit === undefined) {
      uncommitted += 1
      problems.push(`${paymentId ?? 'an unknown payment'}: 200 without a commit in the log`)
      continue
    }
    const later = syncs.filter(({ path, began }) => path === commit.path && began > commit.ended)
    const sync = later.find(({ ended }) => ended < call.began)
    if (sync === undefined) problems.push(`${paymentId}: 200 without a sync after its commit`)
    else uses.set(sync, (uses.get(sync) ?? 0) + 1)
  }

  return {
    acknowledged: acknowledgments.length,
    synced: acknowledgments.length - problems.length,
    uncommitted,
    problems,
    syncs: uses.size,
    mostPerSync: Math.max(0, ...uses.values()),
  }
}
