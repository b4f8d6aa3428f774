import { afterEach, describe, expect, it, vi } from 'vitest'
import { sign } from '../../fixtures/index.ts'
import { createVerifier, readEvent } from '../../receiver/verify.ts'

// Each verifier is made within a test, and not as this file loads: were none to be made, a test would fail.
const SECRET = 'whsec_of_the_edges'
const NOW = 1_750_000_000
const body = Buffer.from('{"event":"payment.completed","payment_id":"tx_1"}')

const signedAt = (t: number) => sign({ secret: SECRET, t, body }).header
const verifyNow = () => createVerifier({ secrets: SECRET, clock: () => NOW * 1000 })
const coded = (code: string) => expect.objectContaining({ code })

describe('a verifier that is given its secret and nothing else', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('asks the clock of the machine, and allows 300 seconds either way', () => {
    vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date'] })
    const verify = createVerifier({ secrets: SECRET })
    for (const away of [-300, 0, 300]) {
      expect(verify(body, signedAt(NOW + away))).toMatchObject({ paymentId: 'tx_1', signedAt: NOW + away })
    }
    expect(() => verify(body, signedAt(NOW - 301))).toThrow(coded('timestamp_too_old'))
    expect(() => verify(body, signedAt(NOW + 301))).toThrow(coded('timestamp_in_future'))
  })
})

describe('what a mistake in the receiver’s own code is told', () => {
  it.each<[mistake: string, make: () => unknown, message: RegExp]>([
    ['no secret', () => createVerifier({ secrets: undefined }), /^secrets: .* missing or blank\. Give /],
    ['a blank secret', () => createVerifier({ secrets: [SECRET, ' '] }), /^secrets: .* missing or blank\. /],
    [
      'an empty list',
      () => createVerifier({ secrets: [] }),
      /^secrets: the list is empty\. Give at least one/,
    ],
    [
      'a tolerance of nothing',
      () => createVerifier({ secrets: SECRET, toleranceSeconds: 0 }),
      /^toleranceSeconds: .* above 0\. Leave it out for 300\.$/,
    ],
    [
      'a body that was decoded',
      () => verifyNow()(body.toString() as unknown as Buffer, signedAt(NOW)),
      /^rawBody: give the bytes as received, in a Buffer\.$/,
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
})

// All are refused with 400; the code tells a reader of the log what to look for.
describe('a header in which there is no t', () => {
  it.each([
    ['but another label has no t', 'v0=1', 't_missing'],
    ['but another label, after a bare word, has no t', 'word,v0=1', 't_missing'],
    ['but a bare word has no entries', 'word', 'header_malformed'],
    ['but values without a label has no entries', ',=x,word,=1', 'header_malformed'],
    ['but commas has no entries', ',,', 'header_malformed'],
  ])('%s', (_, header, code) => {
    expect(() => verifyNow()(body, header)).toThrow(coded(code))
  })
})

describe('a header with empty entries around the right ones', () => {
  it.each([
    ['first', (header: string) => `,${header}`],
    ['last', (header: string) => `${header},`],
    ['between', (header: string) => header.replace(',', ',,')],
  ])('is read: %s', (_, change) => {
    expect(verifyNow()(body, change(signedAt(NOW)))).toMatchObject({ signedAt: NOW })
  })
})

describe('a simulated event without a name', () => {
  it.each(['completed', 'failed'])('is named by its status: %s', (status) => {
    const simulated = Buffer.from(JSON.stringify({ id: 'tx_1', status, test: true }))
    expect(readEvent(simulated)).toMatchObject({ name: `payment.${status}`, paymentId: 'tx_1' })
  })

  it('keeps the name that it has', () => {
    const named = { event: 'payment.partial', id: 'tx_1', status: 'completed', test: true }
    expect(readEvent(Buffer.from(JSON.stringify(named)))).toMatchObject({
      name: 'payment.partial',
      event: named,
    })
  })
})
