import { createHash, createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hookproof, SECRET, temporaryFolder } from '../support.ts'

const T = 1_750_000_000
const EVENT = '{"event":"payment.completed","payment_id":"tx_1"}'
const OTHER = 'whsec_of_another_endpoint'

const headerOf = (body: string, secret = SECRET) =>
  `t=${T},v1=${createHmac('sha256', secret).update(`${T}.${body}`).digest('hex')}`
const verify = (header: string, input: string, ...more: string[]) =>
  hookproof(['verify', header, '--at', String(T), ...more], { input, env: { OTHER_SECRET: OTHER } })

test('a body that editors end with a line break is recognized, in one line', async () => {
  const { code, stdout } = await verify(headerOf(EVENT), `${EVENT}\n`)
  expect(code).toBe(1)
  expect(stdout.split('\n')[1]).toBe(
    'the body ends with a line break that was not signed; once that is corrected, the signature matches. Something added it: an editor, echo, or a program that writes lines. Save the body byte for byte.',
  )
})

test('the secret of another endpoint is found by the name of its variable or file, and not shown', async () => {
  const file = join(temporaryFolder(), 'secret')
  writeFileSync(file, `${OTHER}\n`)
  for (const name of ['OTHER_SECRET', file]) {
    const { code, stdout } = await verify(headerOf(EVENT, OTHER), EVENT, '--also', name)
    expect(code).toBe(1)
    expect(stdout).toContain(`the signature was made with the secret of ${name}; `)
    expect(stdout).not.toContain(OTHER)
    expect(stdout).not.toContain(SECRET)
  }
})

test('a file of --also that is missing is a usage error', async () => {
  const { code, stderr } = await verify(headerOf(EVENT, OTHER), EVENT, '--also', '/nowhere/secret')
  expect(code).toBe(2)
  expect(stderr).toContain('/nowhere/secret')
})

test.each<[string, string, string, string]>([
  ['an old delivery', headerOf(EVENT).replace(`t=${T}`, `t=${T}`), EVENT, ''],
  ['an unknown secret', headerOf(EVENT, OTHER), EVENT, 'pass the secrets of other endpoints with --also'],
  ['an empty body', headerOf(EVENT), '', 'The body is empty: something has read it before'],
  [
    'a body that was cut',
    headerOf(EVENT),
    EVENT.slice(0, 20),
    'The body is not complete JSON: it was cut off or changed',
  ],
  ['a header without v1', `t=${T}`, EVENT, 'the header needs t and v1'],
  ['a header with an empty v1', `t=${T},v1=`, EVENT, 'the header needs t and v1'],
  [
    'a v1 with more than the signature',
    `${headerOf(EVENT)}=junk`,
    EVENT,
    'something follows the signature in v1',
  ],
  ['a v1 that is no signature', `t=${T},v1=abc`, EVENT, 'v1 is cut: it has 3 of 64 hexadecimal digits'],
  ['a v1 of 4 digits', headerOf(EVENT).slice(0, -60), EVENT, 'v1 is cut: it has 4 of 64 hexadecimal digits'],
  ['a v1 of other characters', `t=${T},v1=xyz`, EVENT, 'v1 has characters that are not hexadecimal digits'],
  ['two headers in one', `${headerOf(EVENT)},${headerOf(EVENT)}`, EVENT, 'but there are 2 t. Send one'],
  ['too many v1', `${headerOf(EVENT)}${',v1=0'.repeat(16)}`, EVENT, 'but there are 17 v1. Send at most 16'],
])('%s', async (_, header, body, expected) => {
  const at = expected === '' ? ['--at', String(T + 301)] : ['--at', String(T)]
  const { code, stdout } = await hookproof(['verify', header, ...at], { input: body })
  expect(code).toBe(1)
  expect(stdout).toContain(
    expected || 'the signature itself matches, but t is too far from the time of the verification',
  )
})

test('a t in milliseconds is recognized', async () => {
  const v1 = createHmac('sha256', SECRET).update(`${T}123.${EVENT}`).digest('hex')
  const { stdout } = await verify(`t=${T}123,v1=${v1}`, EVENT)
  expect(stdout).toContain('the signature itself matches, but t is not in seconds')
})

test('a second mistake does not hide the time', async () => {
  const late = await verify(headerOf(EVENT), `${EVENT}\n`, '--at', String(T + 301))
  expect(late.stdout).toMatch(/not signed; .* Besides, t is too far .* pass its t as --at\./)

  const v1 = createHmac('sha256', SECRET).update(`${T}123.${EVENT}`).digest('hex')
  const { stdout } = await verify(`t=${T}123,v1=${v1}`, `${EVENT}\n`)
  expect(stdout).toMatch(/not signed; .* Besides, t is not in seconds/)
})

test('a valid delivery gets what to compare with a receiver that refuses it, without the secret', async () => {
  const { code, stdout } = await verify(headerOf(EVENT), EVENT)
  expect(code).toBe(0)
  const [, advice = ''] = stdout.split('\n')
  expect(advice).toContain('If your receiver answered 401 to it')
  expect(advice).toContain(
    `${EVENT.length} bytes and the SHA-256 ${createHash('sha256').update(EVENT).digest('hex')}`,
  )
  expect(advice).toContain(`the secret here has ${SECRET.length} bytes and ends with`)
  expect(stdout).not.toContain(SECRET)
})

test('a line break at the end of the file of the secret is left out, and named', async () => {
  const file = join(temporaryFolder(), 'secret')
  const run = (header: string) =>
    hookproof(['verify', header, '--at', String(T), '--secret-file', file], { input: EVENT })
  writeFileSync(file, `${SECRET}\n`)
  for (const header of [headerOf(EVENT), headerOf(EVENT, OTHER)])
    expect((await run(header)).stdout.split('\n')[2]).toContain(
      `${file} ends with a line break, which is not part of it: it was left out here.`,
    )
  writeFileSync(file, SECRET)
  expect((await run(headerOf(EVENT))).stdout).not.toContain(`${file} ends with`)
})

test('shows the bytes that differ, and the code for a framework', async () => {
  const spaced = EVENT.replaceAll(/[:,]/g, '$& ')
  const { stdout } = await verify(headerOf(spaced), EVENT)
  expect(stdout).toContain(
    [
      '',
      `Signed  ${T}.{"event": "payment.completed", "payment_id": "tx_1"}`,
      '                            ^                    ^             ^',
      `Hashed  ${T}.{"event":"payment.completed","payment_id":"tx_1"}`,
      'They differ from byte 20: 63 bytes were signed, and these are 60.',
      'Code for your framework: add --framework with one of express, ',
    ].join('\n'),
  )
  const flask = await verify(headerOf(spaced), EVENT, '--framework', 'flask')
  expect(flask.stdout).toContain('\nExample in Flask:\n    import hashlib')
  expect(flask.stdout).not.toContain('--framework')
  const other = await verify(headerOf(EVENT, OTHER), EVENT, '--framework', 'flask')
  expect(other.stdout).not.toMatch(/Signed|Example/)
})
