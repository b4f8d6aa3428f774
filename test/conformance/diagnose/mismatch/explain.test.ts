import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { explain, type Hmac, type Refused } from '../../../../conformance/diagnose/mismatch/explain.ts'

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
const changesOf = async (refused: Partial<Refused> & Pick<Refused, 'header'>) =>
  (await explain({ body: Buffer.from(EVENT), secret: SECRET, ...refused }, hmac))?.changes

/** What the service signs, what a program made of it, and what has to be different. */
const BODIES: readonly [signedBody: string | Buffer, received: string | Buffer, change: string][] = [
  [EVENT, `${EVENT}\r\n`, 'the final line break is removed'],
  [`${EVENT}\n`, EVENT, 'a final line break (LF) is added'],
  [`${EVENT}\r\n`, EVENT, 'a final line break (CRLF) is added'],
  ['{\r\n}', '{\n}', 'the line breaks are CRLF instead of LF'],
  ['{\n}', '{\r\n}', 'the line breaks are LF instead of CRLF'],
  [EVENT, `\uFEFF${EVENT}`, 'the byte-order mark at its start is removed'],
  [`\uFEFF${EVENT}`, EVENT, 'a byte-order mark is added at its start'],
  [EVENT, `  ${EVENT} \n`, 'the whitespace around it is removed'],
  [EVENT, JSON.stringify(JSON.parse(EVENT), null, 2), 'the JSON is written by JSON.stringify of JavaScript'],
  [
    '{"event": "payment.completed", "note": "Zo\\u00eb"}',
    '{"event":"payment.completed","note":"Zoë"}',
    'the JSON is written by json.dumps of Python',
  ],
  [
    '{"url":"https:\\/\\/a","note":"Zo\\u00eb"}',
    '{"url":"https://a","note":"Zoë"}',
    'the JSON is written by json_encode of PHP',
  ],
  ['{"a":"\\u0026","b":1}', '{ "b": 1, "a": "&" }', 'the JSON is written by json.Marshal of Go'],
  [
    '{"b":"\\u0026","a":1}',
    '{ "b": "&", "a": 1 }',
    'the JSON is written by json.Marshal of Go with a struct',
  ],
  ['{"a":"\\u0026"}\n', '{ "a": "&" }', 'the JSON is written by json.Encoder of Go'],
  ['{"a":"\\u003d"}', '{"a": "="}', 'the JSON is written by toJson of Gson for Java'],
  ['{"a":"\\u002B\\u00EB\\u0022"}', '{"a": "+ë\\""}', 'the JSON is written by JsonSerializer of .NET'],
  [EVENT, Buffer.from(Buffer.from(EVENT).toString('latin1')), 'it is encoded as UTF-8 once instead of twice'],
  [
    Buffer.from(Buffer.from(EVENT).toString('latin1')),
    EVENT,
    'it is decoded as Latin-1 and encoded as UTF-8',
  ],
  ['{"a":"“Zoë”"}', '{"a":"â€œZoÃ«â€\u009d"}', 'it is encoded as UTF-8 once instead of twice (Windows-1252)'],
  [
    EVENT,
    Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(EVENT, 'utf16le')]),
    'it is in UTF-8 instead of UTF-16',
  ],
  [EVENT, EVENT.normalize('NFD'), 'its characters are in the form NFC'],
  [EVENT, Buffer.from(EVENT).toString('base64'), 'it is decoded from base64'],
  [EVENT, new URLSearchParams([[EVENT, '']]).toString(), 'it is not read as a form'],
  ['{"a":"1+1"}', '{"a":"1 1"}', 'its spaces are plus signs'],
  [EVENT, JSON.stringify(EVENT), 'it is not written as a JSON string'],
  ['{"a":"b"}', `b'{"a":"b"}'`, "it is not in Python's b'…'"],
  [
    '{"n":1.0,"a":"b \\"c"}',
    '{\r\n  "n": 1.0,\r\n  "a": "b \\"c"\r\n}',
    'the whitespace between the parts of its JSON is removed',
  ],
  [EVENT, `'${EVENT}'`, 'the quotation marks around it are removed'],
  ['{"a":"b"}', '{“a”:“b”}', 'its quotation marks are straight'],
  ['{"a":"b"}', '{\\"a\\":\\"b\\"}', 'the backslashes before its quotation marks are removed'],
  [
    EVENT,
    `POST /webhooks HTTP/1.1\r\nHost: localhost\r\n\r\n${EVENT}`,
    'the head of the request before it is removed',
  ],
]

test.each(BODIES)('the signature of %j matches %j if %s', async (original, received, change) => {
  expect(await changesOf({ header: signed(original), body: Buffer.from(received) })).toEqual([change])
})

test.each<[given: string, signs: string | Buffer, change: string]>([
  [` ${SECRET}`, SECRET, 'the whitespace around the secret is removed'],
  [`"${SECRET}"`, SECRET, 'the quotation marks around the secret are removed'],
  [`HOOKPROOF_SECRET=${SECRET}`, SECRET, 'the name before the secret is removed'],
  [`export WEBHOOK_SECRET="${SECRET}"`, SECRET, 'the name before the secret is removed'],
  [SECRET.slice(6), SECRET, 'whsec_ is put before the secret'],
  [SECRET, SECRET.slice(6), 'the secret is used without its prefix'],
  [SECRET, Buffer.from(SECRET.slice(6), 'base64'), 'the secret is decoded from base64 without its prefix'],
  ['whsec_c0de01', Buffer.from('c0de01', 'hex'), 'the secret is decoded from hexadecimal'],
  [SECRET, `${SECRET}\n`, 'the secret ends with a line break (LF)'],
  [SECRET, `"${SECRET}"`, 'the secret is in quotation marks'],
  [SECRET, '', 'the secret is empty'],
])('the secret %j matches what %j signed if %s', async (secret, signs, change) => {
  expect(await changesOf({ header: signed(EVENT, signs), secret })).toEqual([change])
})

test.each<[v1: string, change: string, t?: string]>([
  [sign(EVENT).digest('hex'), 'the body is signed without t'],
  [sign(`${T}${EVENT}`).digest('hex'), 't and the body are signed without the dot'],
  [sign(`${EVENT}.${T}`).digest('hex'), 'the body, a dot and t are signed'],
  [sign(`${T}000.${EVENT}`).digest('hex'), 't is signed in milliseconds'],
  [sign(`${T}.${EVENT}`).digest('hex'), 't is signed in seconds', `${T}123`],
  [sign(`${T}.${EVENT}`, SECRET, 'sha1').digest('hex'), 'it is signed with HMAC-SHA1'],
  [sign(`${T}.${EVENT}`).digest('base64'), 'v1 is in hexadecimal instead of base64'],
  [sign(`${T}.${EVENT}`).digest('hex').toUpperCase(), 'v1 is in lowercase'],
])('v1=%s matches if %s', async (v1, change, t = T) => {
  expect(await changesOf({ header: `t=${t},v1=${v1}` })).toEqual([change])
})

const HEX = sign(`${T}.${EVENT}`).digest('hex')
const SPELLED = 'the header is written as t=…,v1=…'
const LABELED = 'the label of the signature is v1'
const SECONDS = 't is written in Unix seconds, as digits alone'

test.each<[header: string, change: string]>([
  [`t=${T},v1=${HEX}=junk`, 'v1 is only the signature, without what follows it'],
  [`t=${T},v1=${HEX}00`, 'v1 is only the signature, without what follows it'],
  [`t=${T},v1=sha256=${HEX}`, 'v1 is only the signature, without what precedes it'],
  [`t=${T},v1="${HEX}"`, 'v1 is only the signature, without what precedes and follows it'],
  [`t=${T},v1=${HEX.match(/../g)?.join(':')}`, 'v1 has nothing between its digits'],
  [`t=${T},v1=${HEX.slice(0, 63)}`, 'v1 has all 64 digits, and not only the first 63'],
  [`t=${T},v1=${HEX.slice(0, 8)}…`, 'v1 has all 64 digits, and not only the first 8'],
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
  [`"X-Service-Signature: t=${T},v1=${HEX}"`, 'the name and the quotation marks of the header are removed'],
  [`X-Service-Signature: "t=${T},v1=${HEX}"`, 'the name and the quotation marks of the header are removed'],
  [`x-service-signature: t=${T},v1=${HEX}`, 'the name of the header is removed'],
  [`t=${T},v1=${HEX}\n`, 'the line break in the header is removed'],
  [`t=${T},\r\nv1=${HEX}`, 'the line break in the header is removed'],
  [`t=${T}, v1=${HEX}`, 'the spaces in the header are removed'],
  [`t=${T},v1=${HEX.slice(0, 30)}\n${HEX.slice(30)}`, 'the line break or space inside v1 is removed'],
])('the header %s matches if %s', async (header, change) => {
  expect(await changesOf({ header })).toEqual([change])
})

test('a header in another form is no excuse for another signature', async () => {
  const other = HEX.replace(/./g, (digit) => (digit === 'a' ? 'b' : 'a'))
  for (const v1 of [`${other}=junk`, other.slice(0, 63), `sha256=${other}`, `${HEX.slice(0, 7)}…`])
    expect(await changesOf({ header: `t=${T},v1=${v1}` })).toBeUndefined()
  expect(await changesOf({ header: `t=${T};v1=${other}` })).toBeUndefined()
})

test('two mistakes are found together, and the secret of another endpoint by its name', async () => {
  const refused = { header: signed(EVENT, 'whsec_other'), also: { OTHER: 'whsec_other' } }
  expect(await changesOf(refused)).toEqual(['the secret is the one of OTHER'])
  expect(await changesOf({ ...refused, body: Buffer.from(`${EVENT}\n`) })).toEqual([
    'the secret is the one of OTHER',
    'the final line break is removed',
  ])
})

test('nothing is found for another body, with a bounded number of signatures', async () => {
  computed = 0
  expect(await changesOf({ header: signed(EVENT.replace('5.00', '6.00')) })).toBeUndefined()
  expect(computed).toBeLessThan(2_000)

  computed = 0
  const large = Buffer.alloc(65 * 1024, 'a')
  expect(await changesOf({ header: signed(EVENT), body: large })).toBeUndefined()
  expect(computed).toBeLessThan(100)

  computed = 0
  expect(await changesOf({ header: signed(EVENT), body: Buffer.alloc(1024 * 1024 + 1) })).toBeUndefined()
  expect(computed).toBe(0)
})

test('a valid delivery needs no change', async () => {
  expect(await changesOf({ header: signed(EVENT) })).toEqual([])
})
