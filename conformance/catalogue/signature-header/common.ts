import type { Kit } from '../../case/kit.ts'
import type { Mutation } from '../../case/mutate.ts'
import { inTurn, type Plan } from '../../case/plan.ts'

/** A signature that is none. */
export const forged = '0'.repeat(64)

/** One delivery, changed in a way that leaves it genuine. */
export const genuineWith =
  (mutation: Mutation) =>
  (kit: Kit): Plan =>
    inTurn(mutation(kit.delivery('completed'), kit))

export const missingPart = {
  impact:
    'A delivery that nobody signed is taken for a payment, or the sender is told that the server is broken.',
  fix: 'Look for both entries first and answer 400 when one is not there.',
}
export const laxHex = {
  impact: 'A signature that is only partly right is accepted, which makes guessing one feasible.',
  fix: 'Compare all 64 digits in constant time, and refuse any other length.',
}
