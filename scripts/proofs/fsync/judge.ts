import type { Call } from './trace.ts'

/** Whether the 200s of a trace were sent after a sync of what they acknowledge. */
export interface Judgment {
  readonly acknowledged: number
  readonly synced: number
  /** Those of which the trace does not show the commit. */
  readonly uncommitted: number
  /** What is wrong with each that was not synced. */
  readonly problems: readonly string[]
  /** How many syncs there were that a 200 waited for. */
  readonly syncs: number
}

/**
 * Before each 200 a sync must have completed that began after the commit of the delivery had been written to the same file.
 * @param calls of a receiver whose clients send one request at a time on each connection
 */
export function judge(calls: readonly Call[]): Judgment {
  const syncs = calls.filter(
    ({ name, result, injected }) => (name === 'fdatasync' || name === 'fsync') && result === 0 && !injected,
  )
  const commits = commitsIn(calls)
  const acknowledgments = acknowledgmentsIn(calls)
  const problems: string[] = []
  const used = new Set<Call>()
  let uncommitted = 0
  for (const { paymentId, call } of acknowledgments) {
    const commit = paymentId === undefined ? undefined : commits.get(paymentId)
    if (commit === undefined) {
      uncommitted += 1
      problems.push(`${paymentId ?? 'an unknown payment'}: 200 without a commit in the log`)
      continue
    }
    const sync = syncs.find(
      ({ path, began, ended }) => path === commit.path && began > commit.ended && ended < call.began,
    )
    if (sync === undefined) problems.push(`${paymentId}: 200 without a sync after its commit`)
    else used.add(sync)
  }
  const { length: acknowledged } = acknowledgments
  return { acknowledged, synced: acknowledged - problems.length, uncommitted, problems, syncs: used.size }
}

/** The payment ids in some bytes; those of the fixtures all have this form. */
const paymentIdsIn = (data: Buffer): string[] => data.toString('latin1').match(/tx_[0-9A-Za-z]{20}/g) ?? []

/** The 200s, each with the payment id of the delivery, which is undefined if the trace does not show the request. */
function acknowledgmentsIn(calls: readonly Call[]): { paymentId: string | undefined; call: Call }[] {
  const requests = new Map<string, string>()
  const acknowledgments: { paymentId: string | undefined; call: Call }[] = []
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

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const PAGE_BYTES = 4096

/**
 * Finds in the writes to SQLite's write-ahead log when each payment was committed: each frame is a page with a header,
 * and the header of the last frame of a transaction contains the size of the database.
 * @returns by payment id, the write of the last page of the first transaction that contains it
 */
function commitsIn(calls: readonly Call[]): Map<string, Call> {
  const commits = new Map<string, Call>()
  let isLast = false
  let uncommitted: string[] = []
  for (const call of calls) {
    const { name, path, data, offset, result } = call
    if (name !== 'pwrite64' || !path.endsWith('-wal') || result !== data.length || offset === undefined)
      continue
    const place = (offset - LOG_HEADER_BYTES) % (FRAME_HEADER_BYTES + PAGE_BYTES)
    if (place === 0 && data.length === FRAME_HEADER_BYTES) isLast = data.readUInt32BE(4) !== 0
    if (place !== FRAME_HEADER_BYTES) continue
    uncommitted.push(...paymentIdsIn(data))
    if (!isLast) continue
    for (const id of uncommitted) if (!commits.has(id)) commits.set(id, call)
    uncommitted = []
  }
  return commits
}
