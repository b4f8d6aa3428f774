import { type Bytes, toHex } from '../mistakes/form.ts'
import { CORRECT, signedText, TOLERANCE_SECONDS } from '../verifier.ts'
import type { Hmac } from './explain.ts'

/** The reference receiver refuses headers with more of them. */
export const MOST_SIGNATURES = 16

/** One part of a signature header between commas. */
interface Entry {
  readonly label: string
  readonly value: string
  /** What a verifier does with it, or what is wrong with it. */
  readonly meaning: Meaning
  readonly valid: boolean
}

/** What an entry means to a verifier. */
export type Meaning =
  | 'no_label'
  | 'one_of_several_t'
  | 't_no_seconds'
  | 't'
  | 'v1'
  | 'v1_no_signature'
  | 'label_with_spaces'
  | 'unknown_label'

/** Why a receiver refuses a delivery. */
export type Reason =
  | {
      readonly code:
        | 'no_header'
        | 'no_t'
        | 'several_t'
        | 't_no_seconds'
        | 'no_v1'
        | 'too_many_v1'
        | 'no_match'
    }
  | {
      readonly code: 'outside_window'
      readonly ageSeconds: number
      readonly toleranceSeconds: number
      /** Whether a `v1` is the expected signature. */
      readonly matches: boolean
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
  readonly refusal: { readonly status: 400 | 401; readonly reason: Reason } | undefined
}

/**
 * Verifies a delivery and keeps every intermediate result.
 * @param nowSeconds the time of the verification, in Unix seconds
 * @param toleranceSeconds how far `t` may be from it
 */
export async function dissect(
  { header, body, secret }: { header: string; body: Bytes; secret: string },
  {
    hmac,
    nowSeconds,
    toleranceSeconds = TOLERANCE_SECONDS,
  }: { hmac: Hmac; nowSeconds: number; toleranceSeconds?: number },
): Promise<Dissection> {
  const pairs = header.split(',').map((part) => [part.split('=', 1)[0] ?? '', part] as const)
  const { times, signatures: received } = CORRECT.entries(header)
  const [t] = times.filter((time) => times.length === 1 && isSeconds(time))
  const signed = t === undefined ? undefined : signedText(t, body)
  const [key] = CORRECT.keys(secret)
  const expected = signed && key && toHex(await hmac('SHA-256', key, signed))
  const matches = expected !== undefined && received.some((given) => CORRECT.same(expected, given))
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

const isSeconds = (t: string) => CORRECT.seconds(t, 0) !== undefined

function entryOf(label: string, part: string, timesCount: number): Entry {
  const value = part.slice(label.length + 1)
  const entry = (valid: boolean, meaning: Meaning) => ({ label, value, valid, meaning })
  if (part === label) return entry(false, 'no_label')
  if (label === 't') {
    if (timesCount > 1) return entry(false, 'one_of_several_t')
    if (!isSeconds(value)) return entry(false, 't_no_seconds')
    return entry(true, 't')
  }
  if (label === 'v1') {
    return /^[\da-f]{64}$/.test(value) ? entry(true, 'v1') : entry(false, 'v1_no_signature')
  }
  const known = ['t', 'v1'].includes(label.trim())
  return known ? entry(false, 'label_with_spaces') : entry(true, 'unknown_label')
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
  const refuse = (reason: Reason) => ({ status: 400, reason }) as const
  if (header === '') return refuse({ code: 'no_header' })
  if (times.length !== 1) return refuse({ code: times.length === 0 ? 'no_t' : 'several_t' })
  if (t === undefined) return refuse({ code: 't_no_seconds' })
  if (received.every((value) => value === '')) return refuse({ code: 'no_v1' })
  if (received.length > MOST_SIGNATURES) return refuse({ code: 'too_many_v1' })
  if (Math.abs(ageSeconds) > toleranceSeconds)
    return refuse({ code: 'outside_window', ageSeconds, toleranceSeconds, matches })
  return matches ? undefined : { status: 401, reason: { code: 'no_match' } }
}
