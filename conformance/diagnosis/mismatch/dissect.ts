import type { Hmac } from './explain.ts'
import { type Bytes, toHex, utf8 } from './form.ts'
import { CORRECT } from './signing.ts'

/** The reference receiver refuses headers with more of them. */
export const MOST_SIGNATURES = 16

/** One part of a signature header between commas. */
interface Entry {
  readonly label: string
  readonly value: string
  /** What a verifier does with it, or what is wrong with it. */
  readonly meaning: string
  readonly valid: boolean
}

/** How a receiver verifies one delivery, step by step (SPEC.md 2 to 4). */
export interface Dissection {
  readonly entries: readonly Entry[]
  /** `t`, in Unix seconds; undefined if there is not exactly one valid `t`. */
  readonly signedAt: number | undefined
  /** How old the signature is, in seconds; negative if it is from the future. */
  readonly ageSeconds: number | undefined
  /** What is signed: `t`, a dot and the body; undefined without a valid `t`. */
  readonly signed: Bytes | undefined
  /** The signature that the secret gives, in hexadecimal. */
  readonly expected: string | undefined
  /** The values of `v1` that the header has. */
  readonly received: readonly string[]
  readonly matches: boolean
  /** Whether `t` is outside the time window. */
  readonly isLate: boolean
  /** Why a receiver refuses the delivery, and with which status; undefined if it accepts it. */
  readonly refusal: { readonly status: 400 | 401; readonly reason: string } | undefined
}

/**
 * Verifies a delivery and keeps every intermediate result.
 * @param nowSeconds the time of the verification, in Unix seconds
 * @param toleranceSeconds how far `t` may be from it
 */
export async function dissect(
  { header, body, secret }: { header: string; body: Bytes; secret: string },
  { hmac, nowSeconds, toleranceSeconds = 300 }: { hmac: Hmac; nowSeconds: number; toleranceSeconds?: number },
): Promise<Dissection> {
  const pairs = header.split(',').map((part) => [part.split('=', 1)[0] ?? '', part] as const)
  const valuesOf = (wanted: string) =>
    pairs.flatMap(([label, part]) => (label === wanted && part !== label ? part.slice(label.length + 1) : []))
  const times = valuesOf('t')
  const received = valuesOf('v1')
  const [t] = times.length === 1 && /^\d{1,12}$/.test(times[0] ?? '') ? times : []
  const signed = t === undefined ? undefined : CORRECT(t, body)
  const expected = signed === undefined ? undefined : toHex(await hmac('SHA-256', utf8(secret), signed))
  const matches = expected !== undefined && received.includes(expected)
  const ageSeconds = t === undefined ? undefined : nowSeconds - Number(t)
  return {
    entries: header === '' ? [] : pairs.map(([label, part]) => entryOf(label, part, times.length)),
    signedAt: t === undefined ? undefined : Number(t),
    ageSeconds,
    signed,
    expected,
    received,
    matches,
    isLate: ageSeconds !== undefined && Math.abs(ageSeconds) > toleranceSeconds,
    refusal: refusalOf({ header, times, t, received, ageSeconds, toleranceSeconds, matches }),
  }
}

function entryOf(label: string, part: string, timesCount: number): Entry {
  const value = part.slice(label.length + 1)
  const entry = (valid: boolean, meaning: string) => ({ label, value, valid, meaning })
  if (part === label) return entry(false, 'no label and equals sign: it is ignored')
  if (label === 't') {
    if (timesCount > 1) return entry(false, 'there must be one t')
    if (!/^\d{1,12}$/.test(value)) return entry(false, 't must be Unix seconds, in digits')
    return entry(true, 'when it was signed, in Unix seconds')
  }
  if (label === 'v1') {
    return /^[\da-f]{64}$/.test(value)
      ? entry(true, 'a signature')
      : entry(false, 'a signature has 64 lowercase hexadecimal digits')
  }
  const known = ['t', 'v1'].includes(label.trim())
  return known
    ? entry(false, 'spaces are part of the label: remove them')
    : entry(true, 'an unknown label: it is ignored')
}

function refusalOf(found: {
  header: string
  times: readonly string[]
  t: string | undefined
  received: readonly string[]
  ageSeconds: number | undefined
  toleranceSeconds: number
  matches: boolean
}): Dissection['refusal'] {
  const { header, times, t, received, ageSeconds = 0, toleranceSeconds, matches } = found
  const refuse = (status: 400 | 401, reason: string) => ({ status, reason })
  if (header === '') return refuse(400, 'the header is missing or empty')
  if (times.length !== 1)
    return refuse(400, `the header has ${times.length === 0 ? 'no' : 'more than one'} t`)
  if (t === undefined) return refuse(400, 't is not a number of Unix seconds')
  if (received.every((value) => value === '')) return refuse(400, 'the header has no v1')
  if (received.length > MOST_SIGNATURES) return refuse(400, `the header has more than ${MOST_SIGNATURES} v1`)
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    const when = ageSeconds > 0 ? `${ageSeconds} s old` : `${-ageSeconds} s in the future`
    const besides = matches ? '' : '; nor is any v1 the expected signature'
    return refuse(400, `t is ${when}, and at most ${toleranceSeconds} s are allowed${besides}`)
  }
  return matches ? undefined : refuse(401, 'no v1 is the expected signature')
}
