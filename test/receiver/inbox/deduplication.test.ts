import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deduplicationKey } from '../../../receiver/inbox.ts'
import { delivery } from '../support.ts'

const key = (event: object) => deduplicationKey(delivery({ payment_id: 'tx_1', ...event }))

describe('the deduplication key', () => {
  it.each([
    ['the amount received of a partial', { event: 'payment.partial' }, 'amount_received', '1.00', '2.00'],
    ['the kind of a refund', { event: 'payment.refunded' }, 'type', 'refund', 'chargeback'],
    ['the event', {}, 'event', 'payment.completed', 'payment.failed'],
    ['the payment', { event: 'payment.completed' }, 'payment_id', 'tx_1', 'tx_2'],
  ])('differs by %s', (_name, event, field, value, otherValue) => {
    expect(key({ ...event, [field]: value })).toBe(key({ ...event, [field]: value }))
    expect(key({ ...event, [field]: value })).not.toBe(key({ ...event, [field]: otherValue }))
  })

  it.each([
    ['timestamp', 'payment.completed'],
    ['type', 'payment.completed'],
    ['amount_received', 'payment.refunded'],
    ['amount', 'payment.partial'],
  ])('does not contain %s of %s', (field, event) => {
    expect(key({ event, [field]: 'a' })).toBe(key({ event, [field]: 'b' }))
  })

  it.each([
    [{ livemode: true }, {}, true],
    [{ livemode: false }, { livemode: false, test: true }, true],
    [{ livemode: true }, { livemode: false }, false],
    [{}, { test: true }, false],
  ])('%o and %o of one payment: equal is %s', (first, second, isEqual) => {
    const event = 'payment.completed'
    expect(key({ event, ...first }) === key({ event, ...second })).toBe(isEqual)
  })

  it('is equal only for the same payment and event', () => {
    // Any character, as of the unit 'binary', whose table of all characters takes a second to build.
    const unit = fc.nat(0x10_f7_ff).map((code) => String.fromCodePoint(code < 0xd8_00 ? code : code + 0x8_00))
    const part = fc.string({ minLength: 1, unit })
    fc.assert(
      fc.property(part, part, part, part, (id, event, otherId, otherEvent) => {
        const same = id === otherId && event === otherEvent
        expect(key({ payment_id: id, event }) === key({ payment_id: otherId, event: otherEvent })).toBe(same)
      }),
    )
  })

  it('accepts a discriminator nested 100,000 levels deep', () => {
    const depth = 100_000
    const nested = `{"event":"payment.partial","id":"tx_1","amount_received":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const event = JSON.parse(nested)
    const base = delivery({ event: 'payment.partial', payment_id: 'tx_1' })
    expect(deduplicationKey({ ...base, event })).toBe(deduplicationKey(base))
  })
})
