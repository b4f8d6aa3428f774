import type { ConformanceReport } from '../../../schemas/types.ts'
import { graded, mutantNamed, variantsOf } from '../../../test/conformance/services/grading.ts'
import type { Service } from '../../../test/conformance/services/receiver.ts'

/** One grading of one receiver. */
export interface Job {
  readonly service: Service
  readonly name: string
  /** A mutant against all cases, or those that are made for its mistake; or a correct receiver against all. */
  readonly kind: 'mutant' | 'its-cases' | 'variant'
}

/** What a grading has shown. */
export interface Graded {
  readonly outcomes: ReadonlyMap<string, ConformanceReport['verdicts'][number]['outcome']>
  /** The codes of the causes that the report names. */
  readonly causes: readonly string[]
}

/** In milliseconds. The effects of a mutant may never appear, and a busy machine delays a correct receiver. */
const LIMITS = {
  mutant: { ackWithinMs: 2_000, waitMs: 600 },
  'its-cases': { ackWithinMs: 1_000, waitMs: 600 },
  variant: { ackWithinMs: 10_000, waitMs: 3_000 },
}

/** Makes a receiver and grades it. */
export async function perform({ service, name, kind }: Job): Promise<Graded> {
  const { create, only } =
    kind === 'variant' ? { create: variantNamed(service, name), only: [] } : mutantNamed(service, name)
  const report = await graded(service, create(), kind === 'its-cases' ? only : [], LIMITS[kind])
  return {
    outcomes: new Map(report.verdicts.map(({ case: id, outcome }) => [id, outcome])),
    causes: (report.causes ?? []).map(({ code }) => code),
  }
}

function variantNamed(service: Service, name: string) {
  const variant = variantsOf(service).find((one) => one.name === name)
  if (variant === undefined) throw new Error(`there is no correct receiver "${name}"`)
  return variant.create
}
