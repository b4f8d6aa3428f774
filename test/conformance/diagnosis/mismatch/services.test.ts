import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SERVICES } from '../../../../conformance/contracts/services.ts'
import {
  headerWith,
  type Scheme,
  signatureBy,
  signingKey,
} from '../../../../conformance/contracts/webhook/scheme.ts'
import { dissect } from '../../../../conformance/diagnosis/mismatch/dissect.ts'
import { explain, type Hmac } from '../../../../conformance/diagnosis/mismatch/explain.ts'
import { secretFormsOf } from '../../../../conformance/diagnosis/mistakes/secrets.ts'
import { signedTextsOf } from '../../../../conformance/diagnosis/mistakes/signed-texts.ts'
import { mistakeText } from '../../../../conformance/report/words/mistakes.ts'
import { adviceOn, refusalText } from '../../../../conformance/report/words/signature.ts'

const T = '1750000000'
const ID = 'msg_2001'
const BODY = Buffer.from('{"type":"invoice.paid","note":"Zoë & co","url":"https://shop.example/a"}')
/** Base64 after a prefix, which every service takes. */
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0IG9mIHNlcnZpY2Vz'

const hmac: Hmac = (hash, key, message) =>
  createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()

describe.each(Object.values(SERVICES).map(({ id, scheme }) => [id, scheme] as const))('%s', (_, scheme) => {
  const given = (header: string, body: Buffer = BODY) => ({
    scheme,
    header,
    body,
    secret: SECRET,
    id: scheme.stamps?.id === undefined ? undefined : ID,
    time: scheme.stamps?.time === undefined ? undefined : T,
  })
  const signedWith = (key: Uint8Array, body: Uint8Array = BODY) =>
    headerWith(scheme, T, signatureBy(scheme, key, { id: ID, t: T, body }))
  const codesOf = async (header: string, body?: Buffer) =>
    (await explain(given(header, body), hmac))?.mistakes.map(({ code }) => code)

  test('accepts what the service signs, and finds no mistake in it', async () => {
    const header = signedWith(signingKey(scheme, SECRET))
    expect(await codesOf(header)).toEqual([])
    const found = await dissect(given(header), { hmac, nowSeconds: Number(T) })
    expect(found).toMatchObject({ matches: true, refusal: undefined })
    expect(found.entries.every(({ valid }) => valid)).toBe(true)
  })

  test('names each form of the secret that makes another key', async () => {
    const forms = secretFormsOf(scheme.key).filter((form) => 'isUsed' in form)
    expect(forms.length).toBeGreaterThan(5)
    for (const form of forms) {
      const key = form.make(SECRET)
      if (key === undefined) continue
      const [code = '', ...more] = (await codesOf(signedWith(key))) ?? []
      expect([code, more], form.code).toEqual([expect.any(String), []])
      const same = forms.find((one) => one.code === code)?.make(SECRET)
      expect(Buffer.from(same ?? ''), form.code).toEqual(Buffer.from(key))
    }
  })

  test('names each other text that may be signed, in words of this service', async () => {
    const texts = signedTextsOf(scheme.signed)
    for (const mistake of texts) {
      const message = mistake.text(T, BODY, ID)
      if (message === undefined) continue
      const mac = createHmac('sha256', signingKey(scheme, SECRET)).update(message).digest(scheme.digest)
      expect(await codesOf(headerWith(scheme, T, mac)), mistake.code).toEqual([mistake.code])
      const { cause, fix } = mistakeText(mistake, scheme)
      expect(`${cause} ${fix}`).not.toMatch(/undefined|\bthe (?:id|time)\b/)
    }
  })

  test('names the body and the encoding that went wrong', async () => {
    const key = signingKey(scheme, SECRET)
    const header = signedWith(key)
    expect(await codesOf(header, Buffer.from(`${BODY.toString()}\n`))).toEqual(['line_break_added'])
    expect(await codesOf(header, Buffer.from(JSON.stringify(JSON.parse(BODY.toString()), null, 2)))).toEqual([
      'json_of',
    ])
    const other = createHmac('sha256', key).update(signedBytes(scheme)).digest()
    const digest = scheme.digest === 'hex' ? 'base64' : 'hex'
    const code = scheme.digest === 'hex' ? 'v1_in_base64' : 'v1_in_hexadecimal'
    expect(await codesOf(headerWith(scheme, T, other.toString(digest)))).toEqual([code])
    const cut = headerWith(scheme, T, other.toString(scheme.digest).slice(0, 30))
    expect(await codesOf(cut)).toEqual(['v1_cut'])
    expect(await codesOf(`${scheme.header.name}: ${header}`)).toEqual(['header_wrapped'])
  })

  test('says what is missing, and how the header is written', async () => {
    const { refusal } = await dissect(given(''), { hmac, nowSeconds: Number(T) })
    expect(refusal && refusalText(refusal.reason, scheme)).toBe('the header is missing or empty')
    const options = { isLate: false, hmac, hints: { old: 'pass it', others: 'try others' } }
    const { text } = await adviceOn(given('x'), options)
    expect(text).toContain(scheme.header.name)
  })
})

const signedBytes = ({ signed }: Scheme) =>
  Buffer.concat(
    signed.map((part) =>
      Buffer.from(typeof part === 'string' ? { id: ID, time: T, body: BODY }[part] : part.text),
    ),
  )

test('a header of the id or the time that is missing is named', async () => {
  const { scheme } = SERVICES['standard-webhooks']
  const header = headerWith(
    scheme,
    T,
    signatureBy(scheme, signingKey(scheme, SECRET), { id: ID, t: T, body: BODY }),
  )
  const { refusal } = await dissect(
    { scheme, header, body: BODY, secret: SECRET, time: T },
    { hmac, nowSeconds: Number(T) },
  )
  expect(refusal?.reason).toEqual({ code: 'no_stamp', name: 'webhook-id' })
})
