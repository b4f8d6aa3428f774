import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVICE_NAMES } from '../../../conformance/contracts/service-names.ts'
import { hookproof, SECRET, temporaryFolder } from '../support.ts'

const T = 1_750_000_000
const BODY = '{"id":"evt_1","type":"invoice.paid","note":"Zoë"}'
const ENCODED = 'c2VjcmV0IG9mIHRoZSB0ZXN0IG9mIHNpZ25pbmc='
const ENV = { HOOKPROOF_SECRET: `whsec_${ENCODED}` }

const verify = (service: string, given: string, input = BODY, ...more: string[]) =>
  hookproof(['verify', given, '--service', service, ...more], { input, env: ENV })
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
const KEY = Buffer.from(ENCODED, 'base64')
const OF_TIME = ['--at', String(T)]
const STAMPS = ['--header', 'webhook-id: msg_1', '--header', `webhook-timestamp: ${T}`, ...OF_TIME]

test.each(SERVICE_NAMES)(
  'accepts the header lines that `sign` prints for %s, however they were copied',
  async (service) => {
    const event = '{"event":"payment.completed","payment_id":"tx_1"}'
    const { stdout: lines } = await hookproof(['sign', '--service', service], { input: event, env: ENV })
    const verified = await verify(service, lines, event)
    expect(verified.stdout).toMatch(/^valid: /)
    expect(verified.code).toBe(0)
    // As `curl --verbose` shows it.
    expect((await verify(service, lines.replaceAll(/^(?=.)/gm, '> '), event)).code).toBe(0)
    expect((await verify(service, lines, `${event} `)).code).toBe(1)
  },
)

const stripe = (body: string, key: string | Buffer = ENV.HOOKPROOF_SECRET) =>
  `t=${T},v1=${hmac(key, `${T}.${body}`).digest('hex')}`
const github = (body: string, key: string | Buffer = ENV.HOOKPROOF_SECRET) =>
  `sha256=${hmac(key, body).digest('hex')}`
const standard = (text: string, key: string | Buffer = KEY, digest: 'hex' | 'base64' = 'base64') =>
  `v1,${hmac(key, text).digest(digest)}`
const FULL = `msg_1.${T}.${BODY}`

test.each<[string, string, string, string, readonly string[], string]>([
  ['an old delivery', 'stripe', stripe(BODY), BODY, ['--at', String(T + 900)], 't is 900 s old'],
  [
    'a body that was serialized again',
    'stripe',
    stripe(BODY),
    JSON.stringify(JSON.parse(BODY), null, 2),
    OF_TIME,
    'the same JSON as written by JSON.stringify of JavaScript',
  ],
  ['a secret that was decoded', 'stripe', stripe(BODY, KEY), BODY, OF_TIME, 'the secret decoded from base64'],
  [
    'a signature over the body alone',
    'stripe',
    `t=${T},v1=${hmac(ENV.HOOKPROOF_SECRET, BODY).digest('hex')}`,
    BODY,
    OF_TIME,
    'the body without t;',
  ],
  ['a line break that was lost', 'github', github(`${BODY}\n`), BODY, [], 'ends with a line break (LF)'],
  [
    'a signature in base64',
    'github',
    `sha256=${hmac(ENV.HOOKPROOF_SECRET, BODY).digest('base64')}`,
    BODY,
    [],
    'the signature is in base64',
  ],
  ['a signature without its label', 'github', github(BODY).slice(7), BODY, [], 'is not written as sha256=…'],
  [
    'another secret',
    'github',
    github(BODY, 'other'),
    BODY,
    [],
    'most likely the secret is of another endpoint',
  ],
  [
    'an id that was not signed',
    'standard-webhooks',
    standard(`${T}.${BODY}`),
    BODY,
    STAMPS,
    'webhook-timestamp and the body, without webhook-id',
  ],
  [
    'a secret that was not decoded',
    'standard-webhooks',
    standard(FULL, ENV.HOOKPROOF_SECRET),
    BODY,
    STAMPS,
    'the text of the secret instead of the bytes',
  ],
  [
    'a signature in hexadecimal',
    'standard-webhooks',
    standard(FULL, KEY, 'hex'),
    BODY,
    STAMPS,
    'v1 is in hexadecimal',
  ],
  [
    'a missing id',
    'standard-webhooks',
    standard(FULL),
    BODY,
    STAMPS.slice(2),
    'the header webhook-id is missing',
  ],
  [
    'a time in milliseconds',
    'standard-webhooks',
    standard(`msg_1.${T}000.${BODY}`),
    BODY,
    ['--header', 'webhook-id: msg_1', '--header', `webhook-timestamp: ${T}000`],
    'webhook-timestamp is not in',
  ],
])('names %s', async (_, service, header, body, more, expected) => {
  const { code, stdout } = await verify(service, header, body, ...more)
  expect(stdout).toContain(expected)
  expect(stdout).toMatch(/^refused: /)
  expect(stdout).not.toContain(ENV.HOOKPROOF_SECRET)
  expect(code).toBe(1)
})

test('finds the secret of another endpoint, and does not show it', async () => {
  const file = join(temporaryFolder(), 'other')
  writeFileSync(file, 'secret of another endpoint\n')
  const { code, stdout } = await verify(
    'github',
    github(BODY, 'secret of another endpoint'),
    BODY,
    '--also',
    file,
  )
  expect(stdout).toContain(`made with the secret of ${file}`)
  expect(stdout).not.toContain('secret of another endpoint')
  expect(code).toBe(1)
})

test('takes header lines under the names of another service with the same scheme', async () => {
  const lines = `svix-id: msg_1\nsvix-timestamp: ${T}\nsvix-signature: ${standard(FULL)}`
  const args = ['--signature-header', 'svix-signature', ...OF_TIME]
  expect((await verify('standard-webhooks', lines, BODY, ...args)).code).toBe(0)
})

const SHA_1 = `sha1=${createHmac('sha1', ENV.HOOKPROOF_SECRET).update(BODY).digest('hex')}`
const IGNORED =
  'X-Hub-Signature, by SHA-1, is for older receivers and was not verified: check only X-Hub-Signature-256.'
test.each<[string, string, number]>([
  ['all header lines', `x-hub-signature: ${SHA_1}\nx-hub-signature-256: ${github(BODY)}`, 0],
  ['a curl command', `curl x -H 'X-Hub-Signature: ${SHA_1}' -H 'X-Hub-Signature-256: ${github(BODY)}'`, 0],
  ['its header line alone', `X-Hub-Signature: ${SHA_1}`, 1],
  ['its value alone', SHA_1, 1],
])('says that the older signature of GitHub is not verified: %s', async (_, given, code) => {
  const verified = await verify('github', given)
  expect(verified.stdout).toContain(IGNORED)
  expect(verified.code).toBe(code)
})

test('says nothing about an older signature where there is none', async () => {
  expect((await verify('github', `X-Hub-Signature-256: ${github(BODY)}`)).stdout).not.toContain('SHA-1')
})

test.each<[string, string, readonly string[], string]>([
  ['an unknown service', 'hub', [], '--service is not known: hub; choose from'],
  ['a time that is not signed', 'github', OF_TIME, '--at has no use for GitHub'],
  ['a tolerance without a time', 'github', ['--tolerance', '5'], '--tolerance has no use for GitHub'],
  ['a secret of another form', 'standard-webhooks', ['--secret', SECRET], '--secret must be base64'],
])('refuses %s in one line', async (_, service, more, message) => {
  const { code, stderr } = await verify(service, 'x', BODY, ...more)
  expect(stderr).toContain(message)
  expect(stderr).toMatch(/^hookproof: [^\n]* \[bad_option\]\n$/)
  expect(code).toBe(2)
})
