import type { Effect } from '../../../../schemas/types.ts'
import type { Observation } from '../model.ts'

/**
 * What is wrong with the effects of a payment.
 *
 * @param effects oldest first
 * @param allowed the outcomes that are right, such as `fulfilled, then reversed`, or `nothing`
 */
export function observedIn(effects: readonly Effect[], allowed: readonly string[]): Observation {
  const count = (wanted: Effect['effect']) => effects.filter(({ effect }) => effect === wanted).length
  const [fulfilled, reversed] = [count('fulfilled'), count('reversed')]
  const mayFulfill = allowed.some((outcome) => outcome.includes('fulfilled'))
  const mayReverse = allowed.some((outcome) => outcome.includes('reversed'))
  if (fulfilled > 0 && !mayFulfill) return mayReverse ? 'fulfilled-after-refund' : 'fulfilled-not-due'
  if (reversed > 0 && !mayReverse) return 'reversed-not-due'
  if (fulfilled > 1) return 'fulfilled-again'
  if (reversed > 1) return 'reversed-again'
  if (fulfilled === 0) return 'not-fulfilled'
  return reversed === 0 ? 'not-reversed' : 'fulfilled-after-refund'
}
