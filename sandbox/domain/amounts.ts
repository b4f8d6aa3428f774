/** A decimal string such as `25.00` that matches the schema's pattern: no sign, no exponent. Interface 2.2, amount. */
export type Amount = string

/** An amount in whole units of its last decimal place, so that nothing is rounded. */
interface Scaled {
  units: bigint
  decimals: number
}

/** Negative if a is less than b, 0 if their values are equal, positive if a is greater. */
export function compareAmounts(a: Amount, b: Amount): number {
  const [left, right] = aligned(a, b)
  return left.units < right.units ? -1 : Number(left.units > right.units)
}

/** The sum, with as many decimals as the more precise of the two. */
export function addAmounts(a: Amount, b: Amount): Amount {
  const [left, right] = aligned(a, b)
  return textOf({ units: left.units + right.units, decimals: left.decimals })
}

/** Pads an amount to the decimals of another: `20` next to `25.00` is `20.00`. It never removes decimals. */
export function inDecimalsOf(model: Amount, amount: Amount): Amount {
  const [wanted, had] = [scaled(model).decimals, scaled(amount)]
  return wanted <= had.decimals ? amount : addAmounts(amount, `0.${'0'.repeat(wanted)}`)
}

const scaled = (amount: Amount): Scaled => {
  const [whole = '0', fraction = ''] = amount.split('.')
  return { units: BigInt(whole + fraction), decimals: fraction.length }
}

function aligned(a: Amount, b: Amount): [Scaled, Scaled] {
  const [left, right] = [scaled(a), scaled(b)]
  const decimals = Math.max(left.decimals, right.decimals)
  const widened = ({ units, decimals: had }: Scaled): Scaled => ({
    units: units * 10n ** BigInt(decimals - had),
    decimals,
  })
  return [widened(left), widened(right)]
}

function textOf({ units, decimals }: Scaled): Amount {
  const digits = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The difference `a - b`, which must not be negative, with the decimals of the one that has more of them. */
export function subtractAmounts(a: Amount, b: Amount): Amount {
  const [left, right] = aligned(a, b)
  return textOf({ units: left.units - right.units, decimals: left.decimals })
}

/** Half of an amount, with one more decimal only if necessary. */
export function halfOf(amount: Amount): Amount {
  const { units, decimals } = scaled(amount)
  return units % 2n === 0n
    ? textOf({ units: units / 2n, decimals })
    : textOf({ units: units * 5n, decimals: decimals + 1 })
}
