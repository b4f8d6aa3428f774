import type { Call } from './strace.ts'

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

/** A 200 that a receiver sent. */
interface Acknowledgment {
  /** The payment id of the delivery; undefined if the trace does not show the request. */
  readonly paymentId: string | undefined
  readonly call: Call
}

/** The payment ids in some bytes; those of the fixtures all have this form. */
export const paymentIdsIn = (data: Buffer): string[] =>
  data.toString('latin1').match(/tx_[0-9A-Za-z]{20}/g) ?? []

/** The 200s in a trace of a receiver whose clients send one request at a time on each connection. */
export function acknowledgmentsIn(calls: readonly Call[]): Acknowledgment[] {
  const requests = new Map<string, string>()
  const acknowledgments: Acknowledgment[] = []
  for (const call of calls) {
    const { name, path, data } = call
    if (name === 'read') {
      const [paymentId] = paymentIdsIn(data)
      if (paymentId !== undefined) requests.set(path, paymentId)
    } else if (data.toString('latin1', 0, 12) === 'HTTP/1.1 200') {
      acknowledgments.push({ paymentId: requests.get(path), call })
      requests.delete(path)
    }
  }
  return acknowledgments
}
