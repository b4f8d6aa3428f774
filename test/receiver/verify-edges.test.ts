import { afterEach, describe, expect, it, vi } from 'vitest'
import { sign } from '../../fixtures/index.ts'
import { createVerifier } from '../../receiver/verify.ts'

// Each verifier is created inside a test, so that a failure to create one fails that test.
const SECRET = 'whsec_of_the_edges'
const NOW = 1_750_000_000
const body = Buffer.from('{"event":"payment.completed","payment_id":"tx_1"}')

const signedAt = (t: number) => sign({ secret: SECRET, t, body }).header
const verifyNow = () => createVerifier({ secrets: SECRET, clock: () => NOW * 1000 })
const coded = (code: string) => expect.objectContaining({ code })

describe('a verifier with default options', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('uses the system clock with a tolerance of 300 seconds', () => {
    vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date'] })
    const verify = createVerifier({ secrets: SECRET })
    for (const away of [-300, 0, 300]) {
      expect(verify(body, signedAt(NOW + away))).toBe(NOW + away)
    }
    expect(() => verify(body, signedAt(NOW - 301))).toThrow(coded('timestamp_too_old'))
    expect(() => verify(body, signedAt(NOW + 301))).toThrow(coded('timestamp_in_future'))
  })
})

describe('a programming mistake throws a TypeError', () => {
  it.each<[mistake: string, make: () => unknown, message: RegExp]>([
    ['no secret', () => createVerifier({ secrets: undefined }), /^secrets: a secret is missing, /],
    ['an empty secret', () => createVerifier({ secrets: '' }), /^secrets: a secret is missing, /],
    ['a blank secret', () => createVerifier({ secrets: [SECRET, ' '] }), /^secrets: .* blank /],
    [
      'a line break after a secret',
      () => createVerifier({ secrets: [SECRET, `${SECRET}\n`] }),
      / whitespace around it\. Pass it exactly/,
    ],
    [
      'a space before a secret',
      () => createVerifier({ secrets: ` ${SECRET}` }),
      / whitespace around it\. Pass it exactly/,
    ],
    [
      'an empty list',
      () => createVerifier({ secrets: [] }),
      /^secrets: the list is empty\. Pass at least one/,
    ],
    [
      'a tolerance of 0',
      () => createVerifier({ secrets: SECRET, toleranceSeconds: 0 }),
      /^toleranceSeconds: .* greater than 0 .*\. Default: 300\.$/,
    ],
    [
      'a tolerance of more than a day',
      () => createVerifier({ secrets: SECRET, toleranceSeconds: 86_401 }),
      /^toleranceSeconds: .* at most 86400 \(one day\)\. Default: 300\.$/,
    ],
    [
      'a decoded body',
      () => verifyNow()(body.toString() as unknown as Buffer, signedAt(NOW)),
      /^rawBody: must be a Uint8Array as received\.$/,
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
})

// All are refused with 400; the code in the log shows what is wrong.
describe('a header without t', () => {
  it.each([
    ['with another label is t_missing', 'v0=1', 't_missing'],
    ['with another label after a bare word is t_missing', 'word,v0=1', 't_missing'],
    ['with only a bare word is header_malformed', 'word', 'header_malformed'],
    ['with only unlabeled values is header_malformed', ',=x,word,=1', 'header_malformed'],
    ['with only commas is header_malformed', ',,', 'header_malformed'],
  ])('%s', (_, header, code) => {
    expect(() => verifyNow()(body, header)).toThrow(coded(code))
  })
})

describe('a header with empty entries', () => {
  it.each([
    ['first', (header: string) => `,${header}`],
    ['last', (header: string) => `${header},`],
    ['between', (header: string) => header.replace(',', ',,')],
  ])('is accepted: %s', (_, change) => {
    expect(verifyNow()(body, change(signedAt(NOW)))).toBe(NOW)
  })
})
