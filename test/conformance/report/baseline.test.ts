import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { compareBaseline, parseBaseline, updatedBaseline } from '../../../conformance/report/baseline.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'

const FUTURE = 'time-window/a-year-ahead'
const EMPTY_KEY = 'refusals/empty-key'
const PUT = 'transport/method-put'
const TODAY = '2026-11-21'

/** Only what a comparison reads. */
function reportOf(outcomes: Readonly<Record<string, string>>, level?: 'MUST'): ConformanceReport {
  const verdicts = Object.entries(outcomes).map(([id, outcome]) => ({ case: id, outcome, level }))
  return { verdicts } as unknown as ConformanceReport
}

describe('a report compared with a baseline', () => {
  it.each([
    [
      'a listed failure is known',
      { [FUTURE]: 'failed' },
      { [FUTURE]: {} },
      { known: [{ case: FUTURE, reason: 'known' }] },
    ],
    ['a failure that is not listed is new', { [FUTURE]: 'failed' }, {}, { new: [FUTURE] }],
    ['an entry whose case passes is stale', { [FUTURE]: 'passed' }, { [FUTURE]: {} }, { stale: [FUTURE] }],
    ['an entry whose case was not run is neither', { [PUT]: 'passed' }, { [FUTURE]: {} }, {}],
    ['an entry whose case could not be tested is neither', { [FUTURE]: 'untested' }, { [FUTURE]: {} }, {}],
    ['a warning is not a failure', { [PUT]: 'warning' }, {}, {}],
    [
      'an entry is valid on its expiry date',
      { [FUTURE]: 'failed' },
      { [FUTURE]: { expires: TODAY } },
      { known: [{ case: FUTURE, reason: 'known' }] },
    ],
    [
      'an entry is expired on the day after',
      { [FUTURE]: 'failed' },
      { [FUTURE]: { expires: '2026-11-20' } },
      { expired: [FUTURE] },
    ],
    [
      'an expired entry whose case passes is stale',
      { [FUTURE]: 'passed' },
      { [FUTURE]: { expires: '2026-11-20' } },
      { stale: [FUTURE] },
    ],
  ])('%s', (_, outcomes, entries, expected) => {
    const failures = Object.fromEntries(
      Object.entries<{ expires?: string }>(entries).map(([id, entry]) => [id, { reason: 'known', ...entry }]),
    )
    const none = { known: [], new: [], stale: [], expired: [], inconclusive: [], undecided: [] }
    expect(compareBaseline(reportOf(outcomes), { failures }, TODAY)).toEqual({ ...none, ...expected })
  })

  it.each([
    ['listed, beside a known failure', [EMPTY_KEY], 'failed', { inconclusive: [EMPTY_KEY] }],
    ['listed, but nothing that is known fails', [EMPTY_KEY], 'passed', { undecided: [EMPTY_KEY] }],
    ['not listed', [], 'failed', { undecided: [EMPTY_KEY] }],
  ])('a MUST that is inconclusive and %s', (_, inconclusive, outcome, expected) => {
    const report = reportOf({ [FUTURE]: outcome, [EMPTY_KEY]: 'inconclusive' }, 'MUST')
    const baseline = { failures: { [FUTURE]: { reason: 'known' } }, inconclusive }
    expect(compareBaseline(report, baseline, TODAY)).toMatchObject({
      inconclusive: [],
      undecided: [],
      ...expected,
    })
  })

  it('never accepts a MUST that was not tested', () => {
    const report = reportOf({ [FUTURE]: 'failed', [EMPTY_KEY]: 'untested' }, 'MUST')
    const baseline = { failures: { [FUTURE]: { reason: 'known' } }, inconclusive: [EMPTY_KEY] }
    expect(compareBaseline(report, baseline, TODAY)).toMatchObject({
      inconclusive: [],
      undecided: [EMPTY_KEY],
    })
  })

  it('is updated with what its failures leave inconclusive, and without what has a result again', () => {
    const report = reportOf({ [FUTURE]: 'failed', [EMPTY_KEY]: 'inconclusive', [PUT]: 'passed' }, 'MUST')
    expect(updatedBaseline(report, { failures: {}, inconclusive: [PUT] })).toEqual({
      failures: { [FUTURE]: { reason: 'Not investigated yet.' } },
      inconclusive: [EMPTY_KEY],
    })
  })

  it('is updated: reasons stay, fixed failures go, cases that were not run stay', () => {
    const failures = {
      [FUTURE]: { reason: 'the library', expires: TODAY },
      [EMPTY_KEY]: { reason: 'x' },
      [PUT]: { reason: 'y' },
    }
    const next = updatedBaseline(
      reportOf({ [FUTURE]: 'failed', [EMPTY_KEY]: 'passed', 'events/partial': 'failed' }),
      {
        failures,
      },
    )
    expect(next.failures).toEqual({
      'events/partial': { reason: 'Not investigated yet.' },
      [FUTURE]: { reason: 'the library', expires: TODAY },
      [PUT]: { reason: 'y' },
    })
  })
})

describe('a baseline file', () => {
  it.each([
    ['is not JSON', '{', /is not valid JSON/],
    ['has another shape', '{"failures":[]}', /failures/],
    ['has an entry without a reason', `{"failures":{"${FUTURE}":{}}}`, /reason/],
    [
      'has an expiry date that is not a date',
      `{"failures":{"${FUTURE}":{"reason":"x","expires":"soon"}}}`,
      /expires/,
    ],
    [
      'lists an unknown case',
      '{"failures":{"time-window/nope":{"reason":"x"}}}',
      /"time-window\/nope" is not a case; remove the entry/,
    ],
    [
      'lists an unknown inconclusive case',
      '{"failures":{},"inconclusive":["time-window/nope"]}',
      /"time-window\/nope" is not a case; remove the entry/,
    ],
  ])('that %s is rejected with a one-line error', async (_, text, message) => {
    await expect(parseBaseline(text, 'known.json', CATALOGUE)).rejects.toThrow(message)
    await expect(parseBaseline(text, 'known.json', CATALOGUE)).rejects.toThrow(/^known\.json[ :][^\n]+$/)
  })
})
