import { check } from '../../../conformance/check.ts'
import { SERVICE_NAMES } from '../../../conformance/contracts/service-names.ts'
import { requireService } from '../../../conformance/contracts/services.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { EFFECTS } from './effects.ts'
import { MISTAKES } from './mistakes.ts'
import { correct, SECRETS, type Service, type Steps, serving } from './receiver.ts'
import { VARIANTS } from './variants.ts'

/** How long a receiver gets, in milliseconds. */
interface Limits {
  /** Shorter than any service waits by default, so that a slow receiver shows soon. */
  readonly ackWithinMs?: number
  /** How long nothing may change before what is absent counts as such: short by default, so that a lossy receiver shows soon. */
  readonly waitMs?: number
}

/** The services that have receivers with mistakes: all but the payment service, whose are in test/mutants. */
export const SERVICES = SERVICE_NAMES.filter((name): name is Service => name !== 'payment-service')

/**
 * Grades a receiver of a service.
 * @param steps made for this grading: some receivers remember what they got
 * @param only globs of cases; all by default
 */
export const graded = (
  service: Service,
  steps: Steps,
  only: readonly string[] = [],
  { ackWithinMs = 1_000, waitMs = 600 }: Limits = {},
): Promise<ConformanceReport> =>
  serving(service, steps, (url, observe) =>
    check({
      url,
      observe,
      service,
      secret: SECRETS[service],
      only,
      seed: 'services',
      ackWithinMs,
      waitMs,
    }),
  )

/** What receivers get wrong, in their answers and in their effects. */
export const ALL_MISTAKES = { ...MISTAKES, ...EFFECTS }

/** A receiver of a service. */
export interface Subject {
  readonly name: string
  /** Makes it, for each grading again: it may remember what it gets. */
  readonly create: () => Steps
}

/** A receiver with a mistake, and the cases of its service that are made for the mistake. */
export interface Mutant extends Subject {
  readonly only: readonly string[]
}

/** Makes a receiver that differs from the simplest correct one. */
const differing = (service: Service, change: (right: Steps) => Partial<Steps>): Steps => {
  const right = correct(service)
  return { ...right, ...change(right) }
}

/** The mistakes that are one in a service. */
export function mutantsOf(service: Service): Mutant[] {
  const ids = new Set(requireService(service).cases.map(({ id }) => id))
  return Object.entries(ALL_MISTAKES)
    .filter(([, { of }]) => of?.includes(service) !== false)
    .map(([name, { steps, fails }]) => ({
      name,
      create: () => differing(service, (right) => steps(service, right)),
      only: fails.filter((id) => ids.has(id)),
    }))
}

/** The receiver of a service with the mistake of this name. */
export function mutantNamed(service: Service, name: string): Mutant {
  const mutant = mutantsOf(service).find((one) => one.name === name)
  if (mutant === undefined) throw new Error(`there is no mistake "${name}" for ${service}`)
  return mutant
}

/** The name of the simplest correct receiver, which passes every case. */
export const SIMPLEST = 'is the simplest'

/** The correct receivers of a service. */
export const variantsOf = (service: Service): Subject[] =>
  Object.entries({ [SIMPLEST]: () => ({}), ...VARIANTS }).map(([name, change]) => ({
    name,
    create: () => differing(service, change),
  }))
