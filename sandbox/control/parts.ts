import type { PaymentAction } from '../../schemas/types.ts'
import { addAmounts, compareAmounts } from '../domain/amounts.ts'
import { BadAction } from '../domain/errors.ts'
import type { Payment } from '../model.ts'

const AMOUNT = /^(\d+)(?:\.(\d+))?$/

/**
 * Fills in the defaults of a step `pay_part`: half of the remaining amount, by the method of earlier parts.
 * @param requested the requested amount_received afterwards, if any
 * @throws BadAction if at least that amount was received already
 */
export function completePart(
  step: PaymentAction,
  payment: Payment,
  requested: string | undefined,
): PaymentAction {
  if (step.type !== 'pay_part') return step
  const received = payment.amountReceived ?? '0'
  const method = step.method ?? (payment.status === 'partial' ? (payment.method ?? 'crypto') : 'crypto')
  if (step.amount !== undefined) return { ...step, method }
  if (requested === undefined) return { ...step, method, amount: halfOf(minus(payment.amount, received)) }
  // The schema of the action reports what is wrong with it.
  if (!AMOUNT.test(requested)) return { ...step, method, amount: requested }
  if (payment.amountReceived !== null && compareAmounts(requested, received) <= 0) {
    throw new BadAction(`${received} was already received: amount_received must be greater than that.`)
  }
  return { ...step, method, amount: minus(requested, received) }
}

/** a - b for a >= b, with as many decimals as the more precise of the two. */
function minus(a: string, b: string): string {
  if (compareAmounts(b, '0') === 0) return a
  const [left, right] = [addAmounts(a, zeroLike(b)), addAmounts(b, zeroLike(a))]
  const decimals = decimalsOf(left)
  return textOf(unitsOf(left) - unitsOf(right), decimals)
}

/** Half of an amount, with one more decimal only if necessary. */
function halfOf(amount: string): string {
  const units = unitsOf(amount)
  const decimals = decimalsOf(amount)
  return units % 2n === 0n ? textOf(units / 2n, decimals) : textOf(units * 5n, decimals + 1)
}

const decimalsOf = (amount: string): number => AMOUNT.exec(amount)?.[2]?.length ?? 0

const unitsOf = (amount: string): bigint => BigInt(amount.replace('.', ''))

/** Zero with the same number of decimals. */
const zeroLike = (amount: string): string => amount.replaceAll(/\d/g, '0').replace(/^0+(?=0)/, '')

function textOf(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
