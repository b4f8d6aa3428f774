import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import { createDisclosures, TRACES } from '../../../../conformance/contracts/webhook/disclosures.ts'
import type { Exchange } from '../../../../conformance/contracts/webhook/model.ts'

const SECRET = 'whsec_k3-Qz8r_Vb2NwT-y7LmXo4'
const kit = createKit('a/case', { secret: SECRET, seed: 'seed', mode: 'test', now: () => 1_700_000_000 })
const forged = () => ({
  ...kit.delivery('completed'),
  signature: ['t=1700000000,v1=00'],
  change: 'a forgery',
})
const exchange = (
  delivery: Exchange['delivery'],
  answer: Partial<NonNullable<Exchange['answer']>>,
): Exchange => ({
  delivery,
  error: undefined,
  answer: { status: 401, headers: [], body: Buffer.alloc(0), truncated: false, ms: 1, ...answer },
})
const expectedFor = ({ signed: { t }, body }: Exchange['delivery']) =>
  createHmac('sha256', SECRET).update(`${t}.`).update(body).digest()
const foundIn = (...exchanges: Exchange[]) => {
  const disclosures = createDisclosures(SECRET)
  disclosures.see(exchanges, 'a/case')
  return disclosures.found()
}

describe('the answers of a run', () => {
  it('disclose the secret in a header, in the status line or in the body, also without its prefix', () => {
    const parts = [
      { headers: [['X-Key', SECRET]] as const },
      { reason: SECRET.slice('whsec_'.length) },
      { body: Buffer.from(JSON.stringify(Buffer.from(SECRET))) },
    ]
    for (const part of parts)
      expect(foundIn(exchange(forged(), part))).toMatchObject({
        secret: { status: 401, delivery: 'a forgery', case: 'a/case' },
      })
  })

  it('disclose the expected signature', () => {
    const delivery = forged()
    const body = Buffer.from(JSON.stringify({ expected: expectedFor(delivery) }))

    expect(foundIn(exchange(delivery, { body }))).toMatchObject({
      signature: { status: 401, delivery: 'a forgery', case: 'a/case' },
    })
  })

  const TRACE = Buffer.from('Error: unexpected end\n    at parse (/app/server.js:12:7)\n')

  it('disclose a stack trace to anyone without a valid signature, also if someone who has one got it before', () => {
    const [unsigned, stale] = [{ ...forged(), signature: [] }, kit.validAt(1_600_000_000)]
    for (const delivery of [forged(), unsigned]) {
      const shown = exchange(delivery, { status: 500, body: TRACE })
      expect(foundIn(exchange(stale, { body: TRACE }), shown).trace).toMatchObject({
        status: 500,
        delivery: 'a forgery',
        exchange: shown,
      })
    }
    expect(
      foundIn(exchange(stale, { body: TRACE }), exchange(kit.delivery('completed'), { body: TRACE })),
    ).toEqual({})
  })

  it('disclose no stack trace when they echo one', () => {
    const delivery = { ...kit.body(TRACE), signature: [], change: 'a trace' }
    expect(foundIn(exchange(delivery, { body: TRACE }))).toEqual({})
  })

  it('are searched in time, whatever they contain', () => {
    const hostile = ['\n', ' ', ' at a in', 'at :1:1', '"file": "a.php', '\n at a in b:line '].map((part) =>
      Buffer.from(part.repeat(65_536 / part.length)),
    )
    const started = performance.now()
    for (const body of hostile) foundIn(exchange(forged(), { body }))
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('disclose nothing when they echo the signature of the request, in any form', () => {
    const delivery = kit.delivery('completed')
    const upper = { ...delivery, signature: delivery.signature.map((line) => line.toUpperCase()) }
    const echoes = [delivery, upper].map((one) =>
      exchange(one, { body: Buffer.from(`${one.signature.join()} ${expectedFor(one).toString('base64')}`) }),
    )

    expect(foundIn(...echoes)).toEqual({})
  })

  it('disclose nothing by the signature of another request, or without an answer', () => {
    const body = Buffer.from(expectedFor(kit.delivery('completed')).toString('hex'))

    expect(foundIn(exchange(forged(), { body }), { ...exchange(forged(), {}), answer: undefined })).toEqual(
      {},
    )
  })

  it('name the first one, although a later answer has the same text', () => {
    const body = Buffer.from(`the key is ${SECRET}`)
    const other = { ...forged(), change: 'another' }

    expect(foundIn(exchange(forged(), { body }), exchange(other, { body, status: 500 }))).toMatchObject({
      secret: { status: 401, delivery: 'a forgery', case: 'a/case' },
    })
  })
})

it('the search for traces takes no longer than the answer is long, whatever a receiver repeats', () => {
  // Quadratic, one of these takes minutes.
  for (const repeated of ['lib/', 'src/a.', 'panicked at ', 'at a', '\tat a in ', '#1 /a', '"file": "'])
    expect(TRACES.some((trace) => trace.test(repeated.repeat(100_000)))).toBe(false)
})
