import { describe, expect, it } from 'vitest'
import { commitsInWal } from '../../../../scripts/proofs/fsync/commits.ts'
import { acknowledgmentsIn, judge } from '../../../../scripts/proofs/fsync/judge.ts'
import { parseTrace } from '../../../../scripts/proofs/fsync/strace.ts'
import { idOf, pwrite, request, response, SEGMENT, sync } from './lines.ts'

const [A, B] = [idOf(1), idOf(2)]
const PAGE_BYTES = 8192
const FIRST_PAGE = 5
const HEAP = 10

function record(manager: number, transaction: number, data: Buffer | string): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(24 + Buffer.byteLength(data), 0)
  header.writeUInt32LE(transaction, 4)
  header[17] = manager
  const bytes = Buffer.concat([header, Buffer.from(data as string)])
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7)])
}
const insert = (transaction: number, id: string): Buffer => record(HEAP, transaction, `a row with ${id}`)
const commit = (transaction: number): Buffer => record(1, transaction, `commit at ${transaction}`)
const abort = (transaction: number): Buffer => {
  const bytes = commit(transaction)
  bytes[16] = 0x20
  return bytes
}

/** A write of all pages, filled with records; the first one begins with the rest of a record of the page before. */
function writeLog(...records: Buffer[]): string {
  const rest = Buffer.alloc(40, 'rest')
  const bytes = Buffer.concat([rest, ...records])
  const pages: Buffer[] = []
  for (let at = 0; at < bytes.length; at += PAGE_BYTES - 24) {
    const header = Buffer.alloc(24)
    header.writeUInt32LE(at === 0 ? rest.length : 1, 16)
    const body = Buffer.alloc(PAGE_BYTES - 24)
    bytes.copy(body, 0, at)
    pages.push(Buffer.concat([header, body]))
  }
  return pwrite(SEGMENT, Buffer.concat(pages), FIRST_PAGE * PAGE_BYTES)
}

function judgmentOf(...lines: string[]) {
  const calls = parseTrace(lines.join('\n'))
  return judge(calls, acknowledgmentsIn(calls), commitsInWal(calls))
}

describe('200s of a receiver with Postgres', () => {
  it('may share a sync, whichever transaction caused it', () => {
    const judgment = judgmentOf(
      request(3, A),
      request(4, B),
      writeLog(insert(700, A), insert(701, B), commit(701), commit(700)),
      sync(SEGMENT),
      response(3),
      response(4),
    )
    expect(judgment).toMatchObject({ acknowledged: 2, synced: 2, problems: [], syncs: 1, mostPerSync: 2 })
  })

  it('are reported if only the row was synced, and the commit was written to the same page later', () => {
    const lines = [writeLog(insert(700, A)), sync(SEGMENT), writeLog(insert(700, A), commit(700))]
    expect(judgmentOf(request(3, A), ...lines, response(3)).problems).toEqual([
      `${A}: 200 without a sync after its commit`,
    ])
    expect(judgmentOf(request(3, A), ...lines, sync(SEGMENT), response(3)).problems).toEqual([])
  })

  it('are reported if a sync follows the 200, or is of another segment', () => {
    const log = writeLog(insert(700, A), commit(700))
    const other = SEGMENT.replace(/2$/, '3')
    expect(judgmentOf(request(3, A), log, response(3), sync(SEGMENT)).synced).toBe(0)
    expect(judgmentOf(request(3, A), log, sync(other), response(3)).synced).toBe(0)
  })

  it.each([
    ['another transaction', commit(701)],
    ['no transaction', abort(700)],
  ])('are reported if %s committed', (_, last) => {
    const judgment = judgmentOf(
      request(3, A),
      writeLog(insert(700, A), insert(701, B), last),
      sync(SEGMENT),
      response(3),
    )
    expect(judgment).toMatchObject({ synced: 0, uncommitted: 1 })
  })

  it('finds records that continue on the next page', () => {
    const long = record(HEAP, 702, 'x'.repeat(PAGE_BYTES - 150))
    const judgment = judgmentOf(
      request(3, A),
      writeLog(long, insert(700, A), commit(700)),
      sync(SEGMENT),
      response(3),
    )
    expect(judgment.problems).toEqual([])
  })
})
