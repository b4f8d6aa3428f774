/** A `v1` value that is not a valid signature. */
export const FORGED = '0'.repeat(64)

/** A time that is outside of every window. */
export const LONG_AGO = 1_000_000_000

/** Added to the impact of a case whose signature no attacker can make. */
export const SECRET_HOLDER_ONLY =
  'Only the holder of the secret can sign such a delivery, so nobody else can use this.'

const UNITS = { s: 1n, ms: 1_000n, µs: 1_000_000n, ns: 1_000_000_000n }
const BITS = [31n, 32n, 53n, 63n, 64n]
/** A smaller difference is nearly inside the window. */
const LEAST_SECONDS = 1_000n

/** By how many seconds a time differs from another that is the same number in a type of so many bits, in each unit. */
export const OVERFLOWS: readonly (readonly [name: string, seconds: bigint])[] = Object.entries(UNITS).flatMap(
  ([unit, perSecond]) =>
    BITS.map((bits) => [`2^${bits} ${unit}`, (2n ** bits + perSecond / 2n) / perSecond] as const).filter(
      ([, seconds]) => seconds >= LEAST_SECONDS,
    ),
)

export const missingEntry = {
  impact: 'Anyone on the internet can report a payment that was never made, without a signature.',
  fix: 'Check for both entries first, and answer 400 when one of them is missing.',
}
export const partialComparison = {
  impact: 'An attacker can forge a delivery, because a signature that is only partly correct is accepted.',
  fix: 'Compare all 64 digits in constant time, and refuse any other length.',
}
export const serverError = { impact: 'The sender sees a server error and keeps retrying the delivery.' }
