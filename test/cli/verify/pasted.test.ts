import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { readPasted } from '../../../cli/commands/verify/pasted.ts'
import { hookproof, SECRET } from '../support.ts'

const T = 1_750_000_000
const BODY = '{"event":"payment.completed","payment_id":"tx_1"}'
const signatureOf = (body: string) =>
  `t=${T},v1=${createHmac('sha256', SECRET).update(`${T}.${body}`).digest('hex')}`
const HEADER = `X-Service-Signature: ${signatureOf(BODY)}`
const REQUEST = `POST /webhooks HTTP/1.1\r\nHost: localhost:3000\r\n${HEADER}\r\nContent-Length: ${BODY.length}\r\n\r\n`

const verify = (pasted: string, ...more: string[]) =>
  hookproof(['verify', pasted, ...more, '--at', String(T)], { input: BODY })

test.each([
  ['a header line', HEADER],
  ['header lines as curl --verbose shows them', `> POST /webhooks HTTP/1.1\n> Host: x\n> ${HEADER}\n> `],
  ['the header lines of a request without its body', REQUEST],
])('verify takes %s, and the body from standard input', async (_, pasted) => {
  expect((await verify(pasted)).stdout).toContain('valid: payment.completed of payment tx_1')
  expect((await verify(pasted.replace('X-Service', 'x-service'))).code).toBe(0)
})

test.each([
  ['an entire request', `${REQUEST}${BODY}`],
  ['a request with a line break after its body', `${REQUEST}${BODY}\r\n\n`],
  ['a request without its first line', `${HEADER}\n\n${BODY}`],
  ['a curl command', `$ curl -sSi 'http://localhost:3000/' -H '${HEADER}' --data-binary '${BODY}' | head`],
  [
    'a curl command of several lines',
    `curl http://localhost:3000/ \\\n  --header "${HEADER}" \\\r\n  -d${JSON.stringify(BODY)}`,
  ],
])('verify takes the body from %s', async (_, pasted) => {
  const other = 'another body'
  const { code, stdout } = await hookproof(['verify', pasted, '--at', String(T)], { input: other })
  expect(stdout).toContain('valid: payment.completed of payment tx_1')
  expect(code).toBe(0)
  // A file that is named has precedence.
  expect((await hookproof(['verify', pasted, '-', '--at', String(T)], { input: other })).code).toBe(1)
})

test('a name before another value is no header line of the signature', async () => {
  const { code, stdout } = await verify(`Signature: ${signatureOf(BODY)}`)
  expect(code).toBe(1)
  expect(stdout).toContain('the value of the header includes its name;')
})

const dataIn = (command: string) => readPasted(command).body

test('reads the quotes of a shell as it does', () => {
  expect(dataIn(String.raw`curl x -d 'it'\''s'`)).toBe("it's")
  expect(dataIn(String.raw`curl x --data-raw "a\"b\\c\$d\n$"`)).toBe(String.raw`a"b\c$d\n$`)
  expect(dataIn(String.raw`curl x --data-raw $'a\r\n\u00fc\xc3\xbc\'\U0001f600\\'`)).toBe("a\r\nüü'😀\\")
  expect(dataIn('curl x -d a -d b')).toBe('a&b')
  expect(dataIn('curl x --json "{}"; curl y -d other')).toBe('{}')
})

test('takes no body from a file that the command names', () => {
  expect(readPasted('curl x -H "a: b" --data-binary @body.json')).toEqual({ headers: [['a', 'b']] })
  expect(dataIn('curl x --data-raw @body.json')).toBe('@body.json')
})

test('keeps a line break that Content-Length counts, and what is no line break', () => {
  expect(readPasted('Content-Length: 3\n\nab\n').body).toBe('ab\n')
  expect(readPasted('Content-Length: 2\n\nab\n').body).toBe('ab')
  expect(readPasted('Content-Length: 1\n\nab\n').body).toBe('ab\n')
  expect(readPasted('a: b\n\nab\n').body).toBe('ab\n')
})

test('reads the longest and the most hostile text in bounded time', () => {
  const size = 1_000_000
  for (const text of [
    `curl ${'\\'.repeat(size)}`,
    `curl "${'\\"'.repeat(size / 2)}`,
    `curl ${"$'".repeat(size / 2)}`,
    `a:${' '.repeat(size)}b`,
    ' '.repeat(size),
    '\n'.repeat(size),
    'a: b\r'.repeat(size / 5),
    `curl ${'-'.repeat(size)}`,
    `curl -${'s'.repeat(size)}`,
  ]) {
    const started = performance.now()
    readPasted(text)
    expect(performance.now() - started, text.slice(0, 10)).toBeLessThan(1000)
  }
  expect(readPasted(`a: b\n\n${'x'.repeat(3_000_000)}`)).toEqual({ headers: [] })
  expect(readPasted('a: b\n'.repeat(10_000)).headers).toHaveLength(200)
})
