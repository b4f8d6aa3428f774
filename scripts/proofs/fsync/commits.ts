import { paymentIdsIn } from './judge.ts'
import type { Call } from './strace.ts'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const SQLITE_PAGE_BYTES = 4096

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
    const place = (offset - LOG_HEADER_BYTES) % (FRAME_HEADER_BYTES + SQLITE_PAGE_BYTES)
    if (place === 0 && data.length === FRAME_HEADER_BYTES) isLast = data.readUInt32BE(4) !== 0
    if (place !== FRAME_HEADER_BYTES) continue
    uncommitted.push(...paymentIdsIn(data))
    if (!isLast) continue
    for (const id of uncommitted) if (!commits.has(id)) commits.set(id, call)
    uncommitted = []
  }
  return commits
}

const PAGE_BYTES = 8192
const SEGMENT_BYTES = 16 * 1024 * 1024
const RECORD_HEADER_BYTES = 24
const PAGE_HEADER_BYTES = 24
/** The first page of a segment has a longer header. */
const FIRST_PAGE_HEADER_BYTES = 40
/** The resource manager of transactions, and its records of commits (the kind is in three bits of xl_info). */
const TRANSACTIONS = 1
const KIND_BITS = 0x70
const COMMIT = 0

/** A write of one page of the log. */
interface PageWrite {
  readonly page: Buffer
  readonly call: Call
}

interface Page {
  /** Where its bytes begin in the stream. */
  readonly start: number
  readonly header: number
  /** In their order; the last one is complete. */
  readonly writes: readonly PageWrite[]
}

/** The bytes of a log without the headers of its pages: records follow one another, and may continue on the next page. */
interface Stream {
  readonly bytes: Buffer
  readonly pages: readonly Page[]
  /** Where the first record begins. */
  readonly firstRecord: number
}

interface LogRecord {
  readonly transaction: number
  readonly isCommit: boolean
  readonly bytes: Buffer
  /** The end of the record in the stream. */
  readonly end: number
}

/**
 * Finds in the writes to Postgres's write-ahead log when each payment was committed. The commit is the record of the
 * transaction whose record contains the payment first; several processes may write the log, and pages are rewritten
 * as they fill up.
 * @returns by payment id, the first write that contains the end of the commit record
 */
export function commitsInWal(calls: readonly Call[]): Map<string, Call> {
  const transactions = new Map<string, number>()
  const commitEnds = new Map<number, number>()
  const stream = streamOf(pageWritesIn(calls))
  for (const { transaction, isCommit, bytes, end } of recordsIn(stream)) {
    if (isCommit) commitEnds.set(transaction, end)
    for (const id of paymentIdsIn(bytes)) if (!transactions.has(id)) transactions.set(id, transaction)
  }
  const commits = new Map<string, Call>()
  for (const [id, transaction] of transactions) {
    const end = commitEnds.get(transaction)
    const call = end === undefined ? undefined : firstWriteTo(end, stream)
    if (call !== undefined) commits.set(id, call)
  }
  return commits
}

/** By address of the page, the writes of it in their order. */
function pageWritesIn(calls: readonly Call[]): Map<number, PageWrite[]> {
  const writes = new Map<number, PageWrite[]>()
  for (const call of calls) {
    const segment = /\/pg_wal\/[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})$/.exec(call.path)
    const { name, data, offset, result } = call
    if (segment === null || name !== 'pwrite64' || result !== data.length || offset === undefined) continue
    const [, high = '', low = ''] = segment
    const first = Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16) * SEGMENT_BYTES + offset
    for (let at = 0; at + PAGE_BYTES <= data.length; at += PAGE_BYTES) {
      const write = { page: data.subarray(at, at + PAGE_BYTES), call }
      const before = writes.get(first + at)
      if (before === undefined) writes.set(first + at, [write])
      else before.push(write)
    }
  }
  return writes
}

/** Joins the last version of each page, up to the first page that was not written. */
function streamOf(pageWrites: ReadonlyMap<number, readonly PageWrite[]>): Stream {
  const pages: Page[] = []
  const parts: Buffer[] = []
  let start = 0
  let firstRecord = 0
  for (let address = Math.min(...pageWrites.keys()); ; address += PAGE_BYTES) {
    const writes = pageWrites.get(address)
    const page = writes?.at(-1)?.page
    if (writes === undefined || page === undefined) break
    // The header says how much of a record of the page before is still to come.
    if (pages.length === 0) firstRecord = aligned(page.readUInt32LE(16))
    const header = address % SEGMENT_BYTES === 0 ? FIRST_PAGE_HEADER_BYTES : PAGE_HEADER_BYTES
    pages.push({ start, header, writes })
    parts.push(page.subarray(header))
    start += PAGE_BYTES - header
  }
  return { bytes: Buffer.concat(parts), pages, firstRecord }
}

/** The first write of a page that contains it as far as an end in the stream. */
function firstWriteTo(end: number, { pages }: Stream): Call | undefined {
  const last = pages.findLast(({ start }) => start < end)
  if (last === undefined) return undefined
  const { start, header, writes } = last
  const used = ({ page }: PageWrite): Buffer => page.subarray(header, header + end - start)
  const complete = writes.at(-1)
  return complete && writes.find((write) => used(write).equals(used(complete)))?.call
}

function* recordsIn({ bytes, firstRecord }: Stream): Generator<LogRecord> {
  for (let at = firstRecord; at + RECORD_HEADER_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32LE(at)
    const end = at + length
    if (length < RECORD_HEADER_BYTES || end > bytes.length) return
    yield {
      transaction: bytes.readUInt32LE(at + 4),
      isCommit: bytes[at + 17] === TRANSACTIONS && ((bytes[at + 16] ?? 0) & KIND_BITS) === COMMIT,
      bytes: bytes.subarray(at, end),
      end,
    }
    at = aligned(end)
  }
}

const aligned = (at: number): number => Math.ceil(at / 8) * 8
