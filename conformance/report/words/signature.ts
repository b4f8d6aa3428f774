import type { Scheme } from '../../contracts/webhook/scheme.ts'
import { type Difference, differenceOf } from '../../diagnosis/mismatch/difference.ts'
import type { Meaning, RefusalReason } from '../../diagnosis/mismatch/dissect.ts'
import {
  explain,
  type Hmac,
  isDigest,
  LARGEST_BYTES,
  type Refused,
} from '../../diagnosis/mismatch/explain.ts'
import { readHeader } from '../../diagnosis/mismatch/header.ts'
import { type Bytes, type Mistake, toHex, utf8 } from '../../diagnosis/mistakes/form.ts'
import { ENTIRE, mistakeText, RAW } from './mistakes.ts'
import { labelName, type SchemeTerms, termsOf } from './scheme.ts'

/** What each entry of a header means. */
export function meaningText(meaning: Meaning, scheme: Scheme): string {
  const { time, digest } = termsOf(scheme)
  const texts: Readonly<Record<Meaning, string>> = {
    no_label: scheme.header.label.endsWith('=')
      ? 'no label and equals sign: it is ignored'
      : 'no label: it is ignored',
    one_of_several_t: `there must be one ${time}`,
    t_no_seconds: `${time} must be Unix seconds, in digits`,
    t: 'when it was signed, in Unix seconds',
    v1: 'a signature',
    v1_no_signature: `a signature has ${digest}`,
    label_with_spaces: 'spaces are part of the label: remove them',
    unknown_label: 'an unknown label: it is ignored',
    id: 'the id of the delivery, which is signed too',
    empty: 'missing or empty',
  }
  return texts[meaning]
}

/** Why a receiver refuses a delivery, as a clause. */
export function refusalText(reason: RefusalReason, scheme: Scheme): string {
  const { time, signature, isVersioned, example } = termsOf(scheme)
  if (reason.code === 'no_stamp') return `the header ${reason.name} is missing or empty`
  if (reason.code !== 'outside_window') {
    const texts: Readonly<Record<typeof reason.code, string>> = {
      no_header: 'the header is missing or empty',
      no_t: `the header has no ${time}`,
      several_t: `the header has more than one ${time}`,
      t_no_seconds: `${time} is not a number of Unix seconds`,
      no_v1: `the header has no ${isVersioned ? signature : `signature, which is written ${example}`}`,
      too_many_v1: `the header has more than ${scheme.header.most} ${signature}`,
      no_match: isVersioned
        ? `no ${signature} is the expected signature`
        : 'the signature is not the expected one',
    }
    return texts[reason.code]
  }
  const { ageSeconds, toleranceSeconds, matches } = reason
  const when = ageSeconds > 0 ? `${ageSeconds} s old` : `${-ageSeconds} s in the future`
  const other = isVersioned
    ? `nor is any ${signature} the expected signature`
    : 'nor is the signature the expected one'
  return `${time} is ${when}, and at most ${toleranceSeconds} s are allowed${matches ? '' : `; ${other}`}`
}

/** What only the program that shows the advice can say. */
export interface Hints {
  /** How to verify an old delivery, as the end of a sentence: "pass its t as --at". */
  readonly old: string
  /** How to try the secrets of other endpoints, as the end of a sentence. */
  readonly others: string
}

/** What to do about a refused delivery. */
export interface Advice {
  /** One line, which shows no secret. */
  readonly text: string
  /** Where the bytes that were signed differ from those of the body that was given; undefined if they do not, or are not known. */
  readonly difference: Difference | undefined
  /** Whether code that verifies the raw body would help. */
  readonly needsCode: boolean
  /** Whether line breaks that a text field converts may explain the refusal: nothing else does, or they are the cause. */
  readonly mayBeLineBreaks: boolean
}

/**
 * Why the signature of a refused delivery does not match, and what to do: what `hookproof verify`, the signature debugger and
 * the sandbox's console show of it.
 * @param isLate whether `t` is outside the time window
 * @param sent the body that was signed, where the program knows it
 */
export async function adviceOn(
  refused: Refused,
  { isLate, hmac, hints, sent }: { isLate: boolean; hmac: Hmac; hints: Hints; sent?: Bytes },
): Promise<Advice> {
  const { scheme } = refused
  const explanation = await explain(refused, hmac)
  const mistakes = explanation?.mistakes
  const { signed, hashed } = explanation ?? { signed: sent, hashed: refused.body }
  const difference = signed && differenceOf(signed, hashed)
  const time = timeOf(refused, isLate, hints)
  const isCrLf =
    mistakes === undefined || mistakes.length === 0 || mistakes.some(({ about }) => about === 'crlf')
  // Who knows what was signed need not hear how it was written, nor that the program that signs may be wrong.
  const isSerialized = sent !== undefined && mistakes?.length === 1 && mistakes[0]?.code === 'json_of'
  return {
    text:
      (mistakes === undefined || isSerialized) && difference !== undefined
        ? alteredText(sent, refused.body)
        : textOf(mistakes, refused, { isLate, time, hints, scheme }),
    difference,
    needsCode: difference !== undefined || (mistakes === undefined && lossOf(refused.body) !== undefined),
    mayBeLineBreaks: isCrLf && refused.body.includes(LINE_FEED),
  }
}

/** Of a body that is none of the forms that are known. */
const alteredText = (sent: Bytes | undefined, body: Bytes): string =>
  lossOf(body) ??
  (isSameJson(sent, body)
    ? `the body was parsed and serialized again. ${RAW}`
    : `the body was altered. ${RAW}`)

function isSameJson(one: Bytes | undefined, other: Bytes): boolean {
  const [a, b] = [one, other].map((bytes) => {
    try {
      return JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)))
    } catch {
      return undefined
    }
  })
  return a !== undefined && a === b
}

/** Where the bytes differ, in one sentence. */
export const differenceText = ({ at, signed, hashed }: Difference): string =>
  `They differ from byte ${at}: ${signed.bytes} bytes were signed, and these are ${hashed.bytes}.`

function textOf(
  mistakes: readonly Mistake[] | undefined,
  refused: Refused,
  {
    isLate,
    time,
    hints,
    scheme,
  }: { isLate: boolean; time: string | undefined; hints: Hints; scheme: Scheme },
): string {
  if (mistakes === undefined) {
    const why = unexplained(refused, hints)
    return time === undefined ? why : `${why} Besides, ${time}`
  }
  if (mistakes.length === 0)
    return `the signature itself matches, but ${tooMany(refused.header, scheme) ?? time ?? notSeconds(termsOf(scheme))}`
  const texts = mistakes.map((mistake) => mistakeText(mistake, scheme))
  const causes = texts.map(({ cause }) => cause).join(', and ')
  const fixes = [...new Set(texts.map(({ fix }) => fix))].join(' ')
  const why = `${causes}; once that is corrected, the signature matches. ${fixes}`
  const isSaid = mistakes.some(({ about }) => about === 'time')
  return time === undefined || (isSaid && !isLate) ? why : `${why} Besides, ${time}`
}

const LINE_FEED = 10
const notSeconds = ({ time, timeLabel }: SchemeTerms) =>
  `${time} is not in Unix seconds. Write and sign 1 to 12 digits, such as ${timeLabel}1750000000.`

/** Advice as a sentence: `t`, `v1`, headers and secrets are names, which keep their case. */
export const asSentence = (advice: string): string =>
  advice.replace(/^(?!(?:v\d|t)\b|whsec_|\w+-(?:id|timestamp)\b)./, (first) => first.toUpperCase())

/** What a verifier refuses in a header that has too many entries. */
function tooMany(given: string, { header }: Scheme): string | undefined {
  if (header.most === undefined || header.time === undefined) return undefined
  const entries = given.split(header.separator)
  const count = (label: string) => entries.filter((entry) => entry.startsWith(label)).length
  const [times, signatures] = [count(header.time), count(header.label)]
  if (times > 1)
    return `there are ${times} ${labelName(header.time)}. Send one: if two headers are joined, pass only one.`
  return signatures > header.most
    ? `there are ${signatures} ${labelName(header.label)}. Send at most ${header.most}.`
    : undefined
}

/** What a verifier refuses in the time of a delivery. */
function timeOf({ header, scheme, time }: Refused, isLate: boolean, { old }: Hints): string | undefined {
  const { time: name } = termsOf(scheme)
  const label = scheme.header.time
  const isInMilliseconds =
    label === undefined ? /^\d{13}$/.test(time ?? '') : new RegExp(`\\b${label}\\d{13}`).test(header)
  if (isInMilliseconds)
    return `${name} is not in seconds. The program that signs must write and sign Unix seconds: Math.floor(Date.now() / 1000) in JavaScript.`
  return isLate
    ? `${name} is too far from the time of the verification. To verify an old delivery, ${old}.`
    : undefined
}

function unexplained(refused: Refused, hints: Hints): string {
  const { body, secret, also = {}, scheme } = refused
  const { times, signatures } = readHeader(refused)
  const terms = termsOf(scheme)
  if (times.length === 0 || signatures.length === 0) return missingText(terms, scheme)
  const loss = lossOf(body)
  if (loss !== undefined) return loss
  if (/^\s*svc_(?:test|live)_/.test(secret))
    return 'the secret is an API key: use the signing secret of the endpoint, which starts with whsec_.'
  if (body.length > LARGEST_BYTES) return 'the body exceeds 1 MiB: its signature is not explained.'
  if (!signatures.some(isDigest))
    return scheme.digest === 'hex'
      ? `${malformed(signatures[0] ?? '', terms.signature)} ${ENTIRE}`
      : `${terms.isVersioned ? terms.signature : terms.header} is no signature, which has ${terms.digest}. ${ENTIRE}`
  if (scheme.signed.includes('time') && !times.some(([t]) => /^\d{1,13}$/.test(t))) {
    return `${terms.time} is not in Unix seconds: pass the value of the header as it was received.`
  }
  const others = Object.keys(also).length === 0 ? `; ${hints.others}` : ''
  return `no known form of the body and the secret matches: most likely the secret is of another endpoint, or the body was altered${others}.`
}

/** What to pass where a header lacks the signature or the time. */
function missingText({ header, time, signature, example }: SchemeTerms, scheme: Scheme): string {
  if (scheme.header.time !== undefined) {
    const written = example.replace('t=…', 't=1750000000')
    return `the header needs ${time} and ${signature}: pass the value of ${header}, such as ${written}.`
  }
  const names = [scheme.stamps?.id, scheme.stamps?.time].filter((name) => name !== undefined)
  const lines = names.length === 1 ? 'the header line' : 'the header lines'
  const besides = names.length === 0 ? '' : `, and ${lines} ${names.join(' and ')}`
  const as = scheme.header.label === '' ? 'which has' : 'such as'
  return `pass the value of ${header}, ${as} ${example}${besides}.`
}

/** What a body shows that no form of it repairs; undefined if it shows nothing. */
function lossOf(body: Bytes): string | undefined {
  const text = new TextDecoder().decode(body)
  if (text === '') return 'The body is empty: something has read it before, or it was not saved.'
  if (['[object Object]', 'undefined', '{}', '[]', 'null'].includes(text.trim()))
    return `The body is only ${text.trim()}: something has read or parsed it before.`
  if (text.includes('\uFFFD'))
    return 'The body contains U+FFFD: something decoded it and replaced bytes that were not UTF-8. Keep the raw bytes.'
  if (/^\s*[{[]/.test(text) && !isJson(text))
    return `The body is not complete JSON: it was cut off or changed. Compare its length, ${body.length} bytes, with the Content-Length of the delivery.`
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What is wrong with a `v1` that cannot be a signature. */
function malformed(v1: string, name = 'v1'): string {
  const shown = 'a signature has 64 hexadecimal digits'
  // Programs that shorten a text write an ellipsis where they cut it.
  const left = v1.replaceAll(/…|\.{2,}/g, '')
  if (left !== v1 && left.length < 64 && /^[\da-f]*$/i.test(left)) return malformed(left, name)
  if (v1 !== '' && !/^[\da-f]+$/i.test(v1))
    return `${name} has characters that are not hexadecimal digits, and ${shown}.`
  return v1.length < 64
    ? `${name} is cut: it has ${v1.length} of 64 hexadecimal digits, and the others are lost.`
    : `${name} has ${v1.length} digits, and ${shown}.`
}

/** The kinds of characters with which a secret ends, the first that fits. */
const ENDS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/[\r\n]$/, 'a line break'],
  [/\s$/, 'a space'],
  [/["'`]$/, 'a quotation mark'],
  [/[a-z]$/, 'a lowercase letter'],
  [/[A-Z]$/, 'an uppercase letter'],
  [/\d$/, 'a digit'],
]

/**
 * What to compare if a receiver refuses a delivery that is valid, in one sentence. It shows no character of the secret.
 * @returns the end of "log there and compare: …"
 */
export async function comparisonOf({ body, secret }: { body: Bytes; secret: string }): Promise<string> {
  // Web Crypto, which Node.js has too: one implementation for the browser and the command line.
  const digest = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(body))))
  const end = ENDS.find(([pattern]) => pattern.test(secret))?.[1] ?? 'neither a letter nor a digit'
  const secretBytes = utf8(secret).length
  return `the body here has ${body.length} bytes and the SHA-256 ${digest}; the secret here has ${secretBytes} bytes and ends with ${end}.`
}

/** A line break after the secret, which a program that reads it may keep. @param source where it was: "the pasted secret" */
export const lineBreakAfter = (source: string): string =>
  `${source} ends with a line break, which is not part of it: it was left out here. A receiver that keeps it refuses every delivery. Remove it where the receiver reads the secret.`

/** What to know about the signature for older receivers, where what a person pasted has it. @returns undefined if it has none */
export function olderText(pasted: string, { older, header }: Scheme): string | undefined {
  if (older === undefined) return undefined
  const { name, label } = older.header
  if (!new RegExp(`^\\W*${label}|\\b${name}\\W*:`, 'i').test(pasted)) return undefined
  const hash = older.hash.replace('sha', 'SHA-')
  return `${name}, by ${hash}, is for older receivers and was not verified: check only ${header.name}.`
}

/** Why a receiver refuses a valid delivery. @param status with which it does, where the contract says so */
export const refusedAnyway = (status?: number): string =>
  `If your receiver ${status === undefined ? 'refuses it' : `answered ${status} to it`}, it hashes other bytes or has another secret. In the receiver, log these and compare, never the secret itself:`
