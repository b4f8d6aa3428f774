import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hookproof, type RunOptions, SECRET, temporaryFolder } from './support.ts'

const T = 1_750_000_000
const BODY = '{"id":"evt_1","type":"invoice.paid","note":"Zoë"}'
const ENCODED = 'c2VjcmV0IG9mIHRoZSB0ZXN0IG9mIHNpZ25pbmc='

const sign = (args: readonly string[], options: RunOptions = {}) =>
  hookproof(['sign', ...args], { input: BODY, ...options })
const linesOf = (stdout: string) =>
  Object.fromEntries(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? []
        return [name, value]
      }),
  )
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

test('without a service it prints the value of the header alone', async () => {
  const { stdout } = await sign(['--at', String(T)])
  expect(stdout).toBe(`t=${T},v1=${hmac(SECRET, `${T}.${BODY}`).digest('hex')}\n`)
})

describe('prints every header line that the service sends', () => {
  test('of Stripe', async () => {
    const { code, stdout } = await sign(['--service', 'stripe', '--at', String(T)])
    expect(code).toBe(0)
    expect(linesOf(stdout)).toEqual({
      'Content-Type': 'application/json',
      'Stripe-Signature': `t=${T},v1=${hmac(SECRET, `${T}.${BODY}`).digest('hex')}`,
    })
  })

  test('of GitHub, with the event and a new id', async () => {
    const lines = async (...more: string[]) => linesOf((await sign(['--service', 'github', ...more])).stdout)
    const first = await lines('--event', 'issues')
    expect(first).toEqual({
      'Content-Type': 'application/json',
      'X-GitHub-Event': 'issues',
      'X-GitHub-Delivery': expect.stringMatching(/^[\da-f-]{36}$/),
      'X-Hub-Signature': `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}`,
      'X-Hub-Signature-256': `sha256=${hmac(SECRET, BODY).digest('hex')}`,
    })
    expect((await lines())['X-GitHub-Delivery']).not.toBe(first['X-GitHub-Delivery'])
  })

  test('of Standard Webhooks, with an id and the time', async () => {
    const args = ['--service', 'standard-webhooks', '--at', String(T), '--id', 'msg_1']
    const { stdout } = await sign(args, { env: { HOOKPROOF_SECRET: `whsec_${ENCODED}` } })
    const signature = hmac(Buffer.from(ENCODED, 'base64'), `msg_1.${T}.${BODY}`).digest('base64')
    expect(linesOf(stdout)).toEqual({
      'Content-Type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(T),
      'webhook-signature': `v1,${signature}`,
    })
  })

  test('of a service that names all of its headers otherwise', async () => {
    const args = ['--service', 'standard-webhooks', '--signature-header', 'svix-signature']
    const { stdout } = await sign(args, { env: { HOOKPROOF_SECRET: ENCODED } })
    expect(Object.keys(linesOf(stdout))).toEqual([
      'Content-Type',
      'svix-id',
      'svix-timestamp',
      'svix-signature',
    ])
  })
})

test('takes the service of the config file', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'hookproof.config.json'), '{"service":"github"}')
  expect((await sign([], { cwd })).stdout).toContain('X-Hub-Signature-256: sha256=')
  expect((await sign(['--service', 'stripe'], { cwd })).stdout).toContain('Stripe-Signature: t=')
})

test.each<[string, readonly string[], string, RunOptions?]>([
  ['an unknown service', ['--service', 'strip'], '--service is not known: strip; did you mean stripe?'],
  ['a time that is not signed', ['--service', 'github', '--at', '1'], '--at has no use for GitHub'],
  ['an id that is not signed', ['--service', 'stripe', '--id', 'evt_1'], '--id has no use for Stripe'],
  ['an event in no header', ['--service', 'stripe', '--event', 'x'], '--event has no use for Stripe'],
  ['an event without a service', ['--event', 'push'], '--event is of header lines'],
  [
    'a secret of another form',
    ['--service', 'standard-webhooks', '--secret', 'plain text!'],
    '--secret must be base64, after whsec_',
  ],
])('refuses %s in one line', async (_, args, message) => {
  const { code, stdout, stderr } = await sign(args)
  expect(stderr).toContain(message)
  expect(stderr).toMatch(/^hookproof: [^\n]* \[bad_option\]\n$/)
  expect([code, stdout]).toEqual([2, ''])
})
