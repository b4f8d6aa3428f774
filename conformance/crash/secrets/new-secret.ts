import { randomInt } from 'node:crypto'

const PREFIX = /^[a-z]+_/i
const HEX = /^[0-9a-f]*$/i

/**
 * Makes a random secret of the same form: the same prefix and length, and in each place a character of the same kind, so
 * that a receiver that validates secrets accepts it.
 */
export function secretLike(secret: string): string {
  const prefix = PREFIX.exec(secret)?.[0] ?? ''
  const rest = secret.slice(prefix.length)
  const letters = HEX.test(rest) ? 6 : 26
  const from = (first: string, count: number) => String.fromCharCode(first.charCodeAt(0) + randomInt(count))
  const other = rest.replace(/[0-9a-z]/gi, (character) => {
    if (/\d/.test(character)) return from('0', 10)
    return from(/[a-z]/.test(character) ? 'a' : 'A', letters)
  })
  // One of the few secrets of a few characters is likely to come up again.
  return prefix + (other === rest ? `${other}0` : other)
}
