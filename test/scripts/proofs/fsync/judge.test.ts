import { describe, expect, it } from 'vitest'
import { judge } from '../../../../scripts/proofs/fsync/judge.ts'
import { parseTrace } from '../../../../scripts/proofs/fsync/trace.ts'
import { idOf, LOG, pwrite, request, response, sync, syncBegins, syncEnds } from './lines.ts'

const [A, B] = [idOf(1), idOf(2)]

/** The two writes of a frame. @param last whether it ends its transaction */
function frame(number: number, text: string, last = true): string[] {
  const header = Buffer.alloc(24)
  header.writeUInt32BE(last ? 5 : 0, 4)
  const page = Buffer.alloc(4096)
  page.write(text, 100)
  const offset = 32 + number * (24 + 4096)
  return [pwrite(LOG, header, offset), pwrite(LOG, page, offset + 24)]
}

const judgmentOf = (...lines: (string | string[])[]) => judge(parseTrace(lines.flat().join('\n')))

describe('200s of a receiver with SQLite', () => {
  it('are counted with the syncs that they share', () => {
    const judgment = judgmentOf(
      request(3, A),
      request(4, B),
      frame(0, `${A} ${B}`),
      sync(LOG),
      response(3),
      response(4),
      request(3, idOf(3)),
      frame(1, idOf(3)),
      syncBegins(LOG),
      syncEnds(),
      response(3),
      request(3, idOf(4)),
      response(3, 401),
    )
    expect(judgment).toEqual({
      acknowledged: 3,
      synced: 3,
      uncommitted: 0,
      problems: [],
      syncs: 2,
    })
  })

  it.each([
    ['without any sync', [frame(0, A), response(3)]],
    ['with a sync of another file', [frame(0, A), sync('/tmp/inbox.sqlite'), response(3)]],
    ['before the commit is synced', [frame(0, A), response(3), sync(LOG)]],
    ['before the sync has ended', [frame(0, A), syncBegins(LOG), response(3), syncEnds()]],
    ['after a sync that began too early', [syncBegins(LOG), frame(0, A), syncEnds(), response(3)]],
    ['after a sync that failed', [frame(0, A), syncBegins(LOG), syncEnds('-1 EIO'), response(3)]],
    ['after a sync that was skipped', [frame(0, A), syncBegins(LOG), syncEnds('0 (INJECTED)'), response(3)]],
    [
      'after a sync in the middle of the transaction',
      [frame(0, A, false), sync(LOG), frame(1, 'the rest'), response(3)],
    ],
  ])('are reported %s', (_, lines) => {
    const judgment = judgmentOf(request(3, A), ...lines)
    expect(judgment).toMatchObject({ acknowledged: 1, synced: 0, uncommitted: 0, syncs: 0 })
    expect(judgment.problems).toEqual([`${A}: 200 without a sync after its commit`])
  })

  it.each([
    ['nothing was written', []],
    ['only another delivery was written', [frame(0, B), sync(LOG)]],
    ['the transaction has no end', [frame(0, A, false), sync(LOG)]],
  ])('are reported if %s', (_, lines) => {
    const judgment = judgmentOf(request(3, A), ...lines, response(3))
    expect(judgment).toMatchObject({ acknowledged: 1, synced: 0, uncommitted: 1 })
    expect(judgment.problems).toEqual([`${A}: 200 without a commit in the log`])
  })

  it('are reported if the trace does not show what they answer', () => {
    expect(judgmentOf(response(3)).problems).toEqual(['an unknown payment: 200 without a commit in the log'])
  })

  it('need no second sync after the page was written again', () => {
    const judgment = judgmentOf(request(3, A), frame(0, A), sync(LOG), frame(1, `${A} ${B}`), response(3))
    expect(judgment.synced).toBe(1)
  })
})
