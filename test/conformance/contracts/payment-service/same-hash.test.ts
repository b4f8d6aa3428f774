import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { idsOfTheSameHash } from '../../../../conformance/contracts/payment-service/cases/duplicates/same-hash.ts'

const codes = (text: string) => Array.from(Buffer.from(text))
const polynomial = (factor: number) => (text: string) =>
  codes(text).reduce((hash, code) => (Math.imul(hash, factor) + code) | 0, 0)
const rotated = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by))

function adler32(text: string): number {
  let [a, b] = [1, 0]
  for (const code of codes(text)) {
    a = (a + code) % 65_521
    b = (b + a) % 65_521
  }
  return b * 65_536 + a
}

function murmur3(text: string): number {
  const bytes = Buffer.from(text)
  const mixed = (block: number) => Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593)
  let hash = 0
  let at = 0
  for (; at + 4 <= bytes.length; at += 4)
    hash = (Math.imul(rotated(hash ^ mixed(bytes.readInt32LE(at)), 13), 5) + 0xe6546b64) | 0
  const tail = Buffer.alloc(4)
  bytes.copy(tail, 0, at)
  hash ^= mixed(tail.readInt32LE(0)) ^ bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const HASHES: Readonly<Record<string, (text: string) => number>> = {
  'CRC-32': (text) => crc32(text),
  'Adler-32': adler32,
  'String.hashCode of Java': polynomial(31),
  'djb2, which adds': polynomial(33),
  'multiplication by 65,599': polynomial(65_599),
  'a sum of characters': (text) => codes(text).reduce((sum, code) => sum + code, 0),
  'djb2 by XOR': (text) => codes(text).reduce((hash, code) => Math.imul(hash, 33) ^ code, 5_381),
  'FNV-1': (text) => codes(text).reduce((hash, code) => Math.imul(hash, 0x01000193) ^ code, 0x811c9dc5),
  'FNV-1a': (text) => codes(text).reduce((hash, code) => Math.imul(hash ^ code, 0x01000193), 0x811c9dc5),
  MurmurHash3: murmur3,
}

const IDS = ['tx_A0b9C8d7E6f5G4h3I2j1', 'tx_5x4y3z2a1b0c9d8e', 'tx_aaaaaaaaaaaaaaaaaaaaa', 'tx_0123456789']
const FOUND = IDS.map((id) => ({ id, ids: idsOfTheSameHash(id) }))

/** The pairs that have the same hash when each id is in the same text. */
const colliding = (ids: readonly string[], hash: (text: string) => number, textOf: (id: string) => string) =>
  Array.from({ length: ids.length / 2 }, (_, n) => ids.slice(2 * n, 2 * n + 2)).filter(
    ([one = '', two = '']) => hash(textOf(one)) === hash(textOf(two)),
  ).length

it('knows the functions by values of their authors', () => {
  expect(murmur3('hello')).toBe(0x248bfa47)
  expect((HASHES['FNV-1a']?.('foobar') ?? 0) >>> 0).toBe(0xbf9cf968)
  expect((HASHES['FNV-1']?.('foobar') ?? 0) >>> 0).toBe(0x31f0b262)
  expect(adler32('Wikipedia')).toBe(0x11e60398)
})

it.each(Object.entries(HASHES))('has two ids of equal hash: %s', (_, hash) => {
  for (const { ids } of FOUND)
    for (const textOf of [
      (own: string) => own,
      (own: string) => `${own}:payment.completed`,
      (own: string) => `payment.completed:${own}`,
      (own: string) => `payment.completed:${own}:live`,
    ])
      expect(colliding(ids, hash, textOf)).toBeGreaterThan(0)
})

it.each(['', ':', '|', '/', '.', '-', '_', ' ', '\0'])(
  'has two ids of equal FNV-1a behind the event and %j',
  (between) => {
    for (const { ids } of FOUND)
      expect(
        colliding(ids, HASHES['FNV-1a'] ?? adler32, (own) => `payment.completed${between}${own}`),
      ).toBeGreaterThan(0)
  },
)

it('has no id twice, also regardless of capitals, and none of another length', () => {
  for (const { id, ids } of FOUND) {
    expect(new Set(ids.map((one) => one.toLowerCase())).size).toBe(ids.length)
    expect(new Set(ids.map(({ length }) => length))).toEqual(new Set([id.length]))
  }
})
