import { type Bytes, type Change, fromBase64, toBase64, toHex } from './form.ts'

const FIX = 'Write v1 as 64 lowercase hexadecimal digits.'
const ENTIRE = 'Keep the value of the header as it is received: something cuts or changes it.'
/** Fewer digits than these may match by chance. */
const LEAST_DIGITS = 8

/** Whether a value has the form of a signature, in hexadecimal or base64. */
export const isDigest = (value: string): boolean =>
  /^[\da-f]{64}$/i.test(value) || fromBase64(value)?.length === 32

/** How a signature is written that matches: undefined if none does, and empty if it is written as it must be. */
export function encodingOf(mac: Bytes, signatures: readonly string[]): Change[] | undefined {
  const hex = toHex(mac)
  if (signatures.includes(hex)) return []
  const base64 = toBase64(mac).replace(/=+$/, '')
  for (const given of signatures) {
    const change = changeOf(given, hex, base64)
    if (change !== undefined) return [change]
  }
  return undefined
}

function changeOf(given: string, hex: string, base64: string): Change | undefined {
  const lower = given.toLowerCase()
  if (lower === hex) return { change: 'v1 is in lowercase', fix: FIX }
  if (given.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '') === base64)
    return { change: 'v1 is in hexadecimal instead of base64', fix: FIX }
  const at = lower.indexOf(hex)
  if (at !== -1) {
    const around = [at > 0 && 'precedes', at + hex.length < lower.length && 'follows']
    const where = around.filter((one) => one !== false).join(' and ')
    return { change: `v1 is only the signature, without what ${where} it`, fix: FIX }
  }
  if (lower.replaceAll(/\s/g, '') === hex)
    return { change: 'the line break or space inside v1 is removed', fix: ENTIRE }
  const digits = lower.replaceAll(/[^\da-f]/g, '')
  if (digits === hex) return { change: 'v1 has nothing between its digits', fix: FIX }
  const isCut = digits.length >= LEAST_DIGITS && digits.length < hex.length && hex.startsWith(digits)
  return isCut
    ? { change: `v1 has all 64 digits, and not only the first ${digits.length}`, fix: ENTIRE }
    : undefined
}
