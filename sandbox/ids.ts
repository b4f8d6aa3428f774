import { createHash, createHmac, randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Bytes below this map evenly onto the letters. */
const EVEN = 256 - (256 % LETTERS.length)

/** The prefix of each kind of id. Interface 2.1, 2.4 and 5.1 name tx_, we_, whsec_, svc_test_ and svc_live_. */
type IdPrefix = 'tx_' | 'evt_' | 'dlv_' | 'we_' | 'org_' | 'key_' | 'whsec_' | 'svc_test_' | 'svc_live_'

/**
 * A random id or secret: the prefix, then letters and digits.
 * @param length characters after the prefix; 20 are 119 bits
 */
export function newId(prefix: IdPrefix, length = 20): string {
  let text = ''
  while (text.length < length) text += lettersOf(randomBytes(length))
  return prefix + text.slice(0, length)
}

/** An id or secret derived from a seed and a purpose: always the same, so that it survives a reset. */
export function idFromSeed(seed: string, purpose: string, prefix: IdPrefix, length = 20): string {
  let text = ''
  for (let block = 0; text.length < length; block += 1) {
    text += lettersOf(createHmac('sha256', seed).update(`${purpose} ${block}`).digest())
  }
  return prefix + text.slice(0, length)
}

/** The stored hash of a key. Keys are long and random, so a plain hash reveals nothing. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

const lettersOf = (bytes: Buffer): string =>
  [...bytes].map((byte) => (byte < EVEN ? LETTERS.charAt(byte % LETTERS.length) : '')).join('')
