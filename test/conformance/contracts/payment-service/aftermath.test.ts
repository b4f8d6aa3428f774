import { describe, expect, it } from 'vitest'
import {
  acceptedAfterwards,
  acceptedMeanwhile,
} from '../../../../conformance/contracts/webhook/expectations/aftermath.ts'
import type { Evidence, Exchange, WireError } from '../../../../conformance/contracts/webhook/model.ts'
import { wireText } from '../../../../conformance/report/words/failures.ts'
import { delivered, worded } from '../../report/evidence.ts'

type Received = number | WireError['code'] | 'silence'

const exchange = (
  role: 'context' | 'probe',
  received: Received,
  change?: string,
  retryAfter = false,
): Exchange => {
  const delivery = { ...delivered({}), role, change }
  if (received === 'silence') return { delivery, answer: undefined, error: undefined, unanswered: true }
  if (typeof received === 'string') return { delivery, answer: undefined, error: { code: received } }
  const headers = retryAfter ? ([['Retry-After', '5']] as const) : []
  const answer = { status: received, headers, body: Buffer.alloc(0), truncated: false, ms: 1 }
  return { delivery, answer, error: undefined }
}
const evidence = (...exchanges: Exchange[]): Evidence => ({
  exchanges,
  effects: () => [],
  secrets: [],
  ackWithinMs: 1000,
})
/** What was received for the requests a, b, c and so on, then for the valid delivery. */
const after = (requests: readonly Received[], valid?: Received, retryAfter = false) =>
  worded(
    acceptedAfterwards.check(
      evidence(
        ...requests.map((received, n) => exchange('context', received, 'abc'[n])),
        ...(valid === undefined ? [] : [exchange('probe', valid, undefined, retryAfter)]),
      ),
    ),
  )

describe('a valid delivery after unusual requests', () => {
  it('may be accepted after any response, or none', () => {
    expect(after([200, 500, 'reset'], 200)).toBeUndefined()
    expect(after(['silence', 'timeout', 'garbled'], 200)).toBeUndefined()
  })

  it.each<[string, readonly Received[], number | WireError['code'], string]>([
    ['that ended the receiver', [400, 'reset', 'refused'], 'refused', 'b'],
    ['that ended it after others without a response', ['reset', 'reset', 'refused'], 'refused', 'b'],
    ['that ended it last', [400, 400, 'reset'], 'refused', 'c'],
    ['that blocked it', [400, 'silence', 'silence'], 'timeout', 'b'],
    ['that ended it behind a proxy', [400, 502, 502], 502, 'b'],
    ['any of those that it handled', [400, 404, 200], 500, 'a; or b; or c'],
  ])('names the request %s', (_, requests, valid, name) => {
    const outcome =
      typeof valid === 'number' ? `status ${valid}` : `no response: ${wireText({ code: valid })}`
    expect(after(requests, valid)).toMatchObject({
      problem: `${outcome} (a valid delivery after ${name})`,
      exchanges: [{ delivery: { role: 'probe' } }],
    })
  })

  it('that could not be sent, because the receiver is gone, is a problem', () => {
    expect(after([400, 'reset'])).toMatchObject({ problem: expect.stringContaining('follow b: the') })
    expect(after([400, 400])).toBeUndefined()
  })

  it.each<[Received, boolean]>([
    [403, false],
    [429, false],
    [503, true],
  ])('proves nothing when the receiver turns the client away with %s', (status, retryAfter) => {
    expect(after([400, 400], status, retryAfter)).toMatchObject({ untested: expect.any(String) })
  })

  it('proves nothing when the receiver was gone before', () => {
    expect(after(['refused', 'refused'], 'refused')).toMatchObject({ untested: expect.any(String) })
  })
})

describe('a valid delivery while bodies are held', () => {
  const meanwhile = (held: Received, valid: Received) =>
    worded(acceptedMeanwhile.check(evidence(exchange('context', held), exchange('probe', valid))))

  it('may be accepted, and must not wait for the others', () => {
    expect(meanwhile('silence', 200)).toBeUndefined()
    expect(meanwhile('silence', 'timeout')).toMatchObject({
      problem: 'no response: no response arrived in time',
    })
  })

  it.each<[Received, Received]>([
    ['silence', 503],
    ['silence', 'reset'],
    ['silence', 'refused'],
    ['reset', 'timeout'],
    ['refused', 'refused'],
  ])('proves nothing where connections may be limited: %s, then %s', (held, valid) => {
    expect(meanwhile(held, valid)).toMatchObject({ untested: expect.any(String) })
  })

  it.each<Received>([400, 401, 500, 502])(
    'does not speak of limits where status %s may have another reason',
    (status) => {
      expect(meanwhile('silence', status)).toEqual({
        untested: `status ${status} while others were open: that may have another reason`,
      })
    },
  )

  it('speaks of limits where the server has no capacity', () => {
    expect(meanwhile('silence', 503)).toEqual({
      untested: 'status 503 while others were open: the receiver may limit connections',
    })
  })
})
