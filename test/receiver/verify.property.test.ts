import * as fc from 'fast-check'
import { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { serialize, sign } from '../../fixtures/index.ts'
import { createVerifier, WebhookError } from '../../receiver/verify.ts'
import { clock, delivery, NOW, read, signed, verify } from './support.ts'

const secret = fc
  .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
  .filter((text) => text !== '' && text === text.trim())
const event = fc.record({
  event: fc.string({ minLength: 1, unit: 'grapheme' }),
  payment_id: fc.string({ minLength: 1, unit: 'grapheme' }),
  metadata: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
})
const insideWindow = fc.integer({ min: NOW - 300, max: NOW + 300 })

describe('a third-party signer of the same scheme', () => {
  it('is accepted anywhere inside the tolerance window', () => {
    fc.assert(
      fc.property(secret, event, insideWindow, (secret, event, timestamp) => {
        const payload = JSON.stringify(event)
        const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
        const delivered = read(Buffer.from(payload), header, createVerifier({ secrets: secret, clock }))
        expect(delivered.paymentId).toBe(event.payment_id)
        expect(delivered.signedAt).toBe(timestamp)
      }),
    )
  })

  it('is refused outside the tolerance window, from a second to a year', () => {
    const outside = fc.oneof(
      fc.integer({ min: NOW - 31_536_000, max: NOW - 301 }),
      fc.integer({ min: NOW + 301, max: NOW + 31_536_000 }),
    )
    fc.assert(
      fc.property(secret, event, outside, (secret, event, timestamp) => {
        const payload = JSON.stringify(event)
        const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
        const attempt = () => createVerifier({ secrets: secret, clock })(Buffer.from(payload), header)
        expect(attempt).toThrow(
          expect.objectContaining({ code: timestamp < NOW ? 'timestamp_too_old' : 'timestamp_in_future' }),
        )
      }),
    )
  })
})

describe('any delivery', () => {
  it('is refused when one bit of its body is flipped', () => {
    fc.assert(
      fc.property(event, fc.nat(), fc.integer({ min: 0, max: 7 }), (event, place, bit) => {
        const { body, header } = signed(event)
        const changed = Buffer.from(body)
        const at = place % changed.length
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at)
        expect(() => verify(changed, header)).toThrow(expect.objectContaining({ code: 'signature_mismatch' }))
      }),
    )
  })

  it('is accepted with any of several secrets, and with no other', () => {
    const several = fc.uniqueArray(secret, { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(event, several, fc.nat(), (event, secrets, pick) => {
        const body = serialize(event)
        const at = pick % secrets.length
        const { header } = sign({ secret: secrets[at] ?? '', t: NOW, body })
        const others = secrets.filter((_, index) => index !== at)
        expect(read(body, header, createVerifier({ secrets, clock })).paymentId).toBe(event.payment_id)
        expect(() => createVerifier({ secrets: others, clock })(body, header)).toThrow(
          expect.objectContaining({ code: 'signature_mismatch' }),
        )
      }),
    )
  })

  it('is refused with a WebhookError for any malformed header', () => {
    const { body } = delivery({ event: 'payment.completed', payment_id: 'tx_1' })
    const piece = fc.constantFrom('t=', 'v1=', ',', '=', String(NOW), '0'.repeat(64), ' ', 'v0=', '\u0000')
    const header = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
      fc.array(fc.string()),
    )
    fc.assert(
      fc.property(header, (header) => {
        expect(() => verify(body, header)).toThrow(WebhookError)
      }),
    )
  })
})
