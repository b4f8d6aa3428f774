import { MOST_SIGNATURES } from './dissect.ts'
import { isDigest } from './encoding.ts'
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
 * One line about a refused delivery: with which changes its signature matches, and what to do. It shows no secret.
 * @param isLate whether it was refused because of its time
 */
export async function adviceOn(
  refused: Refused,
  { isLate, hmac, hints }: { isLate: boolean; hmac: Hmac; hints: Hints },
): Promise<string> {
  const explanation = await explain(refused, hmac)
  if (explanation === undefined) return unexplained(refused, hints)
  const { changes, fixes } = explanation
  if (changes.length > 0) return `matches if ${changes.join(' and ')}. ${fixes.join(' ')}`
  return `the signature itself matches, ${butNot(refused.header, isLate, hints)}`
}

/** What else a verifier refuses in a header whose signature matches. */
function butNot(header: string, isLate: boolean, { old }: Hints): string {
  const labels = header.split(',').map((entry) => entry.split('=', 1)[0])
  const count = (wanted: string) => labels.filter((label) => label === wanted).length
  if (count('t') > 1)
    return `but there are ${count('t')} t. Send one: if two headers are joined, pass only one.`
  if (count('v1') > MOST_SIGNATURES)
    return `but there are ${count('v1')} v1. Send at most ${MOST_SIGNATURES}.`
  if (/\bt=\d{13}/.test(header))
    return 'but t is not in seconds. Write and sign Unix seconds: Math.floor(Date.now() / 1000) in JavaScript.'
  return isLate
    ? `and only the time does not. To verify an old delivery, ${old}.`
    : 'but t is not in Unix seconds. Write and sign 1 to 12 digits, such as t=1750000000.'
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
  if (!signatures.some(isDigest)) {
    return 'v1 is not a signature, which has 64 lowercase hexadecimal digits: pass the value of the header as it was received, all of it.'
  }
  if (!times.some(([t]) => /^\d{1,13}$/.test(t))) {
    return 't is not in Unix seconds: pass the value of the header as it was received.'
  }
  const others = Object.keys(also).length === 0 ? `; ${hints.others}` : ''
  return `no known form of the body and the secret matches: most likely the secret is of another endpoint, or the body was altered${others}.`
}
