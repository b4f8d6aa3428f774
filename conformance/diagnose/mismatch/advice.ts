import { explain, type Hmac, LARGEST_BYTES, lossOf, type Refused } from './explain.ts'

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
  if (/\bt=\d{13}/.test(refused.header)) {
    return 'the signature matches, but t is not in seconds. Write and sign Unix seconds: Math.floor(Date.now() / 1000) in JavaScript.'
  }
  return isLate
    ? `the signature matches, and only the time does not. To verify an old delivery, ${hints.old}.`
    : 'the signature itself matches. Send one t, in digits, and one v1.'
}

function unexplained({ header, body, also = {} }: Refused, hints: Hints): string {
  if (!/\bt=/.test(header) || !/\bv1=/.test(header)) {
    return 'the header needs t and v1: pass the value of X-Service-Signature, such as t=1750000000,v1=….'
  }
  const loss = lossOf(body)
  if (loss !== undefined) return loss
  if (body.length > LARGEST_BYTES) return 'the body exceeds 1 MiB: its signature is not explained.'
  const others = Object.keys(also).length === 0 ? `; ${hints.others}` : ''
  return `no known form of the body and the secret matches: most likely the secret is of another endpoint, or the body was altered${others}.`
}
