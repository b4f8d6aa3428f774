import { CATALOGUE, type CaseId } from '../../conformance/contracts/payment-service/cases/index.ts'
import { createKit, type Kit } from '../../conformance/contracts/payment-service/kit.ts'
import type { KitOptions } from '../../conformance/contracts/webhook/kit.ts'
import type { CatalogueCase } from '../../conformance/contracts/webhook/model.ts'

export const SECRET = 'whsec_of_the_conformance_tests'

/** The kit of a case with a fixed clock, for tests that need no receiver. */
export function kitOf(caseId: string, options: Partial<Omit<KitOptions, 'now'>> = {}): Kit {
  return createKit(caseId, { secret: SECRET, seed: '1', mode: 'test', ...options, now: () => NOW })
}

/** A fixed clock in Unix seconds. */
export const NOW = 1_750_000_000

/** The case with this id; a mistyped id does not compile. */
export function caseOf(id: CaseId): CatalogueCase {
  const found = CATALOGUE.find((testCase) => testCase.id === id)
  if (found === undefined) throw new Error(`no case ${id}`)
  return found
}
