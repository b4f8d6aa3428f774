import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { SCHEME } from '../../../../conformance/contracts/payment-service/scheme.ts'
import { explain, type Hmac, type Refused } from '../../../../conformance/diagnosis/mismatch/explain.ts'
import { mistakeText } from '../../../../conformance/report/words/mistakes.ts'

const T = '1750000000'
const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0'
const EVENT =
  '{"event":"payment.completed","url":"https://shop.example/a","note":"Zoë & <b> + 1","amount":"5.00"}'

let computed = 0
const hmac: Hmac = (hash, key, message) => {
  computed += 1
  return createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()
}
const sign = (text: string | Buffer, key: string | Buffer = SECRET, hash = 'sha256') =>
  createHmac(hash, key).update(text)
const signed = (body: string | Buffer, key: string | Buffer = SECRET, t = T) =>
  `t=${t},v1=${sign(Buffer.concat([Buffer.from(`${t}.`), Buffer.from(body)]), key).digest('hex')}`
const causesOf = async (refused: Partial<Refused> & Pick<Refused, 'header'>) =>
  (
    await explain({ scheme: SCHEME, body: Buffer.from(EVENT), secret: SECRET, ...refused }, hmac)
  )?.mistakes.map((mistake) => mistakeText(mistake, SCHEME).cause)

/** What the service signs, what a program made of it, and what is wrong. */
const BODIES: readonly [signedBody: string | Buffer, received: string | Buffer, cause: string][] = [
  [EVENT, `${EVENT}\r\n`, 'the body ends with a line break that was not signed'],
  [`${EVENT}\n`, EVENT, 'the signed body ends with a line break (LF), and this one does not'],
  [`${EVENT}\r\n`, EVENT, 'the signed body ends with a line break (CRLF), and this one does not'],
  ['{\r\n}', '{\n}', 'the line breaks are LF, and CRLF was signed'],
  ['{\n}', '{\r\n}', 'the line breaks are CRLF, and LF was signed'],
  [EVENT, `\uFEFF${EVENT}`, 'the body starts with a byte-order mark that was not signed'],
  [`\uFEFF${EVENT}`, EVENT, 'the signed body starts with a byte-order mark, and this one does not'],
  [EVENT, `  ${EVENT} \n`, 'there is whitespace around the body that was not signed'],
  [
    EVENT,
    JSON.stringify(JSON.parse(EVENT), null, 2),
    'the signature covers the same JSON as written by JSON.stringify of JavaScript',
  ],
  [
    '{"event": "payment.completed", "note": "Zo\\u00eb"}',
    '{"event":"payment.completed","note":"Zoë"}',
    'the signature covers the same JSON as written by json.dumps of Python',
  ],
  [
    '{"url":"https:\\/\\/a","note":"Zo\\u00eb"}',
    '{"url":"https://a","note":"Zoë"}',
    'the signature covers the same JSON as written by json_encode of PHP',
  ],
  [
    '{"a":"\\u0026","b":1}',
    '{ "b": 1, "a": "&" }',
    'the signature covers the same JSON as written by json.Marshal of Go',
  ],
  [
    '{"b":"\\u0026","a":1}',
    '{ "b": "&", "a": 1 }',
    'the signature covers the same JSON as written by json.Marshal of a struct in Go, or to_json of Rails',
  ],
  [
    '{"a":"\\u0026"}\n',
    '{ "a": "&" }',
    'the signature covers the same JSON as written by json.Encoder of Go',
  ],
  [
    '{"a":"\\u003d"}',
    '{"a": "="}',
    'the signature covers the same JSON as written by toJson of Gson for Java',
  ],
  [
    '{"a":"\\u002B\\u00EB\\u0022"}',
    '{"a": "+ë\\""}',
    'the signature covers the same JSON as written by JsonSerializer of .NET',
  ],
  [EVENT, Buffer.from(Buffer.from(EVENT).toString('latin1')), 'the body is encoded as UTF-8 twice'],
  [Buffer.from(Buffer.from(EVENT).toString('latin1')), EVENT, 'the signed body is encoded as UTF-8 twice'],
  ['{"a":"“Zoë”"}', '{"a":"â€œZoÃ«â€\u009d"}', 'the body is encoded as UTF-8 twice (by way of Windows-1252)'],
  [
    EVENT,
    Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(EVENT, 'utf16le')]),
    'the body is in UTF-16, and UTF-8 was signed',
  ],
  [EVENT, EVENT.normalize('NFD'), 'the signed body has its characters in the form NFC'],
  [EVENT, Buffer.from(EVENT).toString('base64'), 'the body is in base64, and the decoded bytes were signed'],
  [EVENT, new URLSearchParams([[EVENT, '']]).toString(), 'the body was read as a form'],
  ['{"a":"1+1"}', '{"a":"1 1"}', 'the body has spaces, and plus signs were signed'],
  [EVENT, JSON.stringify(EVENT), 'the body is written as a JSON string'],
  ['{"a":"b"}', `b'{"a":"b"}'`, "the body is in Python's b'…'"],
  [
    '{"n":1.0,"a":"b \\"c"}',
    '{\r\n  "n": 1.0,\r\n  "a": "b \\"c"\r\n}',
    'the JSON has whitespace between its parts that was not signed',
  ],
  [EVENT, `'${EVENT}'`, 'there are quotation marks around the body'],
  ['{"a":"b"}', '{“a”:“b”}', 'the body has curly quotation marks'],
  ['{"a":"b"}', '{\\"a\\":\\"b\\"}', 'there are backslashes before the quotation marks of the body'],
  [
    EVENT,
    `POST /webhooks HTTP/1.1\r\nHost: localhost\r\n\r\n${EVENT}`,
    'the head of the request stands before the body',
  ],
]

test.each(BODIES)('the signature of %j does not match %j: %s', async (original, received, cause) => {
  expect(await causesOf({ header: signed(original), body: Buffer.from(received) })).toEqual([cause])
})

test.each<[given: string, signs: string | Buffer, cause: string]>([
  [` ${SECRET}`, SECRET, 'there is whitespace around the secret'],
  [`"${SECRET}"`, SECRET, 'there are quotation marks around the secret'],
  [`HOOKPROOF_SECRET=${SECRET}`, SECRET, 'a name stands before the secret'],
  [`export WEBHOOK_SECRET="${SECRET}"`, SECRET, 'a name stands before the secret'],
  [SECRET.slice(6), SECRET, 'the secret lacks its prefix whsec_'],
  [SECRET, SECRET.slice(6), 'the signature was made with the secret without its prefix'],
  [
    SECRET,
    Buffer.from(SECRET.slice(6), 'base64'),
    'the signature was made with the secret decoded from base64, without its prefix',
  ],
  [
    'whsec_c0de01',
    Buffer.from('c0de01', 'hex'),
    'the signature was made with the secret decoded from hexadecimal',
  ],
  [SECRET, `${SECRET}\n`, 'the signature was made with a line break (LF) after the secret'],
  [SECRET, `"${SECRET}"`, 'the signature was made with quotation marks around the secret'],
  [SECRET, '', 'the signature was made with an empty secret'],
])('the secret %j does not match what %j signed: %s', async (secret, signs, cause) => {
  expect(await causesOf({ header: signed(EVENT, signs), secret })).toEqual([cause])
})

test.each<[v1: string, cause: string, t?: string]>([
  [sign(EVENT).digest('hex'), 'the signature covers the body without t'],
  [sign(`${T}${EVENT}`).digest('hex'), 'the signature covers t and the body without the dot'],
  [sign(`${EVENT}.${T}`).digest('hex'), 'the signature covers the body, a dot and t, in that order'],
  [
    sign(`${T}000.${EVENT}`).digest('hex'),
    'the signature covers t in milliseconds, and the header has seconds',
  ],
  [
    sign(`${T}.${EVENT}`).digest('hex'),
    'the signature covers t in seconds, and the header has milliseconds',
    `${T}123`,
  ],
  [sign(`${T}.${EVENT}`, SECRET, 'sha1').digest('hex'), 'the signature was made with HMAC-SHA1'],
  [sign(`${T}.${EVENT}`).digest('base64'), 'v1 is in base64'],
  [sign(`${T}.${EVENT}`).digest('hex').toUpperCase(), 'v1 has uppercase digits'],
])('v1=%s: %s', async (v1, cause, t = T) => {
  expect(await causesOf({ header: `t=${t},v1=${v1}` })).toEqual([cause])
})

const HEX = sign(`${T}.${EVENT}`).digest('hex')
const SPELLED = 'the header is not written as t=…,v1=…'
const LABELED = 'the label of the signature is not v1'
const SECONDS = 't is not written in Unix seconds, as digits alone'

test.each<[header: string, cause: string]>([
  [`t=${T},v1=${HEX}=junk`, 'something follows the signature in v1'],
  [`t=${T},v1=${HEX}00`, 'something follows the signature in v1'],
  [`t=${T},v1=sha256=${HEX}`, 'something precedes the signature in v1'],
  [`t=${T},v1="${HEX}"`, 'something precedes and follows the signature in v1'],
  [`t=${T},v1=${HEX.match(/../g)?.join(':')}`, 'v1 has something between its digits'],
  [`t=${T},v1=${HEX.slice(0, 63)}`, 'v1 is cut to the first 63 of its 64 digits'],
  [`t=${T},v1=${HEX.slice(0, 8)}…`, 'v1 is cut to the first 8 of its 64 digits'],
  [`t=${T},v1=${HEX.slice(24)}`, 'v1 is cut to the last 40 of its 64 digits'],
  [`t=${T},v1=${HEX.slice(8, 40)}`, 'v1 is cut to 32 digits from the middle of its 64 digits'],
  [`t=${T};v1=${HEX}`, SPELLED],
  [`t=${T} v1=${HEX}`, SPELLED],
  [`t:${T},v1:${HEX}`, SPELLED],
  [`T=${T}, V1=${HEX}`, SPELLED],
  [`t = ${T}, v1 = ${HEX}`, SPELLED],
  [encodeURIComponent(`t=${T},v1=${HEX}`), SPELLED],
  [JSON.stringify({ t: Number(T), v1: HEX }), SPELLED],
  [`t=${T},v0=${HEX}`, LABELED],
  [`t=${T},${HEX}`, LABELED],
  [`t="${T}",v1=${HEX}`, SECONDS],
  [`t=${T}.0,v1=${HEX}`, SECONDS],
  [`t=0${T},v1=${HEX}`, SECONDS],
  [`t=${new Date(Number(T) * 1000).toISOString()},v1=${HEX}`, SECONDS],
  [
    `"X-Service-Signature: t=${T},v1=${HEX}"`,
    'the value of the header includes its name and quotation marks',
  ],
  [
    `X-Service-Signature: "t=${T},v1=${HEX}"`,
    'the value of the header includes its name and quotation marks',
  ],
  [`x-service-signature: t=${T},v1=${HEX}`, 'the value of the header includes its name'],
  [`t=${T},v1=${HEX}\n`, 'the value of the header includes a line break'],
  [`t=${T},\r\nv1=${HEX}`, 'the value of the header includes a line break'],
  [`t=${T}, v1=${HEX}`, 'the value of the header includes spaces'],
  [`t=${T},v1=${HEX.slice(0, 30)}\n${HEX.slice(30)}`, 'v1 has a line break or space inside'],
])('the header %s: %s', async (header, cause) => {
  expect(await causesOf({ header })).toEqual([cause])
})

test('a header in another form is no excuse for another signature', async () => {
  const other = HEX.replace(/./g, (digit) => (digit === 'a' ? 'b' : 'a'))
  for (const v1 of [`${other}=junk`, other.slice(0, 63), `sha256=${other}`, `${HEX.slice(0, 7)}…`])
    expect(await causesOf({ header: `t=${T},v1=${v1}` })).toBeUndefined()
  expect(await causesOf({ header: `t=${T};v1=${other}` })).toBeUndefined()
})

test('two mistakes are found together, and the secret of another endpoint by its name', async () => {
  const refused = { header: signed(EVENT, 'whsec_other'), also: { OTHER: 'whsec_other' } }
  expect(await causesOf(refused)).toEqual(['the signature was made with the secret of OTHER'])
  expect(await causesOf({ ...refused, body: Buffer.from(`${EVENT}\n`) })).toEqual([
    'the signature was made with the secret of OTHER',
    'the body ends with a line break that was not signed',
  ])
})

test('nothing is found for another body, with a bounded number of signatures', async () => {
  computed = 0
  expect(await causesOf({ header: signed(EVENT.replace('5.00', '6.00')) })).toBeUndefined()
  expect(computed).toBeLessThan(2_000)

  computed = 0
  const large = Buffer.alloc(65 * 1024, 'a')
  expect(await causesOf({ header: signed(EVENT), body: large })).toBeUndefined()
  expect(computed).toBeLessThan(100)

  computed = 0
  expect(await causesOf({ header: signed(EVENT), body: Buffer.alloc(1024 * 1024 + 1) })).toBeUndefined()
  expect(computed).toBe(0)
})

test('a valid delivery has no mistake', async () => {
  expect(await causesOf({ header: signed(EVENT) })).toEqual([])
})

test('JSON that is nested deeply, whose lines would be as long, is not serialized', async () => {
  const deep = `${'['.repeat(4_000)}${'1,'.repeat(20_000)}1${']'.repeat(4_000)}`
  const started = performance.now()
  expect(await causesOf({ header: `t=${T},v1=${'a'.repeat(64)}`, body: Buffer.from(deep) })).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(5_000)
})
