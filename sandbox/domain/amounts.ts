/** A decimal string such as `25.00` that matches the schema's pattern: no sign, no exponent. Interface 2.2, amount. */
export type Amount = string

/** Negative if a is less than b, 0 if their values are equal, positive if a is greater. */
export function compareAmounts(a: Amount, b: Amount): number {
  const [left, right] = aligned(a, b)
  return left < right ? -1 : Number(left > right)
}

/** The sum, with as many decimals as the more precise of the two. */
export function addAmounts(a: Amount, b: Amount): Amount {
  const [left, right, decimals] = aligned(a, b)
  return textOf(left + right, decimals)
}

/** The difference `a - b`, which must not be negative, with the decimals of the one that has more of them. */
export function subtractAmounts(a: Amount, b: Amount): Amount {
  const [left, right, decimals] = aligned(a, b)
  return textOf(left - right, decimals)
}

/** Half of an amount, with one more decimal only if necessary. */
export function halfOf(amount: Amount): Amount {
  const [units, decimals] = scaled(amount)
  return units % 2n === 0n ? textOf(units / 2n, decimals) : textOf(units * 5n, decimals + 1)
}

/** Pads an amount to the decimals of another: `20` next to `25.00` is `20.00`. It never removes decimals. */
export function inDecimalsOf(model: Amount, amount: Amount): Amount {
  const [[, wanted], [, had]] = [scaled(model), scaled(amount)]
  return wanted <= had ? amount : addAmounts(amount, `0.${'0'.repeat(wanted)}`)
}

/** An amount in whole units of its last decimal place, so that nothing is rounded. */
function scaled(amount: Amount): [units: bigint, decimals: number] {
  const [whole = '0', fraction = ''] = amount.split('.')
  return [BigInt(whole + fraction), fraction.length]
}

function aligned(a: Amount, b: Amount): [left: bigint, right: bigint, decimals: number] {
  const [[left, leftDecimals], [right, rightDecimals]] = [scaled(a), scaled(b)]
  const decimals = Math.max(leftDecimals, rightDecimals)
  const widened = (units: bigint, had: number) => units * 10n ** BigInt(decimals - had)
  return [widened(left, leftDecimals), widened(right, rightDecimals), decimals]
}

function textOf(units: bigint, decimals: number): Amount {
  const digits = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
