import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as Cases from '../../conformance/contracts/payment-service/cases/index.ts'
import type { Delivery } from '../../conformance/contracts/webhook/delivery.ts'
import type { CatalogueCase, Expectation, Guidance, Plan } from '../../conformance/contracts/webhook/model.ts'
import type * as Guiding from '../../conformance/report/guidance.ts'
import type * as CauseWords from '../../conformance/report/words/causes/causes.ts'
import type * as RunWords from '../../conformance/report/words/causes/run.ts'
import type * as FailureWords from '../../conformance/report/words/failures.ts'
import type * as FindingWords from '../../conformance/report/words/findings.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import { MUTANTS } from '../mutants/mutants.ts'
import { settingOf } from '../mutants/proof/grade.ts'
import { smallReceiver } from './small-receiver.ts'
import { SECRET } from './support.ts'

const CASES = '../../conformance/contracts/payment-service/cases/index.ts'
const GUIDANCE = '../../conformance/report/guidance.ts'
const FAILURES = '../../conformance/report/words/failures.ts'
const CAUSES = '../../conformance/report/words/causes/causes.ts'
const RUN = '../../conformance/report/words/causes/run.ts'
const FINDINGS = '../../conformance/report/words/findings.ts'

const GUIDED: Guidance = { impact: 'impact', fix: 'fix' }

/** The same deliveries, with a code instead of what was changed; one that is sent twice stays one. */
function codedPlan(plan: Plan): Plan {
  const made = new Map<Delivery, Delivery>()
  const coded = (delivery: Delivery): Delivery => {
    if (delivery.change === undefined) return delivery
    const known = made.get(delivery) ?? { ...delivery, change: 'change' }
    made.set(delivery, known)
    return known
  }
  return plan.map((step): Plan[number] => {
    if (step.how === 'until-acknowledged') return { ...step, make: (n) => coded(step.make(n)) }
    return step.deliveries.length === 0
      ? step
      : ({ ...step, deliveries: step.deliveries.map(coded) } as Plan[number])
  })
}

function codedExpectation(expectation: Expectation): Expectation {
  return {
    ...expectation,
    check(evidence) {
      const finding = expectation.check(evidence)
      return finding !== undefined && 'guidance' in finding ? { ...finding, guidance: GUIDED } : finding
    },
  }
}

const codedCase = (testCase: CatalogueCase): CatalogueCase => ({
  ...testCase,
  ...GUIDED,
  spec: 'sentence',
  title: 'title',
  ...(testCase.open !== undefined && { open: 'open' }),
  send: (kit) => codedPlan(testCase.send(kit)),
  expect: testCase.expect.map(codedExpectation),
})

/** From here on, modules that are imported have codes instead of texts. */
function replaceTexts(): void {
  vi.resetModules()
  vi.doMock(CASES, async (actual: () => Promise<typeof Cases>) => {
    const cases = await actual()
    return { ...cases, CATALOGUE: cases.CATALOGUE.map(codedCase) }
  })
  vi.doMock(GUIDANCE, async (actual: () => Promise<typeof Guiding>) => ({
    ...(await actual()),
    guidanceFor: () => GUIDED,
  }))
  vi.doMock(CAUSES, async (actual: () => Promise<typeof CauseWords>) => ({
    ...(await actual()),
    causeText: ({ code }: { code: string }) => ({ sentence: code, fix: code }),
  }))
  vi.doMock(RUN, async (actual: () => Promise<typeof RunWords>) => ({
    ...(await actual()),
    endText: () => 'end',
  }))
  vi.doMock(FAILURES, async (actual: () => Promise<typeof FailureWords>) => ({
    ...(await actual()),
    wireText: ({ code }: { code: string }) => code,
    failureText: ({ code }: { code: string }) => code,
    unreadableText: ({ code }: { code: string }) => code,
  }))
  vi.doMock(FINDINGS, async (actual: () => Promise<typeof FindingWords>) => ({
    ...(await actual()),
    expectedText: ({ code }: { code: string }) => code,
    receivedText: ({ wrong }: { wrong: { code: string } }) => wrong.code,
    openText: ({ code }: { code: string }) => code,
    reasonText: ({ code }: { code: string }) => code,
  }))
}

afterEach(() => {
  for (const path of [CASES, GUIDANCE, CAUSES, RUN, FAILURES, FINDINGS]) vi.doUnmock(path)
  vi.resetModules()
})

/** Grades a mutant by the modules as they are imported now. */
async function grade(name: string, only: readonly string[]): Promise<ConformanceReport> {
  const mutant = MUTANTS[name]
  if (mutant === undefined) throw new Error(`there is no mutant "${name}"`)
  const { url, effects } = await smallReceiver(settingOf(mutant))
  const { check } = await import('../../conformance/check.ts')
  return check({ url, observe: effects, secret: SECRET, only, waitMs: 200, seed: 'texts' })
}

/** All that a report decides, without a text. */
const decided = ({ conclusion, counts, causes = [], verdicts }: ConformanceReport) => ({
  conclusion,
  counts,
  causes: causes.map(({ code, cases }) => ({ code, cases })),
  verdicts: verdicts.map(({ case: id, level, outcome, severity, problems, reason }) => ({
    id,
    level,
    outcome,
    severity,
    problems: problems.length,
    hasReason: reason !== null,
  })),
})

const MISTAKES: readonly (readonly [mutant: string, only: readonly string[]])[] = [
  ['re-serializes the body', ['body-bytes', 'refusals/another-secret']],
  ['panics at a signature of another length', ['signature-header/v1-*', 'refusals/another-secret']],
  ['has another secret', ['signature-header/absent', 'refusals/another-secret', 'time-window']],
  ['verifies nothing', ['refusals/*secret*', 'signature-header/v1-t*', 'time-window']],
  ['swaps 400 and 401', ['signature-header/absent', 'refusals/another-secret', 'time-window']],
  [
    'recognizes a redelivery by the payment alone',
    ['duplicates/*-in-turn', 'duplicates/*-after-completion', 'effects/completion-after-*'],
  ],
  [
    'credits partial payments',
    ['effects/*-is-not-credited', 'effects/completed-is-fulfilled', 'effects/completion-*'],
  ],
]

describe('no code reads a text: with a code instead of each, verdicts and causes stay the same', () => {
  it.each(MISTAKES)('%s', async (name, only) => {
    const worded = await grade(name, only)
    replaceTexts()
    const coded = await grade(name, only)

    expect(decided(coded)).toEqual(decided(worded))
    expect(coded.causes?.map(({ sentence, fix }) => [sentence, fix])).toEqual(
      coded.causes?.map(({ code }) => [code, code]),
    )
    for (const { spec, impact, fix, problems, reason, exchanges } of coded.verdicts) {
      expect({ sentence: spec.sentence, impact, fix }).toEqual({ sentence: 'sentence', ...GUIDED })
      for (const { expected, received } of problems) expect(`${expected} ${received}`).toMatch(/^\w+ \w+$/)
      expect(reason ?? '').toMatch(/^\w*$/)
      for (const { delivery } of exchanges) expect(delivery.change ?? 'change').toBe('change')
    }
  })

  it('an observation that cannot be read, and no response', async () => {
    const run = async () => {
      const { url } = await smallReceiver()
      let looks = 0
      const observe = () => ((looks += 1) === 1 ? [] : [{ amount: 25 }])
      const { check } = await import('../../conformance/check.ts')
      const only = ['effects/completed-*', 'robustness/*']
      // As a JavaScript caller may pass it.
      return check({ url, observe: observe as never, secret: SECRET, only, waitMs: 200, seed: 'texts' })
    }
    const worded = await run()
    replaceTexts()
    const coded = await run()

    expect(decided(coded)).toEqual(decided(worded))
    expect(coded.causes?.map(({ code }) => code)).toEqual(['effects_unreadable'])
    for (const { exchanges } of coded.verdicts)
      for (const { error } of exchanges) expect(error ?? 'none').toMatch(/^\w+$|^aborted as planned$/)
  })
})
