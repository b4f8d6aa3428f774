import { describe, expect, it } from 'vitest'
import { requireService } from '../../../conformance/contracts/services.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { figuresOf, isMissed } from '../../../scripts/proofs/services/figures.ts'
import type { Graded, Job } from '../../../scripts/proofs/services/job.ts'
import { jobsOf, type Result } from '../../../scripts/proofs/services/matrix.ts'
import { readKilled } from '../../../scripts/proofs/services/page.ts'
import { CAUSES, causeOf } from '../../conformance/services/causes.ts'
import { ALL_MISTAKES, mutantsOf, SERVICES, SIMPLEST } from '../../conformance/services/grading.ts'

type ReportOutcome = ConformanceReport['verdicts'][number]['outcome']

const recorded = readKilled()
const all = jobsOf(false)

/** What a grading shows in which everything is as it should be. */
function right({ service, name, kind }: Job): Graded {
  const found = new Set(kind === 'variant' ? [] : recorded[service]?.[name])
  const { cases } = requireService(service)
  const outcomeOf = (id: string, level: string): ReportOutcome => {
    if (!found.has(id)) return 'passed'
    return level === 'MUST' ? 'failed' : 'warning'
  }
  const outcomes = new Map(cases.map(({ id, level }) => [id, outcomeOf(id, level)]))
  const cause = [...outcomes.values()].includes('failed') ? causeOf(name, service) : undefined
  return { outcomes, causes: kind === 'mutant' && cause !== undefined ? [cause] : [] }
}

/** The results in which one grading shows something else. */
const resultsWith = (job?: Partial<Job>, change?: (graded: Graded) => Partial<Graded>): Result[] =>
  all.map((one) => {
    const isIt =
      job !== undefined && Object.entries(job).every(([key, value]) => one[key as keyof Job] === value)
    const graded = right(one)
    return { job: one, graded: isIt ? { ...graded, ...change?.(graded) } : graded }
  })
const problemsIn = (results: readonly Result[]) =>
  figuresOf(results, recorded, false).flatMap(({ problems }) => problems)
const SERVICE = 'stripe'
const ONE = { service: SERVICE, name: 'verifies nothing' } as const

describe('the proof of the services', () => {
  it('holds if each mistake is found and each cause right, and knows the cases that found it', () => {
    const figures = figuresOf(resultsWith(), recorded, false)
    expect(figures.flatMap(({ problems }) => problems)).toEqual([])
    expect(Object.fromEntries(figures.map(({ service, killed }) => [service, killed]))).toEqual(recorded)
  })

  it('fails if a mistake is not found by its cases, or by all', () => {
    const outcomes = new Map([['signature/unsigned', 'passed'] as const])
    for (const kind of ['its-cases', 'mutant'] as const)
      expect(problemsIn(resultsWith({ ...ONE, kind }, () => ({ outcomes, causes: [] })))).toEqual([
        `stripe: not found by ${kind === 'mutant' ? 'all' : 'its'} cases: one that verifies nothing`,
      ])
  })

  it('fails if a grading has no result', () => {
    const without = resultsWith().filter(({ job }) => !(job.name === ONE.name && job.kind === 'its-cases'))
    expect(problemsIn(without)).toHaveLength(SERVICES.length)
  })

  it('fails if no mistake fails a MUST case', () => {
    const results = resultsWith().map(({ job, graded }) => ({
      job,
      graded: { ...graded, outcomes: new Map(graded.outcomes).set('transport/valid', 'passed') },
    }))
    expect(problemsIn(results)).toContain('stripe: no mistake fails the MUST case transport/valid')
  })

  it('fails if a report names a wrong cause, also beside the right one, or one for a correct receiver', () => {
    const add = ({ causes }: Graded) => ({ causes: [...causes, 'body_limit'] })
    expect(problemsIn(resultsWith({ ...ONE, kind: 'mutant' }, add))).toEqual([
      'stripe: wrong cause of one that verifies nothing: body_limit, not no_verification',
    ])
    expect(problemsIn(resultsWith({ service: SERVICE, name: 'answers 202' }, add))).toEqual([
      'stripe: wrong cause of one that answers 202: body_limit, not undefined',
    ])
  })

  it('fails if a correct receiver fails a case, or the simplest one does not pass it', () => {
    const outcome = (of: 'failed' | 'warning') => (graded: Graded) => ({
      outcomes: new Map(graded.outcomes).set('transport/valid', of),
    })
    const problems = (name: string, of: 'failed' | 'warning') =>
      problemsIn(resultsWith({ service: SERVICE, name }, outcome(of)))
    expect(problems('answers 202', 'failed')).toHaveLength(1)
    expect(problems('answers 202', 'warning')).toEqual([])
    expect(problems(SIMPLEST, 'warning')).toHaveLength(1)
  })

  it('fails if a report names no cause where there is one', () => {
    expect(problemsIn(resultsWith({ ...ONE, kind: 'mutant' }, () => ({ causes: [] })))).toEqual([
      'stripe: no cause is named of one that verifies nothing',
    ])
  })

  it('repeats alone what was found by other cases than before, or whose cause was not named, but no wrong cause', () => {
    const [mutant, its] = (['mutant', 'its-cases'] as const).map((kind) => ({ ...ONE, kind }))
    const isRepeated = (job: Job = { ...ONE, kind: 'mutant' }, change: Partial<Graded> = {}) =>
      isMissed({ job, graded: { ...right(job), ...change } }, recorded)
    expect(all.some((job) => isRepeated(job))).toBe(false)
    expect(isRepeated(its, { outcomes: new Map([['signature/unsigned', 'failed']]) })).toBe(true)
    expect(isRepeated(mutant, { causes: [] })).toBe(true)
    expect(isRepeated(mutant, { causes: ['body_limit'] })).toBe(false)
    const variant: Job = { service: SERVICE, name: 'answers 202', kind: 'variant' }
    expect(isRepeated(variant, { outcomes: new Map([['transport/valid', 'failed']]) })).toBe(false)
  })

  it('grades the simplest receiver and some mistakes of each service in a short run', () => {
    const quick = jobsOf(true)
    expect(quick.length).toBeLessThan(all.length / 8)
    for (const service of SERVICES) {
      const own = quick.filter((job) => job.service === service)
      expect(own).toContainEqual({ service, name: SIMPLEST, kind: 'variant' })
      expect(own.filter(({ kind }) => kind === 'mutant').length).toBeGreaterThan(10)
    }
  })
})

it('has a record of what finds each mistake of each service', () => {
  for (const service of SERVICES) {
    expect(Object.keys(recorded[service] ?? {})).toEqual(mutantsOf(service).map(({ name }) => name))
    expect(Object.values(recorded[service] ?? {}).filter((ids) => ids.length === 0)).toEqual([])
  }
})

it('states causes for mistakes that exist', () => {
  expect(Object.keys(CAUSES).filter((name) => !Object.hasOwn(ALL_MISTAKES, name))).toEqual([])
})
