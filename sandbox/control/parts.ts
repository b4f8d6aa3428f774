import type { PaymentAction } from '../../schemas/types.ts'
import { addAmounts, compareAmounts } from '../domain/amounts.ts'
import { BadAction } from '../domain/errors.ts'
import type { Payment } from '../model.ts'

const AMOUNT = /^(\d+)(?:\.(\d+))?$/

/**
 * Fills in what a step `pay_part` left open: by default half of what is missing comes in, the way the rest came.
 * @param wanted what amount_received is to be afterwards, if that was asked for
 * @throws BadAction when so much, or more, has come in already
 */
export function completePart(
  step: PaymentAction,
  payment: Payment,
  wanted: string | undefined,
): PaymentAction {
  if (step.type !== 'pay_part') return step
  const had = payment.amountReceived ?? '0'
  const method = step.method ?? (payment.status === 'partial' ? (payment.method ?? 'crypto') : 'crypto')
  if (step.amount !== undefined) return { ...step, method }
  if (wanted === undefined) return { ...step, method, amount: halfOf(minus(payment.amount, had)) }
  // The action's own schema says what is wrong with it.
  if (!AMOUNT.test(wanted)) return { ...step, method, amount: wanted }
  if (payment.amountReceived !== null && compareAmounts(wanted, had) <= 0) {
    throw new BadAction(`${had} has come in already: amount_received has to be more than that.`)
  }
  return { ...step, method, amount: minus(wanted, had) }
}

/** a - b, where a is not less than b, with the decimals of the one that has more of them. */
function minus(a: string, b: string): string {
  if (compareAmounts(b, '0') === 0) return a
  const [left, right] = [addAmounts(a, zeroLike(b)), addAmounts(b, zeroLike(a))]
  const decimals = decimalsOf(left)
  return textOf(unitsOf(left) - unitsOf(right), decimals)
}

/** In whole units of the last decimal place where that goes, else of one place more. */
function halfOf(amount: string): string {
  const units = unitsOf(amount)
  const decimals = decimalsOf(amount)
  return units % 2n === 0n ? textOf(units / 2n, decimals) : textOf(units * 5n, decimals + 1)
}

const decimalsOf = (amount: string): number => AMOUNT.exec(amount)?.[2]?.length ?? 0

const unitsOf = (amount: string): bigint => BigInt(amount.replace('.', ''))

/** Nothing, with as many decimals. */
const zeroLike = (amount: string): string => amount.replaceAll(/\d/g, '0').replace(/^0+(?=0)/, '')

function textOf(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
