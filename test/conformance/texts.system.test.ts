import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { paymentService } from '../../conformance/contracts/payment-service/index.ts'
import { requireService } from '../../conformance/contracts/services.ts'
import type { WebhookContract } from '../../conformance/contracts/webhook/contract.ts'
import type { Delivery } from '../../conformance/contracts/webhook/delivery.ts'
import type { CatalogueCase, Expectation, Guidance, Plan } from '../../conformance/contracts/webhook/model.ts'
import type * as Guiding from '../../conformance/report/guidance.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import { MUTANTS } from '../mutants/mutants.ts'
import { settingOf } from '../mutants/proof/grade.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { mutantNamed } from './services/grading.ts'
import { SECRETS, type Service, serving } from './services/receiver.ts'
import { smallReceiver } from './small-receiver.ts'
import { SECRET } from './support.ts'

const WORDS = join(import.meta.dirname, '../../conformance/report/words')
const GUIDANCE = '../../conformance/report/guidance.ts'
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
  ...(testCase.contract !== undefined && { contract: { name: 'name', source: 'source' } }),
  ...(testCase.open !== undefined && { open: 'open' }),
  send: (kit) => codedPlan(testCase.send(kit)),
  expect: testCase.expect.map(codedExpectation),
})

/** The same contract with codes instead of its texts. */
function codedContract<C extends WebhookContract>(contract: C): C {
  return {
    ...contract,
    select(options) {
      const { cases, excluded } = contract.select(options)
      return { cases: cases.map(codedCase), excluded }
    },
  }
}

/** The value with a code instead of each text in it. */
function coded(value: unknown, code: string): unknown {
  if (typeof value === 'string') return code
  if (typeof value === 'function') return (...args: unknown[]) => coded(value(...args), codeOf(args) ?? code)
  if (value instanceof Promise) return value.then((settled) => coded(settled, code))
  if (Array.isArray(value)) return value.map((one) => coded(one, code))
  if (value === null || typeof value !== 'object' || value instanceof Error) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, coded(one, code)]))
}

/** The code of the data that a text is made of. */
const codeOf = ([data]: readonly unknown[]): string | undefined =>
  typeof data === 'object' && data !== null && 'code' in data ? String(data.code) : undefined

const modules = readdirSync(WORDS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(WORDS, name))

/** From here on, modules that are imported have codes instead of texts. */
function replaceTexts(): void {
  vi.resetModules()
  for (const path of modules) {
    vi.doMock(path, async (actual: () => Promise<object>) => coded({ ...(await actual()) }, 'text') as object)
  }
  vi.doMock(GUIDANCE, async (actual: () => Promise<typeof Guiding>) => ({
    ...(await actual()),
    guidanceFor: () => GUIDED,
  }))
}

afterEach(() => {
  for (const path of [GUIDANCE, ...modules]) vi.doUnmock(path)
  vi.resetModules()
})

/** All that a report decides, without a text. */
const decided = ({ profile, conclusion, counts, causes = [], excluded, verdicts }: ConformanceReport) => ({
  conclusion,
  counts,
  causes: causes.map(({ code, cases }) => ({ code, cases })),
  excluded: excluded.map(({ case: id, code }) => ({ id, code })),
  verdicts: verdicts.map(({ case: id, level, outcome, severity, problems, reason }) => ({
    id,
    level,
    outcome,
    severity,
    // How many payments a crash has hit is left to chance.
    problems: problems.length > 0 && profile === 'durable' ? 'some' : problems.length,
    hasReason: reason !== null,
  })),
})

/** Grades the same receiver with texts and with codes, and compares what was decided. @returns the report with codes */
async function graded(run: (isCoded: boolean) => Promise<ConformanceReport>): Promise<ConformanceReport> {
  const worded = await run(false)
  replaceTexts()
  const report = await run(true)

  expect(decided(report)).toEqual(decided(worded))
  expect(report.causes?.map(({ sentence, fix }) => [sentence, fix])).toEqual(
    report.causes?.map(({ code }) => [code, code]),
  )
  for (const { spec, impact, fix, problems, reason, exchanges } of report.verdicts) {
    expect({ sentence: spec.sentence, impact, fix }).toEqual({ sentence: 'sentence', ...GUIDED })
    for (const { expected, received } of problems) expect(`${expected} ${received}`).toMatch(/^\w+ \w+$/)
    expect(reason ?? '').toMatch(/^\w*$/)
    for (const { delivery, error } of exchanges) {
      // What a run of crashes sends is no part of a case.
      if (report.profile !== 'durable') expect(delivery.change ?? 'change').toBe('change')
      expect(error ?? 'none').toMatch(/^\w+$|^aborted as planned$/)
    }
  }
  return report
}

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
    await graded(async (isCoded) => {
      const mutant = MUTANTS[name]
      if (mutant === undefined) throw new Error(`there is no mutant "${name}"`)
      const { url, effects } = await smallReceiver(settingOf(mutant))
      const { check } = await import('../../conformance/check.ts')
      const contract = isCoded ? codedContract(paymentService) : paymentService
      return check({ url, observe: effects, secret: SECRET, only, waitMs: 200, seed: 'texts' }, contract)
    })
  })

  it('an observation that cannot be read, and no response', async () => {
    const { causes } = await graded(async (isCoded) => {
      const { url } = await smallReceiver()
      let looks = 0
      const observe = () => ((looks += 1) === 1 ? [] : [{ amount: 25 }])
      const { check } = await import('../../conformance/check.ts')
      const only = ['effects/completed-*', 'robustness/*']
      const contract = isCoded ? codedContract(paymentService) : paymentService
      // As a JavaScript caller may pass it.
      const options = { url, observe: observe as never, secret: SECRET, only, waitMs: 200, seed: 'texts' }
      return check(options, contract)
    })
    expect(causes?.map(({ code }) => code)).toEqual(['effects_unreadable'])
  })

  it.each<[Service, string]>([
    ['stripe', 'verifies nothing'],
    ['stripe', 'does not sign the time'],
    ['standard-webhooks', 'has the secret as text'],
    ['github', 'has no secret'],
    ['slack', 'reads another header'],
  ])('a receiver of %s that %s', async (service, name) => {
    const { create } = mutantNamed(service, name)
    await graded((isCoded) =>
      serving(service, create(), async (url, observe) => {
        const { check } = await import('../../conformance/check.ts')
        const contract = requireService(service)
        const options = { url, observe, secret: SECRETS[service], waitMs: 600, seed: 'texts' }
        return check(options, isCoded ? codedContract(contract) : contract)
      }),
    )
  })

  it.each(['no-recovery', 'ignores-the-second-secret'])(
    'a receiver under crashes: %s',
    async (behavior) => {
      await graded(async (isCoded) => {
        const { crash } = await import('../../conformance/crash/crash.ts')
        const url = `http://127.0.0.1:${await freePort()}`
        const options = {
          url: `${url}/webhooks`,
          observe: `${url}/effects`,
          secret: SECRET,
          start: 'exec node test/crash/receiver.mjs',
          env: { ...process.env, BEHAVIOR: behavior, STORE: temporaryFolder() },
          rotateEnv: { HOOKPROOF_SECRET: '{new} {old}' },
          rounds: 2,
          recoverWithinMs: 1_500,
          seed: 'texts',
        }
        const crashCases = paymentService.crashCases.map(codedCase)
        return crash(options, isCoded ? { ...paymentService, crashCases } : paymentService)
      })
    },
    60_000,
  )
})
