import { MOST_SIGNATURES } from './dissect.ts'
import { ENTIRE, isDigest } from './encoding.ts'
import { explain, type Hmac, LARGEST_BYTES, lossOf, type Refused } from './explain.ts'
import { readHeader } from './header.ts'

/** What only the program that shows the advice can say. */
export interface Hints {
  /** How to verify an old delivery, as the end of a sentence: "pass its t as --at". */
  readonly old: string
  /** How to try the secrets of other endpoints, as the end of a sentence. */
  readonly others: string
}

/**
 * One line about a refused delivery: why its signature does not match, and what to do. It shows no secret.
 * @param isLate whether `t` is outside the time window
 */
export async function adviceOn(
  refused: Refused,
  { isLate, hmac, hints }: { isLate: boolean; hmac: Hmac; hints: Hints },
): Promise<string> {
  const explanation = await explain(refused, hmac)
  const time = timeOf(refused.header, isLate, hints)
  if (explanation === undefined) {
    const why = unexplained(refused, hints)
    return time === undefined ? why : `${why} Besides, ${time}`
  }
  const { causes, fixes } = explanation
  if (causes.length === 0)
    return `the signature itself matches, but ${tooMany(refused.header) ?? time ?? NOT_SECONDS}`
  const why = `${causes.join(', and ')}; ${CORRECTED}. ${fixes.join(' ')}`
  const isSaid = causes.some((cause) => /^t is |of t in /.test(cause))
  return time === undefined || (isSaid && !isLate) ? why : `${why} Besides, ${time}`
}

const CORRECTED = 'once that is corrected, the signature matches'
const NOT_SECONDS = 't is not in Unix seconds. Write and sign 1 to 12 digits, such as t=1750000000.'

/** Advice as a sentence: `t`, `v1` and secrets are names, which keep their case. */
export const asSentence = (advice: string): string =>
  advice.replace(/^(?!(?:v1|t)\b|whsec_)./, (first) => first.toUpperCase())

/** Whether line breaks that a text field converts may explain a refusal: nothing else does, or they are the cause. */
export const mayBeLineBreaks = (advice: string, body: string): boolean =>
  body.includes('\n') && (!advice.includes(CORRECTED) || advice.includes('CRLF'))

/** What a verifier refuses in a header that has too many entries. */
function tooMany(header: string): string | undefined {
  const labels = header.split(',').map((entry) => entry.split('=', 1)[0])
  const count = (wanted: string) => labels.filter((label) => label === wanted).length
  if (count('t') > 1) return `there are ${count('t')} t. Send one: if two headers are joined, pass only one.`
  return count('v1') > MOST_SIGNATURES
    ? `there are ${count('v1')} v1. Send at most ${MOST_SIGNATURES}.`
    : undefined
}

/** What a verifier refuses in the time of a header. */
function timeOf(header: string, isLate: boolean, { old }: Hints): string | undefined {
  if (/\bt=\d{13}/.test(header))
    return 't is not in seconds. The program that signs must write and sign Unix seconds: Math.floor(Date.now() / 1000) in JavaScript.'
  return isLate
    ? `t is too far from the time of the verification. To verify an old delivery, ${old}.`
    : undefined
}

function unexplained({ header, body, secret, also = {} }: Refused, hints: Hints): string {
  const { times, signatures } = readHeader(header)
  if (times.length === 0 || signatures.length === 0) {
    return 'the header needs t and v1: pass the value of X-Service-Signature, such as t=1750000000,v1=….'
  }
  const loss = lossOf(body)
  if (loss !== undefined) return loss
  if (/^\s*svc_(?:test|live)_/.test(secret))
    return 'the secret is an API key: use the signing secret of the endpoint, which starts with whsec_.'
  if (body.length > LARGEST_BYTES) return 'the body exceeds 1 MiB: its signature is not explained.'
  if (!signatures.some(isDigest)) return `${malformed(signatures[0] ?? '')} ${ENTIRE}`
  if (!times.some(([t]) => /^\d{1,13}$/.test(t))) {
    return 't is not in Unix seconds: pass the value of the header as it was received.'
  }
  const others = Object.keys(also).length === 0 ? `; ${hints.others}` : ''
  return `no known form of the body and the secret matches: most likely the secret is of another endpoint, or the body was altered${others}.`
}

/** What is wrong with a `v1` that cannot be a signature. */
function malformed(v1: string): string {
  const shown = 'a signature has 64 hexadecimal digits'
  // Programs that shorten a text write an ellipsis where they cut it.
  const left = v1.replaceAll(/…|\.{2,}/g, '')
  if (left !== v1 && left.length < 64 && /^[\da-f]*$/i.test(left)) return malformed(left)
  if (v1 !== '' && !/^[\da-f]+$/i.test(v1))
    return `v1 has characters that are not hexadecimal digits, and ${shown}.`
  return v1.length < 64
    ? `v1 is cut: it has ${v1.length} of 64 hexadecimal digits, and the others are lost.`
    : `v1 has ${v1.length} digits, and ${shown}.`
}
