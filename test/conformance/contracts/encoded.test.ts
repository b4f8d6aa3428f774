import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { encoded } from '../../../conformance/contracts/encoded.ts'
import { SECRETS } from '../../mutants/proof/secrets.ts'

const ENCODINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  'as they are': (bytes) => bytes.toString('latin1'),
  'in base64': (bytes) => bytes.toString('base64'),
  'in base64url, amid other bytes': (bytes) =>
    Buffer.concat([Buffer.from('k'), bytes, Buffer.from('!')]).toString('base64url'),
  'in hexadecimal': (bytes) => bytes.toString('hex'),
  'in uppercase hexadecimal with colons': (bytes) =>
    bytes
      .toString('hex')
      .toUpperCase()
      .replace(/..(?!$)/g, '$&:'),
  'in hexadecimal with prefixes': (bytes) => [...bytes].map((byte) => `0x${hexOf(byte)}`).join(', '),
  'in hexadecimal with backslashes': (bytes) => [...bytes].map((byte) => `\\x${hexOf(byte)}`).join(''),
  'percent-encoded': (bytes) => [...bytes].map((byte) => `%${hexOf(byte)}`).join(''),
  'escaped for JSON': (bytes) => [...bytes].map((byte) => `\\u00${hexOf(byte)}`).join(''),
  'escaped for HTML': (bytes) => [...bytes].map((byte) => `&#${byte};`).join(''),
  'as JSON of a buffer': (bytes) => JSON.stringify({ key: bytes }),
  'as a list over several lines': (bytes) => JSON.stringify([...bytes], null, 2),
  'as signed bytes': (bytes) => `[${[...new Int8Array(bytes)].join(', ')}]`,
  'as Node.js prints a buffer': (bytes) => inspect(bytes),
}
function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

describe.each([
  ...SECRETS.map((secret) => Buffer.from(secret)),
  Buffer.from('f0e1d2c3b4a59687'.repeat(4), 'hex'),
])('encoded bytes %#', (bytes) => {
  it.each(Object.entries(ENCODINGS))('are found %s', (_, encode) => {
    expect(encoded(bytes).test(`{"error":"wrong","details":"${encode(bytes)}"}`)).toBe(true)
  })

  it.each(Object.entries(ENCODINGS))('are not found where others stand %s', (_, encode) => {
    const others = Buffer.from(bytes)
    others[9] = (others[9] ?? 0) ^ 1
    expect(encoded(bytes).test(encode(others))).toBe(false)
  })
})

describe('a text without them', () => {
  it.each(['', '{"error":"wrong signature"}', '%', '\\', '&#x2b;&#99999;%zz', '0'.repeat(5_000)])(
    'is free: %j',
    (text) => {
      expect(encoded(Buffer.from('whsec_abcdefghijklmnop')).test(text)).toBe(false)
    },
  )
})
