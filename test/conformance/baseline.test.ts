import { describe, expect, it } from 'vitest'
import { compare, parseBaseline, update } from '../../conformance/baseline.ts'
import type { ConformanceReport } from '../../schemas/types.ts'

const FUTURE = 'time-window/a-year-ahead'
const EMPTY_KEY = 'refusals/empty-key'
const PUT = 'transport/method-put'
const TODAY = '2026-11-21'

/** Just what a comparison looks at. */
function reportOf(outcomes: Readonly<Record<string, string>>): ConformanceReport {
  const verdicts = Object.entries(outcomes).map(([id, outcome]) => ({ case: id, outcome }))
  return { verdicts } as unknown as ConformanceReport
}

describe('a report held against a baseline', () => {
  it.each([
    [
      'a failure that it names is known',
      { [FUTURE]: 'failed' },
      { [FUTURE]: {} },
      { known: [{ case: FUTURE, reason: 'known' }] },
    ],
    ['a failure that it does not list is new', { [FUTURE]: 'failed' }, {}, { new: [FUTURE] }],
    ['an entry that passes is stale', { [FUTURE]: 'passed' }, { [FUTURE]: {} }, { stale: [FUTURE] }],
    ['an entry that was not run is neither', { [PUT]: 'passed' }, { [FUTURE]: {} }, {}],
    ['an entry that could not be tested is neither', { [FUTURE]: 'untested' }, { [FUTURE]: {} }, {}],
    ['advice is no failure', { [PUT]: 'warning' }, {}, {}],
    [
      'its last day still counts',
      { [FUTURE]: 'failed' },
      { [FUTURE]: { expires: TODAY } },
      { known: [{ case: FUTURE, reason: 'known' }] },
    ],
    [
      'the day after it is expired',
      { [FUTURE]: 'failed' },
      { [FUTURE]: { expires: '2026-11-20' } },
      { expired: [FUTURE] },
    ],
    [
      'an expired entry that passes is stale',
      { [FUTURE]: 'passed' },
      { [FUTURE]: { expires: '2026-11-20' } },
      { stale: [FUTURE] },
    ],
  ])('%s', (_, outcomes, entries, expected) => {
    const failures = Object.fromEntries(
      Object.entries<{ expires?: string }>(entries).map(([id, entry]) => [id, { reason: 'known', ...entry }]),
    )
    const none = { known: [], new: [], stale: [], expired: [] }
    expect(compare(reportOf(outcomes), { failures }, TODAY)).toEqual({ ...none, ...expected })
  })

  it('is brought up to date: reasons stay, what is mended goes, what was not run stays', () => {
    const failures = {
      [FUTURE]: { reason: 'the library', expires: TODAY },
      [EMPTY_KEY]: { reason: 'x' },
      [PUT]: { reason: 'y' },
    }
    const next = update(reportOf({ [FUTURE]: 'failed', [EMPTY_KEY]: 'passed', 'events/partial': 'failed' }), {
      failures,
    })
    expect(next.failures).toEqual({
      'events/partial': { reason: 'Not looked into yet.' },
      [FUTURE]: { reason: 'the library', expires: TODAY },
      [PUT]: { reason: 'y' },
    })
  })
})

describe('a baseline file', () => {
  it.each([
    ['is not JSON', '{', /is not JSON/],
    ['has another shape', '{"failures":[]}', /failures/],
    ['has an entry without a reason', `{"failures":{"${FUTURE}":{}}}`, /reason/],
    ['has a day that is none', `{"failures":{"${FUTURE}":{"reason":"x","expires":"soon"}}}`, /expires/],
    [
      'names no case',
      '{"failures":{"time-window/nope":{"reason":"x"}}}',
      /"time-window\/nope", which is no case/,
    ],
  ])('that %s is refused with one line', async (_, text, message) => {
    await expect(parseBaseline(text, 'known.json')).rejects.toThrow(message)
    await expect(parseBaseline(text, 'known.json')).rejects.toThrow(/^the baseline known\.json [^\n]+$/)
  })
})
