import { describe, expect, it } from 'vitest'
import { diffReports, renderDiff } from '../../../conformance/report/diff.ts'
import type { ReportVerdict } from '../../../schemas/types.ts'
import { madeReport, madeVerdict } from './made.ts'

const reportOf = (outcomes: Readonly<Record<string, ReportVerdict['outcome']>>) =>
  madeReport(Object.entries(outcomes).map(([id, outcome]) => madeVerdict({ case: id, outcome })))

const older = reportOf({
  'a/kept': 'passed',
  'a/broken': 'passed',
  'a/fixed': 'failed',
  'a/better': 'warning',
  'a/lost': 'failed',
  'a/worse': 'passed',
  'a/still': 'failed',
  'a/gone': 'failed',
})
const newer = reportOf({
  'a/kept': 'passed',
  'a/broken': 'failed',
  'a/fixed': 'passed',
  'a/better': 'passed',
  'a/lost': 'untested',
  'a/worse': 'warning',
  'a/still': 'failed',
  'a/new': 'passed',
  'a/new-and-wrong': 'failed',
})

describe('the difference of two reports', () => {
  it('lists new failures, fixed, changed, added and removed cases', () => {
    const { failures, fixed, changed, added, removed } = diffReports(older, newer)
    const ids = (changes: readonly { case: string }[]) => changes.map((change) => change.case)
    expect(ids(failures)).toEqual(['a/broken', 'a/new-and-wrong'])
    expect(ids(fixed)).toEqual(['a/fixed', 'a/better'])
    // A case that failed and is no longer tested is not fixed.
    expect(ids(changed)).toEqual(['a/lost', 'a/worse'])
    expect(ids(added)).toEqual(['a/new', 'a/new-and-wrong'])
    expect(ids(removed)).toEqual(['a/gone'])
  })

  it('prints both outcomes of a case', () => {
    const text = renderDiff(older, newer)
    expect(text).toContain('New failures: 2\n')
    expect(text).toMatch(/^ {2}a\/broken +passed -> failed$/m)
    expect(text).toMatch(/^ {2}a\/gone +failed before$/m)
    expect(text).toMatch(/^Not conformant, grade F -> Not conformant, grade C$/m)
    expect(text).not.toContain('a/kept')
    expect(text).not.toContain('a/still')
  })

  it('is empty for a report and itself', () => {
    expect(renderDiff(newer, newer)).toContain('No outcome changed.')
    expect(Object.values(diffReports(newer, newer)).flat()).toEqual([])
  })

  it('notes a different profile or mode', () => {
    expect(renderDiff(older, { ...newer, profile: 'core' })).toContain(
      'Different runs: full profile in test mode, then core profile in test mode.',
    )
    expect(renderDiff(older, newer)).not.toContain('Different runs')
  })
})
