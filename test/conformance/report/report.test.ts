import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckOptions, check } from '../../../conformance/check.ts'
import { CATALOGUE, SECTIONS } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { renderJson } from '../../../conformance/report/json.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { validate } from '../../../schemas/validate.ts'
import { LONG_CASES } from '../../support/long-cases.ts'
import { type Setting, smallReceiver } from '../small-receiver.ts'
import { SECRET } from '../support.ts'
import { grade, some, wrong } from './graded.ts'
import { parseXml } from './xml.ts'

/** A few cases that reveal a failure of each severity. */
const few = ['refusals/empty-*', 'transport/posted-*', ...some.filter((id) => id.includes('/'))]

/** All but the first cases of each section, and `few`: a report has each case in the same way. */
const SKIPPED = [
  ...LONG_CASES,
  ...CATALOGUE.filter(({ id, section }) => {
    const first = CATALOGUE.filter((one) => one.section === section).slice(0, 2)
    return !first.some((one) => one.id === id) && !few.includes(id)
  }).map(({ id }) => id),
]

/** One report, shared by all tests that only read it. */
let graded: ConformanceReport
let stop: () => void | Promise<void>
beforeAll(async () => {
  graded = await grade({ ...wrong, finished: (clear) => (stop = clear) }, { skip: SKIPPED })
})
afterAll(() => stop())

describe('a report is valid under its schema', () => {
  it.concurrent.for<[string, Setting, Partial<CheckOptions>]>([
    ['of a conformant receiver', {}, { only: ['transport', 'effects/*-is-*'] }],
    [
      'of a receiver that accepts nothing',
      { behavior: { keys: () => ['whsec_another'] } },
      { profile: 'core', only: few },
    ],
    [
      'of a receiver that drops connections',
      { behavior: { status: () => 0 } },
      { profile: 'core', only: few },
    ],
    ['of a receiver with a wrong clock', { aheadSeconds: 500 }, { only: few }],
    ['in live mode', {}, { mode: 'live', only: [...few, 'events/*refund*'] }],
    ['of selected cases', {}, { only: ['duplicates/delivered-*'], skip: ['duplicates/*-at-once'] }],
    ['of a receiver started for the run', wrong, { started: true, only: ['refusals/empty-key'] }],
  ])('%s', async ([, setting, options], { onTestFinished: finished }) => {
    const report = await grade({ ...setting, finished }, options)
    expect(validate('report', JSON.parse(renderJson(report)))).toEqual([])
  })

  it('of a run without an observer', async () => {
    const { url } = await smallReceiver()
    const report = await check({ url, secret: SECRET, profile: 'full', only: ['effects'] })
    expect(validate('report', JSON.parse(renderJson(report)))).toEqual([])
    expect(report.counts).toMatchObject({ untested: report.verdicts.length, passed: 0 })
  })

  it('of a wrong receiver, and counts the verdicts that it lists', () => {
    expect(validate('report', JSON.parse(renderJson(graded)))).toEqual([])
    for (const outcome of ['passed', 'failed', 'warning', 'untested'] as const)
      expect(graded.verdicts.filter((verdict) => verdict.outcome === outcome)).toHaveLength(
        graded.counts[outcome],
      )
    expect(graded.selection).toEqual({ only: [], skip: SKIPPED })
  })
})

describe('JUnit', () => {
  it('has a suite for each section, and the numbers of the report', () => {
    const { name, attributes, children } = parseXml(renderJunit(graded))

    expect(name).toBe('testsuites')
    expect(attributes).toMatchObject({
      tests: String(graded.verdicts.length),
      failures: String(graded.counts.failed),
      skipped: String(graded.counts.untested),
      errors: '0',
    })
    expect(children.map((suite) => suite.attributes['name'])).toEqual(SECTIONS.map(({ id }) => id))
    for (const suite of children) {
      const own = graded.verdicts.filter(({ section }) => section === suite.attributes['name'])
      expect(suite.children.map((test) => test.attributes['name'])).toEqual(own.map(({ case: id }) => id))
      const failures = suite.children.filter((test) =>
        test.children.some((child) => child.name === 'failure'),
      )
      expect(failures.map((test) => test.attributes['name'])).toEqual(
        own.filter(({ outcome }) => outcome === 'failed').map(({ case: id }) => id),
      )
    }
  })

  it('marks a MUST that was not tested as an error, with the reason', async () => {
    const { url } = await smallReceiver()
    const report = await check({ url, secret: SECRET, profile: 'full', only: ['effects/refund-reverses'] })
    const [test] = parseXml(renderJunit(report)).children[0]?.children ?? []
    expect(test?.children.map(({ name }) => name)).toEqual(['error'])
    expect(test?.children[0]?.attributes['message']).toContain('no observe URL or command was given')
  })

  it('stays well-formed XML whatever text it contains', async () => {
    const report = await grade(wrong, { only: ['refusals/another-secret'] })
    const odd = '\u0000\b\u001b[31m ]]> <b a="1"> &amp; & \' \uFFFE \uD800 é 🎁 \r\n'
    const [verdict] = report.verdicts
    if (verdict === undefined) throw new Error('no verdict')
    const hostile: ConformanceReport = {
      ...report,
      verdicts: [
        { ...verdict, problems: [{ expected: odd, received: odd }], impact: odd, fix: odd, reproduce: odd },
        { ...verdict, case: 'refusals/other', outcome: 'untested', reason: odd },
      ],
    }
    const [suite] = parseXml(renderJunit(hostile)).children
    const [failure, out] = suite?.children[0]?.children ?? []
    expect(failure?.attributes['message']).toContain(']]> <b a="1"> &amp; & \'')
    expect(out?.text).toContain('<b a="1"> &amp; & \'')
    expect(out?.text).toContain('é 🎁')
  })
})
