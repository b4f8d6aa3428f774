import { describe, expect, it } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { inChunks } from '../../../conformance/diagnosis/investigate/alternatives.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { CAUSES, causeOf } from './causes.ts'
import { ALL_MISTAKES, SERVICES } from './grading.ts'
import { mutantOf } from './mistakes.ts'
import { correct, SECRETS, type Service, type Steps, serving } from './receiver.ts'
import { VARIANTS } from './variants.ts'

/** At least this share of the causes that can be named is named. */
const NAMED = 0.85

const graded = (service: Service, steps: Steps): Promise<ConformanceReport> =>
  serving(service, steps, (url, observe) =>
    check({
      url,
      observe,
      service,
      secret: SECRETS[service],
      seed: 'services',
      ackWithinMs: 2_000,
      waitMs: 600,
    }),
  )
const codesIn = ({ causes = [] }: ConformanceReport): string[] => causes.map(({ code }) => code)

describe.each(SERVICES)('the causes of receivers of %s', (service) => {
  it('are named for what they get wrong, and none is wrong', { timeout: 900_000 }, async () => {
    const mutants = Object.entries(ALL_MISTAKES).flatMap(([name, mistake]) => {
      const steps = mutantOf(service, mistake)
      // A receiver that is slow on purpose takes half a minute, and has no cause.
      return steps === undefined || steps.delayMs > 0 ? [] : [{ name, steps }]
    })
    const found = await inChunks(mutants, async ({ name, steps }) => {
      const report = await graded(service, steps)
      const expected = report.counts.failed > 0 ? causeOf(name, service) : undefined
      return { name, expected, named: codesIn(report) }
    })
    const wrong = found.filter(({ expected, named }) => named.some((code) => code !== expected))
    const due = found.filter(({ expected }) => expected !== undefined)
    const missed = due.filter(({ named }) => named.length === 0).map(({ name }) => name)
    const right = due.length - missed.length
    process.stderr.write(
      `${service}: ${right} of ${due.length} causes named, of ${found.length} mistakes; missed: ${missed.join(', ') || 'none'}
`,
    )
    expect(wrong).toEqual([])
    expect(right / due.length).toBeGreaterThanOrEqual(NAMED)
  })

  it('are not named for correct ones', { timeout: 300_000 }, async () => {
    const right = correct(service)
    const receivers = [right, ...Object.values(VARIANTS).map((change) => ({ ...right, ...change(right) }))]
    const reports = await inChunks(receivers, (steps) => graded(service, steps))
    expect(reports.flatMap(codesIn)).toEqual([])
  })
})

it('are stated for mistakes that exist', () => {
  expect(Object.keys(CAUSES).filter((name) => !Object.hasOwn(ALL_MISTAKES, name))).toEqual([])
})
