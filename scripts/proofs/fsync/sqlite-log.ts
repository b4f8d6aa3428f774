import { paymentIdsIn } from './responses.ts'
import type { Call } from './trace.ts'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const PAGE_BYTES = 4096

/**
 * Finds in the writes to SQLite's write-ahead log when each payment was committed: each frame is a page with a header,
 * and the header of the last frame of a transaction contains the size of the database.
 * @returns by payment id, the write of the last page of the first transaction that contains it
 */
export function commitsInLog(calls: readonly Call[]): Map<string, Call> {
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
