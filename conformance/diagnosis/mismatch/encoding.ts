import { type Bytes, fromBase64, type Mistake, toBase64, toHex } from './form.ts'

const FIX = 'Write v1 as 64 lowercase hexadecimal digits.'
/** What to do about a `v1` that is not complete. */
export const ENTIRE =
  'Something cuts or changes the header, such as the column of a database, or copying: take all of it as it was received.'
/** Fewer digits than these may match by chance. */
const LEAST_DIGITS = 8
const LEAST_DIGITS_INSIDE = 12

/** Whether a value has the form of a signature, in hexadecimal or base64. */
export const isDigest = (value: string): boolean =>
  /^[\da-f]{64}$/i.test(value) || fromBase64(value)?.length === 32

/** How a signature is written that matches: undefined if none does, and empty if it is written as it must be. */
export function encodingOf(mac: Bytes, signatures: readonly string[]): Mistake[] | undefined {
  const hex = toHex(mac)
  if (signatures.includes(hex)) return []
  const base64 = toBase64(mac).replace(/=+$/, '')
  for (const given of signatures) {
    const mistake = mistakeOf(given, hex, base64)
    if (mistake !== undefined) return [mistake]
  }
  return undefined
}

function mistakeOf(given: string, hex: string, base64: string): Mistake | undefined {
  const lower = given.toLowerCase()
  if (lower === hex) return { cause: 'v1 has uppercase digits', fix: FIX }
  if (given.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '') === base64)
    return { cause: 'v1 is in base64', fix: FIX }
  const at = lower.indexOf(hex)
  if (at !== -1) {
    const around = [at > 0 && 'precedes', at + hex.length < lower.length && 'follows']
    const where = around.filter((one) => one !== false).join(' and ')
    return { cause: `something ${where} the signature in v1`, fix: FIX }
  }
  if (lower.replaceAll(/\s/g, '') === hex)
    return { cause: 'v1 has a line break or space inside', fix: ENTIRE }
  const digits = lower.replaceAll(/[^\da-f]/g, '')
  if (digits === hex) return { cause: 'v1 has something between its digits', fix: FIX }
  return digits.length >= LEAST_DIGITS && digits.length < hex.length ? cutOf(digits, hex) : undefined
}

/** How a signature was cut. */
function cutOf(digits: string, hex: string): Mistake | undefined {
  const cut = (part: string) => ({ cause: `v1 is cut to ${part} of its 64 digits`, fix: ENTIRE })
  if (hex.startsWith(digits)) return cut(`the first ${digits.length}`)
  if (hex.endsWith(digits)) return cut(`the last ${digits.length}`)
  return digits.length >= LEAST_DIGITS_INSIDE && hex.includes(digits)
    ? cut(`${digits.length} digits from the middle`)
    : undefined
}
