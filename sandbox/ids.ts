import { createHash, createHmac, randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The most of a byte that maps evenly onto the letters. */
const EVEN = 256 - (256 % LETTERS.length)

/** What each kind of id begins with. Interface 2.1, 2.4 and 5.1 name tx_, we_, whsec_, svc_test_ and svc_live_. */
export type IdPrefix =
  | 'tx_'
  | 'evt_'
  | 'dlv_'
  | 'we_'
  | 'org_'
  | 'key_'
  | 'whsec_'
  | 'svc_test_'
  | 'svc_live_'

/**
 * A new id or secret that nobody can guess: the prefix and letters and digits.
 * @param length of what follows the prefix; 20 are 119 bits
 */
export function newId(prefix: IdPrefix, length = 20): string {
  let text = ''
  while (text.length < length) text += lettersOf(randomBytes(length))
  return prefix + text.slice(0, length)
}

/** The same for the same seed and purpose, always: for what is to stay stable when the sandbox is made anew. */
export function idFromSeed(seed: string, purpose: string, prefix: IdPrefix, length = 20): string {
  let text = ''
  for (let block = 0; text.length < length; block += 1) {
    text += lettersOf(createHmac('sha256', seed).update(`${purpose} ${block}`).digest())
  }
  return prefix + text.slice(0, length)
}

/** What is kept of a key. Keys are long and random, so that a plain hash gives nothing away. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

const lettersOf = (bytes: Buffer): string =>
  [...bytes].map((byte) => (byte < EVEN ? LETTERS.charAt(byte % LETTERS.length) : '')).join('')
