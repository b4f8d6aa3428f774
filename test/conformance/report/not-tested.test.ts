import { expect, it } from 'vitest'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { observingUrl } from '../../../conformance/report/package.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import type { ConformanceReport, ReportExcluded } from '../../../schemas/types.ts'
import { madeFailure, madeReport, madeVerdict } from './made.ts'

const excluded = (code: ReportExcluded['code'], reason: string, count: number): ReportExcluded[] =>
  Array.from({ length: count }, (_, n) => ({ case: `effects/${code}-${n}`, code, reason }))
const OF_EFFECTS = excluded('full_profile', 'needs the full profile', 120)
const OF_LIVE = excluded('live_mode', 'needs live mode', 2)
const OF_LATER = excluded('redeliver_after', 'needs a time after which to deliver again', 1)
const OF_TEST = excluded('test_mode', 'needs test mode', 1)

const linesOf = (about: Partial<ConformanceReport>, verdict = madeVerdict()) =>
  renderTerminal(madeReport([verdict], about)).split('\n')

it.each<[string, Partial<ConformanceReport>, string]>([
  [
    'the core profile',
    { profile: 'core', excluded: [...OF_EFFECTS, ...OF_LIVE] },
    'Not tested: side effects such as double fulfillment (120 cases: add --observe <url>), live mode (2 cases: --mode live), crashes (hookproof crash).',
  ],
  [
    'the full profile',
    { excluded: [...OF_LATER, ...OF_LIVE] },
    'Not tested: what arrives after a longer time (1 case: --redeliver-after <seconds>), live mode (2 cases: --mode live), crashes (hookproof crash).',
  ],
  [
    'live mode',
    { mode: 'live', excluded: OF_TEST },
    'Not tested: test mode (1 case: --mode test), crashes (hookproof crash).',
  ],
  ['every case', {}, 'Not tested: crashes (hookproof crash).'],
  [
    'the core profile for another service',
    { service: 'stripe', profile: 'core', excluded: OF_EFFECTS },
    `Not tested: what happens after the answer, such as whether a redelivery is handled again (120 cases: add --observe <url>, see ${observingUrl()}), crashes.`,
  ],
  ['every case of another service', { service: 'stripe' }, 'Not tested: crashes.'],
])('a conformant run of %s says in one line what it has not tested', (_, about, line) => {
  const lines = linesOf(about)
  expect(lines).toContain(line)
  expect(lines.join('\n')).not.toContain('Skipped')
})

it('every format says it', () => {
  const report = madeReport([madeVerdict()], { excluded: OF_LIVE })
  for (const text of [renderMarkdown(report), renderHtml(report)])
    expect(text.replaceAll(/&#?\w+;|<[^>]*>/g, '')).toMatch(
      /Not tested:? live mode \(?2 cases:? --mode live\)?, crashes/,
    )
})

it('keeps what entered the contract later apart', () => {
  const lines = linesOf({
    excluded: [...OF_LIVE, ...excluded('later_version', 'entered the contract in version 1.1', 3)],
  })
  expect(lines).toContain('Skipped: 3 entered the contract in version 1.1.')
})

it.each<[string, string[]]>([
  ['a failed run', linesOf({ excluded: OF_LIVE }, madeFailure('refusals/x', 'security'))],
  ['a run of selected cases', linesOf({ excluded: OF_LIVE, selection: { only: ['effects'], skip: [] } })],
])('%s has other things to say, and only counts what was skipped', (_, lines) => {
  expect(lines).toContain('Skipped: 2 need live mode (--mode live).')
  expect(lines.join('\n')).not.toContain('crashes')
})

it('a run of crashes says what it does not prove in its notes', () => {
  const crash = {
    rounds: 1,
    kills: 1,
    payments: 1,
    acknowledged: 1,
    lost: 0,
    doubled: 0,
    synced: null,
    startMs: 1,
  }
  expect(linesOf({ profile: 'durable', crash }).join('\n')).not.toContain('Not tested:')
})
