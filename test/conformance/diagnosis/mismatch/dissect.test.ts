import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCHEME } from '../../../../conformance/contracts/payment-service/scheme.ts'
import { dissect } from '../../../../conformance/diagnosis/mismatch/dissect.ts'
import type { Hmac } from '../../../../conformance/diagnosis/mismatch/explain.ts'
import { utf8 } from '../../../../conformance/diagnosis/mistakes/form.ts'
import { meaningText, refusalText } from '../../../../conformance/report/words/signature.ts'
import { webCryptoHmac } from '../../../../site/debugger/hmac.ts'

interface Vector {
  readonly name: string
  readonly secret: string | readonly string[]
  readonly tolerance_seconds: number
  readonly now: number
  readonly body_base64: string
  readonly header: string | readonly string[] | null
  readonly expect: { readonly outcome: string; readonly status?: number; readonly code?: string }
}

const vectors = (JSON.parse(readFileSync('fixtures/vectors.json', 'utf8')) as Vector[]).filter(
  // One secret at a time, and the body is read only after the signature.
  ({ secret, expect: { code = '' } }) => typeof secret === 'string' && !code.startsWith('body_'),
)
const nodeHmac: Hmac = (hash, key, message) =>
  createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()

test.each([
  ['node:crypto', nodeHmac],
  ['the Web Crypto API', webCryptoHmac()],
])('judges every signature vector as a receiver does, with %s', async (_, hmac) => {
  expect(vectors.length).toBeGreaterThan(130)
  for (const vector of vectors) {
    const { refusal, matches } = await dissect(
      {
        scheme: SCHEME,
        header: typeof vector.header === 'string' ? vector.header : (vector.header ?? []).join(','),
        body: Buffer.from(vector.body_base64, 'base64'),
        secret: String(vector.secret),
      },
      { hmac, nowSeconds: Math.floor(vector.now), toleranceSeconds: vector.tolerance_seconds },
    )
    expect(refusal?.status, `${vector.name}: ${refusal?.reason.code}`).toBe(vector.expect.status)
    if (refusal === undefined) expect(matches, vector.name).toBe(true)
  }
})

test('keeps every step', async () => {
  const given = { header: 't=100, v1=0a,v2=x,t', body: utf8('{}'), secret: 'whsec_steps' }
  const found = await dissect({ scheme: SCHEME, ...given }, { hmac: nodeHmac, nowSeconds: 90 })
  expect(found).toMatchObject({ signedAt: 100, ageSeconds: -10, received: [], matches: false })
  expect(Buffer.from(found.signed ?? []).toString()).toBe('100.{}')
  expect(found.expected).toBe(createHmac('sha256', 'whsec_steps').update('100.{}').digest('hex'))
  expect(found.entries.map(({ valid, meaning }) => [valid, meaningText(meaning, SCHEME)])).toEqual([
    [true, 'when it was signed, in Unix seconds'],
    [false, 'spaces are part of the label: remove them'],
    [true, 'an unknown label: it is ignored'],
    [false, 'no label and equals sign: it is ignored'],
  ])
  expect(found.refusal).toEqual({ status: 400, reason: { code: 'no_v1' } })
  expect(refusalText({ code: 'no_v1' }, SCHEME)).toBe('the header has no v1')
})

test('the age does not hide that the signature does not match', async () => {
  const v1 = createHmac('sha256', 'whsec_steps').update('100.{}').digest('hex')
  const at = async (header: string) => {
    const given = { header, body: utf8('{}'), secret: 'whsec_steps' }
    const { refusal, ...found } = await dissect(
      { scheme: SCHEME, ...given },
      { hmac: nodeHmac, nowSeconds: 1000 },
    )
    return { ...found, reason: refusal && refusalText(refusal.reason, SCHEME) }
  }
  const late = 't is 900 s old, and at most 300 s are allowed'
  expect(await at(`t=100,v1=${v1}`)).toMatchObject({ isLate: true, matches: true, reason: late })
  expect((await at('t=100,v1=0a')).reason).toBe(`${late}; nor is any v1 the expected signature`)
})

test('computes with an empty key, which the Web Crypto API rejects', async () => {
  const hmac = webCryptoHmac()
  const empty = new Uint8Array()
  expect(await hmac('SHA-256', empty, utf8('x'))).toEqual(
    new Uint8Array(await nodeHmac('SHA-256', empty, utf8('x'))),
  )
})
