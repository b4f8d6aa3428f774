import type { Scheme } from '../../contracts/webhook/scheme.ts'
import { type Bytes, toBase64, toHex } from '../mistakes/form.ts'
import { keyBytes } from '../mistakes/secrets.ts'
import { signedBy } from '../mistakes/signed-texts.ts'
import { isTimed, secondsIn } from '../verifier.ts'
import type { Hmac } from './explain.ts'
import type { Stamped } from './header.ts'

/** How far the signed time may be from the verification, unless a caller says otherwise. */
const USUAL_TOLERANCE_SECONDS = 300

/** One part of a signature header, or another header with what is signed. */
interface Entry {
  /** The part as the header has it, or the header line. */
  readonly text: string
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
  | 'id'
  | 'empty'

/** Why a receiver refuses a delivery. */
export type RefusalReason =
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
      /** A header is missing or empty that states the id or the time. */
      readonly code: 'no_stamp'
      readonly name: string
    }
  | {
      readonly code: 'outside_window'
      readonly ageSeconds: number
      readonly toleranceSeconds: number
      /** Whether a `v1` is the expected signature. */
      readonly matches: boolean
    }

/** How a receiver verifies one delivery, step by step. */
export interface Dissection {
  readonly entries: readonly Entry[]
  /** When it was signed, in Unix seconds; undefined if there is not exactly one valid time. */
  readonly signedAt: number | undefined
  /** How old the signature is, in seconds; negative if it is from the future. */
  readonly ageSeconds: number | undefined
  /** What is signed; undefined if the scheme signs a time and there is no valid one. */
  readonly signed: Bytes | undefined
  /** The signature that the secret gives, as the header has it without its label. */
  readonly expected: string | undefined
  /** The signatures that the header has. */
  readonly received: readonly string[]
  readonly matches: boolean
  /** Whether the time is outside the time window. */
  readonly isLate: boolean
  /** Why a receiver refuses the delivery, and with which status that of SPEC.md does; undefined if it accepts it. */
  readonly refusal: { readonly status: 400 | 401; readonly reason: RefusalReason } | undefined
}

/**
 * Verifies a delivery and keeps every intermediate result.
 * @param nowSeconds the time of the verification, in Unix seconds
 * @param toleranceSeconds how far the signed time may be from it
 */
export async function dissect(
  given: Stamped & { readonly body: Bytes; readonly secret: string },
  {
    hmac,
    nowSeconds,
    toleranceSeconds = USUAL_TOLERANCE_SECONDS,
  }: { hmac: Hmac; nowSeconds: number; toleranceSeconds?: number },
): Promise<Dissection> {
  const { header, body, secret, scheme, id } = given
  const hasTime = isTimed(scheme)
  const parts = header.split(scheme.header.separator)
  const times = hasTime ? timesIn(given, scheme) : []
  const received = after(scheme.header.label, parts)
  const [t] = times.filter((time) => times.length === 1 && isSeconds(time))
  const signed = hasTime && t === undefined ? undefined : signedBy(scheme.signed, t ?? '', body, id)
  const mac = signed && (await hmac('SHA-256', keyBytes(scheme.key, secret), signed))
  const expected = mac && (scheme.digest === 'hex' ? toHex(mac) : toBase64(mac))
  const matches = expected !== undefined && received.includes(expected)
  const ageSeconds = t === undefined ? undefined : nowSeconds - Number(t)
  return {
    entries: [
      ...stampEntries(given, scheme),
      ...(header === '' ? [] : parts.map((part) => entryOf(part, scheme, times.length))),
    ],
    signedAt: t === undefined ? undefined : Number(t),
    ageSeconds,
    signed,
    expected,
    received,
    matches,
    isLate: ageSeconds !== undefined && Math.abs(ageSeconds) > toleranceSeconds,
    refusal: refusalOf({ given, scheme, times, t, received, ageSeconds, toleranceSeconds, matches }),
  }
}

const isSeconds = (t: string) => secondsIn(t) !== undefined

/** The values of the entries with a label. */
const after = (label: string, parts: readonly string[]) =>
  parts.flatMap((part) => (part.startsWith(label) && part !== '' ? part.slice(label.length) : []))

/** What the headers state as the time of the signature: none, one or several. */
function timesIn({ header, time }: Stamped, scheme: Scheme): string[] {
  const { time: label, separator } = scheme.header
  if (label !== undefined) return after(label, header.split(separator))
  return time === undefined || time === '' ? [] : [time]
}

/** The headers beside the signature, with what a verifier makes of them. */
function stampEntries({ id, time }: Stamped, { stamps }: Scheme): Entry[] {
  const entry = (name: string | undefined, value: string | undefined, meaning: Meaning): Entry[] => {
    if (name === undefined) return []
    const text = `${name}: ${value ?? ''}`
    if (value === undefined || value === '') return [{ text, valid: false, meaning: 'empty' }]
    return [{ text, valid: meaning !== 't_no_seconds', meaning }]
  }
  return [
    ...entry(stamps?.id, id, 'id'),
    ...entry(stamps?.time, time, isSeconds(time ?? '') ? 't' : 't_no_seconds'),
  ]
}

/** A label without the sign after it: `v1` of `v1=`. */
const nameOf = (label: string) => label.replace(/\W+$/, '')

function entryOf(text: string, { header, digest }: Scheme, timesCount: number): Entry {
  const entry = (valid: boolean, meaning: Meaning): Entry => ({ text, valid, meaning })
  if (header.time !== undefined && text.startsWith(header.time)) {
    if (timesCount > 1) return entry(false, 'one_of_several_t')
    return isSeconds(text.slice(header.time.length)) ? entry(true, 't') : entry(false, 't_no_seconds')
  }
  if (text.startsWith(header.label)) {
    const isSignature = FORMS[digest].test(text.slice(header.label.length))
    return isSignature ? entry(true, 'v1') : entry(false, 'v1_no_signature')
  }
  const sign = header.label.at(-1) ?? ''
  const [label = '', ...rest] = text.split(sign)
  if (rest.length === 0) return entry(false, 'no_label')
  const known = [header.label, header.time ?? header.label].map(nameOf)
  return known.includes(label.trim()) ? entry(false, 'label_with_spaces') : entry(true, 'unknown_label')
}

const FORMS = { hex: /^[\da-f]{64}$/, base64: /^[A-Za-z\d+/]{43}=$/ } as const

function refusalOf(found: {
  given: Stamped
  scheme: Scheme
  times: readonly string[]
  t: string | undefined
  received: readonly string[]
  ageSeconds: number | undefined
  toleranceSeconds: number
  matches: boolean
}): Dissection['refusal'] {
  const { given, scheme, times, t, received, ageSeconds = 0, toleranceSeconds, matches } = found
  const refuse = (reason: RefusalReason) => ({ status: 400, reason }) as const
  if (given.header === '') return refuse({ code: 'no_header' })
  const missing = missingStamp(given, scheme)
  if (missing !== undefined) return refuse({ code: 'no_stamp', name: missing })
  if (scheme.signed.includes('time')) {
    if (times.length !== 1) return refuse({ code: times.length === 0 ? 'no_t' : 'several_t' })
    if (t === undefined) return refuse({ code: 't_no_seconds' })
  }
  if (received.every((value) => value === '')) return refuse({ code: 'no_v1' })
  if (received.length > (scheme.header.most ?? Number.POSITIVE_INFINITY))
    return refuse({ code: 'too_many_v1' })
  if (Math.abs(ageSeconds) > toleranceSeconds)
    return refuse({ code: 'outside_window', ageSeconds, toleranceSeconds, matches })
  return matches ? undefined : { status: 401, reason: { code: 'no_match' } }
}

/** The name of a header that is missing or empty, beside that of the signature. */
function missingStamp({ id, time }: Stamped, { stamps }: Scheme): string | undefined {
  if (stamps === undefined) return undefined
  const isMissing = (value: string | undefined) => value === undefined || value === ''
  if (stamps.id !== undefined && isMissing(id)) return stamps.id
  return stamps.time !== undefined && isMissing(time) ? stamps.time : undefined
}
