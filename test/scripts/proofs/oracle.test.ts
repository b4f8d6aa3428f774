import { describe, expect, it } from 'vitest'
import { sign, vectors } from '../../../fixtures/index.ts'
import { expectedResponse, type Input } from '../../../scripts/proofs/fuzz/oracle.ts'

const SETTINGS = { secret: 'whsec_oracle', now: 1_750_000_000 }
const BODY = Buffer.from('{"event":"payment.completed","payment_id":"tx_1"}')

const headerOf = (body: Buffer, t: number | string = SETTINGS.now): string =>
  sign({ secret: SETTINGS.secret, t, body }).header
const input = (header: string, body = BODY): Input => ({ headers: [Buffer.from(header)], body })
const statusesOf = (delivery: Input) => expectedResponse(delivery, SETTINGS).statuses

describe('the oracle of the fuzz proof', () => {
  it('agrees with every frozen vector that has one secret and the default tolerance', () => {
    const usable = vectors().filter(({ tolerance_seconds: tolerance }) => tolerance === 300)
    expect(usable.length).toBeGreaterThan(100)
    for (const { name, secret, now, header, body_base64: body, expect: expected } of usable) {
      if (Array.isArray(secret) || secret === undefined) continue
      // HTTP strips the space around a header value, so this vector cannot be sent.
      if (typeof header === 'string' && header.endsWith(' ')) continue
      const headers = header === null ? [] : [header].flat().map((value) => Buffer.from(value))
      const { statuses } = expectedResponse(
        { headers, body: Buffer.from(body, 'base64') },
        { secret, now: Math.floor(now) },
      )
      expect(statuses, name).toContain(expected.outcome === 'accepted' ? 200 : expected.status)
    }
  })

  it('allows exactly one response to a delivery as the service sends it', () => {
    expect(statusesOf(input(headerOf(BODY)))).toEqual([200])
    expect(statusesOf(input(`v0=x,${headerOf(BODY)}`))).toEqual([200])
    expect(statusesOf(input(headerOf(BODY, SETTINGS.now - 300)))).toEqual([200])
    expect(statusesOf(input(headerOf(BODY, SETTINGS.now - 301)))).toEqual([400])
    expect(statusesOf(input(headerOf(BODY, SETTINGS.now + 301)))).toEqual([400])
  })

  it('never allows 200 without a valid signature', () => {
    const forged = `t=${SETTINGS.now},v1=${'0'.repeat(64)}`
    expect(statusesOf(input(forged))).toEqual([401])
    for (const header of [
      forged,
      headerOf(BODY).slice(0, -1),
      `t=${SETTINGS.now}`,
      headerOf(BODY).replace('v1=', 'v2='),
      headerOf(BODY, SETTINGS.now - 301).replace('t=', `t=${SETTINGS.now},t=`),
      '',
    ]) {
      expect(statusesOf(input(header)), header).not.toContain(200)
    }
    expect(statusesOf({ headers: [], body: BODY })).toEqual([400])
    expect(statusesOf(input(headerOf(BODY), Buffer.from(`${BODY.toString()} `)))).toEqual([401])
  })

  it('allows every response that the contract allows', () => {
    const valid = headerOf(BODY)
    expect(statusesOf(input(valid.replace('v1=', ' v1=')))).toEqual([200, 400, 401])
    expect(statusesOf(input(valid.toUpperCase().replace('T=', 't=').replace('V1=', 'v1=')))).toContain(200)
    expect(statusesOf({ headers: [valid, valid].map((value) => Buffer.from(value)), body: BODY })).toContain(
      200,
    )
  })

  it.each([
    ['not JSON', '{', false],
    ['not an object', '[]', false],
    ['without an event name', '{"payment_id":"tx_1"}', false],
    ['without a payment id', '{"event":"payment.completed"}', false],
    ['an unknown event', '{"event":"payment.paused","id":"tx_1"}', true],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), false],
  ])('decides whether a validly signed body is accepted: %s', (_, text, accepted) => {
    const body = Buffer.from(text)
    expect(statusesOf(input(headerOf(body), body))).toEqual(accepted ? [200] : [400, 415, 422])
  })
})
