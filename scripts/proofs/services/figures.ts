import { requireService } from '../../../conformance/contracts/services.ts'
import { causeOf } from '../../../test/conformance/services/causes.ts'
import { mutantsOf, SERVICES, SIMPLEST } from '../../../test/conformance/services/grading.ts'
import type { Service } from '../../../test/conformance/services/receiver.ts'
import type { Graded, Job } from './job.ts'
import type { Result } from './matrix.ts'
import type { Killed } from './page.ts'

/** What the runs of a service have shown. */
export interface Figures {
  readonly service: Service
  /** By mistake, the cases that found it. */
  readonly killed: Readonly<Record<string, readonly string[]>>
  readonly mutants: number
  readonly variants: number
  /** How many reports should name a cause, and how many name the right one. */
  readonly causes: { readonly due: number; readonly named: number }
  /** What does not hold, one line each. */
  readonly problems: readonly string[]
}

/** The cases that a grading shows as failed or as a warning. */
const foundIn = ({ outcomes }: Graded): string[] =>
  [...outcomes].filter(([, outcome]) => outcome === 'failed' || outcome === 'warning').map(([id]) => id)

/** A result as the file of the results has it. */
export const summaryOf = ({ job, graded }: Result) => ({
  ...job,
  notPassed: Object.fromEntries([...graded.outcomes].filter(([, outcome]) => outcome !== 'passed')),
  causes: graded.causes,
})

/** The cause that the report has to name: one where more than warnings follow from the mistake. */
const expectedIn = ({ job: { name, service }, graded }: Result) =>
  [...graded.outcomes.values()].includes('failed') ? causeOf(name, service) : undefined

/** Whether a mutant was not found as it was before, or its cause not named: so far it may only be missed. */
export function isMissed(result: Result, recorded: Killed): boolean {
  const { job, graded } = result
  if (job.kind === 'variant') return false
  if (job.kind === 'mutant')
    return foundIn(graded).length === 0 || (expectedIn(result) !== undefined && graded.causes.length === 0)
  return String(foundIn(graded)) !== String(recorded[job.service]?.[job.name])
}

/**
 * Evaluates the runs of each service.
 * @param recorded the cases that found the mistakes before, for those that were not graded now
 */
export const figuresOf = (results: readonly Result[], recorded: Killed, isQuick: boolean): Figures[] =>
  SERVICES.map((service) => figuresOfService(service, results, recorded[service], isQuick))

function figuresOfService(
  service: Service,
  all: readonly Result[],
  recorded: Killed[string] = {},
  isQuick: boolean,
): Figures {
  const of = (kind: Job['kind']) => all.filter(({ job }) => job.service === service && job.kind === kind)
  const [narrowed, entire, variants] = [of('its-cases'), of('mutant'), of('variant')]
  const found = new Map(narrowed.map(({ job: { name }, graded }) => [name, foundIn(graded)]))
  const known = mutantsOf(service)
  const killed = Object.fromEntries(
    known.map(({ name }) => [name, found.get(name) ?? (isQuick ? (recorded[name] ?? []) : [])]),
  )
  const failed = new Set(Object.values(killed).flat())
  const due = entire.filter((result) => expectedIn(result) !== undefined)
  const unnamed = due.filter(({ graded }) => graded.causes.length === 0)
  const problems = [
    ...known
      .filter(({ only }) => only.length === 0)
      .map(({ name }) => `no case is made for one that ${name}`),
    ...known
      .filter(({ name }) => killed[name]?.length === 0)
      .map(({ name }) => `not found by its cases: one that ${name}`),
    ...entire
      .filter(({ graded }) => foundIn(graded).length === 0)
      .map(({ job }) => `not found by all cases: one that ${job.name}`),
    ...requireService(service)
      .cases.filter(({ id, level }) => level === 'MUST' && !failed.has(id))
      .map(({ id }) => `no mistake fails the MUST case ${id}`),
    ...variants.flatMap(({ job, graded }) => falseFailures(graded, job.name)),
    ...[...entire, ...variants].flatMap((result) => {
      const expected = result.job.kind === 'variant' ? undefined : expectedIn(result)
      const wrong = result.graded.causes.filter((code) => code !== expected)
      return wrong.map((code) => `wrong cause of one that ${result.job.name}: ${code}, not ${expected}`)
    }),
    ...unnamed.map(({ job }) => `no cause is named of one that ${job.name}`),
  ]
  return {
    service,
    killed,
    mutants: narrowed.length,
    variants: variants.length,
    causes: { due: due.length, named: due.length - unnamed.length },
    problems: problems.map((problem) => `${service}: ${problem}`),
  }
}

/** What a correct receiver fails; the simplest one has to pass everything. */
const falseFailures = ({ outcomes }: Graded, name: string): string[] =>
  [...outcomes]
    .filter(([, outcome]) => outcome === 'failed' || (name === SIMPLEST && outcome !== 'passed'))
    .map(([id, outcome]) => `false failure of one that ${name}: ${id} ${outcome}`)
