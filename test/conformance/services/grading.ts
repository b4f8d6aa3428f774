import { check } from '../../../conformance/check.ts'
import { SERVICE_NAMES } from '../../../conformance/contracts/service-names.ts'
import { requireService } from '../../../conformance/contracts/services.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { EFFECTS } from './effects.ts'
import { MISTAKES, mutantOf } from './mistakes.ts'
import { SECRETS, type Service, type Steps, serving } from './receiver.ts'

/** Shorter than any service waits, so that a slow receiver shows soon. */
const ACK_WITHIN_MS = 1_000
/** How long nothing may change before what is absent counts as such, so that a lossy receiver shows soon. */
const WAIT_MS = 600

/** The services that have receivers with mistakes: all but the payment service, whose are in test/mutants. */
export const SERVICES = SERVICE_NAMES.filter((name): name is Service => name !== 'payment-service')

/**
 * Grades a receiver of a service.
 * @param only globs of cases; all by default
 */
export const graded = (
  service: Service,
  steps: Steps,
  only: readonly string[] = [],
): Promise<ConformanceReport> =>
  serving(service, steps, (url, observe) =>
    check({
      url,
      observe,
      service,
      secret: SECRETS[service],
      only,
      seed: 'services',
      ackWithinMs: ACK_WITHIN_MS,
      waitMs: WAIT_MS,
    }),
  )

/** What receivers get wrong, in their answers and in their effects. */
export const ALL_MISTAKES = { ...MISTAKES, ...EFFECTS }

/** The mistakes that are one in a service, each with those of its cases that the service has. */
export function mutantsOf(service: Service): { name: string; steps: Steps; only: string[] }[] {
  const ids = new Set(requireService(service).cases.map(({ id }) => id))
  return Object.entries(ALL_MISTAKES).flatMap(([name, mistake]) => {
    const steps = mutantOf(service, mistake)
    return steps === undefined ? [] : [{ name, steps, only: mistake.fails.filter((id) => ids.has(id)) }]
  })
}

/** The cases that a report shows as failed or as a warning. */
export const foundIn = ({ verdicts }: ConformanceReport): string[] =>
  verdicts.filter(({ outcome }) => outcome === 'failed' || outcome === 'warning').map(({ case: id }) => id)
