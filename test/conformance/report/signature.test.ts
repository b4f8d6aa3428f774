import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { SCHEME } from '../../../conformance/contracts/payment-service/scheme.ts'
import type { Hmac } from '../../../conformance/diagnosis/mismatch/explain.ts'
import { adviceOn, asSentence, lineBreakAfter } from '../../../conformance/report/words/signature.ts'

const T = '1750000000'
const SECRET = 'whsec_of_the_endpoint'
const EVENT = '{"event":"payment.completed","payment_id":"tx_1"}'
const NEWLINE = 'the body ends with a line break that was not signed'
const LATE = 'Besides, t is too far from the time of the verification. To verify an old delivery, pass its t.'

const hmac: Hmac = (hash, key, message) =>
  createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()
const sign = (body: string, { t = T, secret = SECRET } = {}) =>
  createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
const HEX = sign(EVENT)

const adviceTo = ({
  header = `t=${T},v1=${HEX}`,
  body = EVENT,
  isLate = false,
  secret = SECRET,
  sent = undefined as Uint8Array | undefined,
}) =>
  adviceOn(
    { scheme: SCHEME, header, body: Buffer.from(body), secret },
    { isLate, hmac, hints: { old: 'pass its t', others: 'try others' }, ...(sent && { sent }) },
  )

const advise = async (given: Parameters<typeof adviceTo>[0]) => (await adviceTo(given)).text

test.each<[name: string, given: Parameters<typeof advise>[0], first: string]>([
  ['a body with a line break', { body: `${EVENT}\n` }, NEWLINE],
  ['a v1 without its first digits', { header: `t=${T},v1=${HEX.slice(24)}` }, 'v1 is cut to the last 40'],
  ['a v1 of 4 digits', { header: `t=${T},v1=${HEX.slice(0, 4)}` }, 'v1 is cut: it has 4 of 64'],
  [
    'a secret with a line break',
    { header: `t=${T},v1=${sign(EVENT, { secret: `${SECRET}\n` })}` },
    'the signature was made with a line break (LF) after the secret',
  ],
  [
    'a header with other labels',
    { header: `T=${T},V1=${HEX}` },
    'the header is not written as t=…,v1=…; once that is corrected',
  ],
  ['another secret', { secret: 'whsec_other' }, 'no known form of the body and the secret matches'],
])('of an old delivery and %s, the second leads, and the age follows', async (_, given, first) => {
  const advice = await advise({ ...given, isLate: true })
  expect(advice.startsWith(first), advice).toBe(true)
  expect(advice.endsWith(LATE), advice).toBe(true)
})

test('of an old delivery without another mistake, the age leads', async () => {
  expect(await advise({ isLate: true })).toMatch(/^the signature itself matches, but t is too far /)
})

test('a t in milliseconds and a line break after the body are both named, however t was signed', async () => {
  const body = `${EVENT}\n`
  for (const t of [T, `${T}123`]) {
    const advice = await advise({ header: `t=${T}123,v1=${sign(EVENT, { t })}`, body })
    expect(advice.startsWith(NEWLINE), advice).toBe(true)
    expect(advice).toMatch(/t is not in seconds|the header has milliseconds/)
    expect(advice).toContain('Math.floor(Date.now() / 1000)')
  }
  const signedIn = await advise({ header: `t=${T},v1=${sign(EVENT, { t: `${T}000` })}`, body })
  expect(signedIn).toContain(`${NEWLINE}, and the signature covers t in milliseconds`)
})

test.each<[v1: string, expected: string]>([
  [HEX.slice(0, 4), 'v1 is cut: it has 4 of 64 hexadecimal digits'],
  [HEX.slice(-4), 'v1 is cut: it has 4 of 64 hexadecimal digits'],
  [`${HEX.slice(0, 4)}…`, 'v1 is cut: it has 4 of 64 hexadecimal digits'],
  [`...${HEX.slice(-4)}`, 'v1 is cut: it has 4 of 64 hexadecimal digits'],
  ['…', 'v1 is cut: it has 0 of 64 hexadecimal digits'],
  [HEX.slice(0, 60), 'v1 is cut to the first 60 of its 64 digits'],
  [HEX.slice(4), 'v1 is cut to the last 60 of its 64 digits'],
  ['xyz…', 'v1 has characters that are not hexadecimal digits'],
])('v1=%s: %s', async (v1, expected) => {
  const advice = await advise({ header: `t=${T},v1=${v1}` })
  expect(advice.startsWith(expected), advice).toBe(true)
  expect(advice).toContain('Something cuts or changes the header')
})

test('a sentence starts with a capital letter, unless it starts with a name', () => {
  expect(asSentence('the body is empty.')).toBe('The body is empty.')
  for (const advice of ['v1 is cut.', 't is late.']) expect(asSentence(advice)).toBe(advice)
  expect(asSentence('things differ.')).toBe('Things differ.')
})

test('line breaks that a text field converts are suspected unless something else is the cause', async () => {
  const body = '{\n}'
  const suspected = async (signed: string, pasted: string) =>
    (await adviceTo({ header: `t=${T},v1=${sign(signed)}`, body: pasted })).mayBeLineBreaks
  expect(await suspected('{\r\n}', body)).toBe(true)
  expect(await suspected('{\r\n"a":1}', body)).toBe(true)
  expect(await suspected('{}', body)).toBe(false)
  expect(await suspected('other', '{}')).toBe(false)
})

test('a line break after a secret is named by its source', () => {
  expect(lineBreakAfter('secret.txt')).toContain('secret.txt ends with a line break')
})

test('has the bytes that differ, of the entire signed text, and says whether code would help', async () => {
  const spaced = EVENT.replaceAll(':', ': ')
  const { difference, needsCode } = await adviceTo({ body: spaced })
  expect(difference).toMatchObject({ at: T.length + 1 + '{"event":'.length })
  expect(needsCode).toBe(true)
  for (const given of [
    {},
    { secret: 'whsec_other' },
    { header: `t=${T},v1=${sign(EVENT, { secret: `${SECRET}\n` })}` },
  ])
    expect(await adviceTo(given)).toMatchObject({ difference: undefined, needsCode: false })
  expect(await adviceTo({ body: '[object Object]' })).toMatchObject({ needsCode: true })
})

test('of a body that is known to have been sent, says what became of it even where no form of it matches', async () => {
  const odd = EVENT.replace(':', ' :')
  const header = `t=${T},v1=${sign(odd)}`
  for (const [body, text] of [
    [EVENT, 'the body was parsed and serialized again. Keep the raw bytes'],
    [EVENT.replace('tx_1', 'tx_2'), 'the body was altered. Keep the raw bytes'],
    ['{}', 'The body is only {}: something has read or parsed it before.'],
  ] as const) {
    const advice = await adviceTo({ header, body, sent: Buffer.from(odd) })
    expect(advice.text.startsWith(text), advice.text).toBe(true)
    expect(advice).toMatchObject({ needsCode: true, difference: { signed: { bytes: odd.length } } })
  }
})
