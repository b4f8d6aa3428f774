import { describe, expect, it } from 'vitest'
import { sign, vectors } from '../../../fixtures/index.ts'
import { type Input, rule } from '../../../scripts/proofs/fuzz/oracle.ts'

const TERMS = { secret: 'whsec_of_the_oracle', now: 1_750_000_000 }
const BODY = Buffer.from('{"event":"payment.completed","payment_id":"tx_1"}')

const headerOf = (body: Buffer, t: number | string = TERMS.now): string =>
  sign({ secret: TERMS.secret, t, body }).header
const input = (header: string, body = BODY): Input => ({ headers: [Buffer.from(header)], body })
const statusesOf = (one: Input) => rule(one, TERMS).statuses

describe('the oracle of the fuzz proof', () => {
  it('agrees with every frozen vector of one secret and the usual window', () => {
    const usable = vectors().filter(({ tolerance_seconds: tolerance }) => tolerance === 300)
    expect(usable.length).toBeGreaterThan(100)
    for (const { name, secret, now, header, body_base64: body, expect: expected } of usable) {
      if (Array.isArray(secret) || secret === undefined) continue
      // HTTP takes the space around a value away, so this one can not be sent.
      if (typeof header === 'string' && header.endsWith(' ')) continue
      const headers = header === null ? [] : [header].flat().map((value) => Buffer.from(value))
      const { statuses } = rule(
        { headers, body: Buffer.from(body, 'base64') },
        { secret, now: Math.floor(now) },
      )
      expect(statuses, name).toContain(expected.outcome === 'accepted' ? 200 : expected.status)
    }
  })

  it('leaves no choice for a delivery as the service sends it', () => {
    expect(statusesOf(input(headerOf(BODY)))).toEqual([200])
    expect(statusesOf(input(`v0=x,${headerOf(BODY)}`))).toEqual([200])
    expect(statusesOf(input(headerOf(BODY, TERMS.now - 300)))).toEqual([200])
    expect(statusesOf(input(headerOf(BODY, TERMS.now - 301)))).toEqual([400])
    expect(statusesOf(input(headerOf(BODY, TERMS.now + 301)))).toEqual([400])
  })

  it('never allows 200 where no signature is right', () => {
    const forged = `t=${TERMS.now},v1=${'0'.repeat(64)}`
    expect(statusesOf(input(forged))).toEqual([401])
    for (const header of [
      forged,
      headerOf(BODY).slice(0, -1),
      `t=${TERMS.now}`,
      headerOf(BODY).replace('v1=', 'v2='),
      headerOf(BODY, TERMS.now - 301).replace('t=', `t=${TERMS.now},t=`),
      '',
    ]) {
      expect(statusesOf(input(header)), header).not.toContain(200)
    }
    expect(statusesOf({ headers: [], body: BODY })).toEqual([400])
    expect(statusesOf(input(headerOf(BODY), Buffer.from(`${BODY.toString()} `)))).toEqual([401])
  })

  it('leaves open what the contract leaves open', () => {
    const right = headerOf(BODY)
    expect(statusesOf(input(right.replace('v1=', ' v1=')))).toEqual([200, 400, 401])
    expect(statusesOf(input(right.toUpperCase().replace('T=', 't=').replace('V1=', 'v1=')))).toContain(200)
    expect(statusesOf({ headers: [right, right].map((one) => Buffer.from(one)), body: BODY })).toContain(200)
  })

  it.each([
    ['not JSON', '{', false],
    ['no object', '[]', false],
    ['no event', '{"payment_id":"tx_1"}', false],
    ['no payment', '{"event":"payment.completed"}', false],
    ['an event of tomorrow', '{"event":"payment.paused","id":"tx_1"}', true],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), false],
  ])('judges a signed body: %s', (_, text, accepted) => {
    const body = Buffer.from(text)
    expect(statusesOf(input(headerOf(body), body))).toEqual(accepted ? [200] : [400, 415, 422])
  })
})
