import { describe, expect, it } from 'vitest'
import { compareRuns } from '../../../conformance/report/diff.ts'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { validate } from '../../../schemas/validate.ts'
import { answering, madeFailure, madeReport, madeVerdict } from './made.ts'
import { parseXml } from './xml.ts'

const FUTURE = 'time-window/a-year-ahead'
const PUT = 'transport/method-put'
const ok = madeVerdict({ case: PUT })
const held = madeReport([madeFailure(FUTURE, 'security'), ok], {
  baseline: {
    known: [{ case: FUTURE, reason: 'until <June>' }],
    new: ['events/partial'],
    stale: [],
    expired: ['refusals/empty-key'],
    inconclusive: [],
    undecided: [],
  },
})
const shaky = compareRuns([
  madeReport([madeVerdict({ case: FUTURE }), ok]),
  madeReport([madeFailure(FUTURE, 'security'), ok]),
])

describe('a report lists the comparison with its baseline', () => {
  it('in data that is valid under the schema', () => {
    expect(validate('report', held)).toEqual([])
    expect(validate('report', shaky)).toEqual([])
  })

  it.each([
    ['terminal', renderTerminal(held), '(until <June>)', 'Known failures (in the baseline): '],
    ['Markdown', renderMarkdown(held), '(until \\<June\\>)', 'Known failures (in the baseline): '],
    ['HTML', renderHtml(held), '(until &lt;June&gt;)', 'Known failures (in the baseline): '],
  ])('in %s', (_, rendered, reason, known) => {
    expect(rendered).toContain(reason)
    expect(rendered).toContain(known)
    expect(rendered).toContain('New failures: events/partial.')
    expect(rendered).toContain('Expired baseline entries: refusals/empty-key.')
    expect(rendered).not.toContain('no longer fail')
  })

  it('with each reason once, and not with all of very many cases', () => {
    const ids = Array.from({ length: 14 }, (_, index) => `events/${index}`)
    const [first = '', second = '', ...undecided] = ids
    const report = madeReport([madeFailure(FUTURE, 'security'), ok], {
      baseline: {
        known: [
          { case: first, reason: 'Not yet.' },
          { case: FUTURE, reason: 'Until June.' },
          { case: second, reason: 'Not yet.' },
        ],
        new: [],
        stale: [],
        expired: [],
        inconclusive: [],
        undecided,
      },
    })
    const lines = renderTerminal(report, { columns: 400 }).split('\n')
    expect(lines).toContain(
      `Known failures (in the baseline): events/0, events/1 (Not yet.), ${FUTURE} (Until June.).`,
    )
    expect(lines).toContain(
      `No result, and not in the baseline: ${undecided.slice(0, 10).join(', ')} and 2 more.`,
    )
  })

  it('in JUnit, where a known failure is skipped with its reason', () => {
    const xml = parseXml(renderJunit(held))
    const cases = xml.children.flatMap(({ children }) => children)
    const known = cases.find(({ attributes }) => attributes['name'] === FUTURE)
    expect(known?.children.map(({ name }) => name)).toContain('skipped')
    expect(renderJunit(held)).toContain('Known failure: until <June>')
    expect(renderJunit(held)).not.toContain('<failure')
  })
})

describe('a report of several runs', () => {
  it('names the verdicts that differ, in the report of the worst run', () => {
    expect(shaky.counts).toMatchObject({ failed: 1 })
    expect(shaky.runs).toEqual({ count: 2, unstable: [{ case: FUTURE, outcomes: ['passed', 'failed'] }] })
  })

  it.each([
    ['terminal', renderTerminal(shaky), '(passed, failed)'],
    ['Markdown', renderMarkdown(shaky), '(passed, failed)'],
    ['HTML', renderHtml(shaky), '(passed, failed)'],
  ])('in %s', (_, rendered, outcomes) => {
    expect(rendered).toContain('Unstable in 2 runs')
    expect(rendered).toContain(`${FUTURE} ${outcomes}`)
  })

  it('shows them in JUnit as failures, whatever the last outcome was', () => {
    const passedLast = { ...shaky, verdicts: [madeVerdict({ case: FUTURE }), ok] }
    expect(renderJunit(passedLast)).toContain('unstable: passed, failed')
  })

  it('notes that all runs agree', () => {
    const steady = compareRuns([madeReport([ok]), madeReport([ok])])
    expect(renderTerminal(steady)).toContain('2 runs agree on every verdict.')
  })

  it('leaves the report of a single run unchanged', () => {
    expect(compareRuns([held])).toBe(held)
  })
})

describe('a report of a run on a busy machine', () => {
  const busy = madeReport([ok], { stalledMs: 3_240 })

  it('is valid under the schema', () => {
    expect(validate('report', busy)).toEqual([])
  })

  it.each([
    ['terminal', renderTerminal(busy)],
    ['Markdown', renderMarkdown(busy)],
    ['HTML', renderHtml(busy)],
  ])('says so once in %s', (_, rendered) => {
    expect(
      rendered.split(
        'This machine was too busy to run hookproof or the receiver for 3.2 s in total; response times do not include that.',
      ),
    ).toHaveLength(2)
  })
})

it('a report of failures names the development server that answered', () => {
  const exchanges = [answering({ Server: 'WSGIServer/0.2 CPython/3.11.7' }, '', 500)]
  const ofDevelopment = 'The receiver runs on a development server (WSGIServer)'
  expect(renderTerminal(madeReport([madeFailure(FUTURE, 'security', { exchanges })]))).toContain(
    ofDevelopment,
  )
  expect(renderTerminal(madeReport([madeVerdict({ exchanges })]))).not.toContain(ofDevelopment)
  expect(renderTerminal(held)).not.toContain('development server')
})
