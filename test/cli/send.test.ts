import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { correct, SECRETS, serving } from '../conformance/services/receiver.ts'
import { hookproof, type RunOptions, recorder } from './support.ts'

const secretOf = (service: keyof typeof SECRETS): RunOptions => ({
  env: { HOOKPROOF_SECRET: SECRETS[service] },
})
const send = (service: keyof typeof SECRETS, ...args: string[]) =>
  hookproof(['send', ...args, '--service', service], secretOf(service))

test('sends the sample event of a service, as it signs it', async () => {
  const { url, seen } = await recorder()
  const { code, stdout } = await send('stripe', 'charge-refunded', url)
  expect(code).toBe(0)
  const { headers = {}, body = '' } = seen[0] ?? {}
  expect(JSON.parse(body)).toMatchObject({ type: 'charge.refunded', livemode: false })
  const [, t = '', v1 = ''] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['stripe-signature'])) ?? []
  expect(v1).toBe(createHmac('sha256', SECRETS.stripe).update(`${t}.${body}`).digest('hex'))
  expect(stdout).toContain(`\n> Stripe-Signature: t=${t},v1=${v1}\n`)
  expect(stdout).not.toContain(SECRETS.stripe)
})

test('takes the name of the event too, and an event is sent again as it was', async () => {
  const { url, seen } = await recorder()
  for (const name of ['charge.refunded', 'charge.refunded'])
    expect((await send('stripe', name, url, '--seed', 'same')).code).toBe(0)
  const [first, again] = seen.map(({ body }) => JSON.parse(body) as { id: string; type: string })
  expect(first?.type).toBe('charge.refunded')
  expect(again?.id).toBe(first?.id)
})

test('any status from 200 to 299 acknowledges, and no other', async () => {
  const statuses = [204, 299, 302, 401]
  const { url } = await recorder((_, response) => response.writeHead(statuses.shift() ?? 500).end())
  for (const code of [0, 0, 1, 1]) expect((await send('github', 'push', url)).code).toBe(code)
})

test('grades the deliveries of a case of the service', async () => {
  for (const service of ['stripe', 'github', 'standard-webhooks'] as const) {
    const { code, stdout } = await serving(service, correct(service), (url) =>
      send(service, 'signature/another-secret', url),
    )
    expect(stdout).toMatch(/\nsignature\/another-secret: passed\n$/)
    expect(code).toBe(0)
  }
  const { url } = await recorder()
  const { code, stdout } = await send('stripe', 'signature/another-secret', url)
  expect(stdout).toMatch(/\nsignature\/another-secret: failed\n$/)
  expect(code).toBe(1)
})

test('fails a case whose responses disclose what only a case over the entire run looks for', async () => {
  const { url } = await recorder((request, response) => {
    const isOdd = request.url.endsWith('/%')
    response.writeHead(isOdd ? 500 : 200).end(isOdd ? 'Error\n    at decode (/app/server.js:12:7)' : '')
  })
  const { code, stdout } = await hookproof(['send', 'robustness/good-after-odd-targets', `${url}/webhooks`])
  expect(stdout).toContain('\nrobustness/good-after-odd-targets: passed\n')
  expect(stdout).toMatch(
    /\nExpected: no response of the run contains a stack trace\. Received: .* status 500 .*\.\ndisclosure\/no-trace-in-any-response: failed\n$/,
  )
  expect(code).toBe(1)
})

test('prints the path and the query that it sends', async () => {
  const { url, seen } = await recorder()
  const { stdout } = await hookproof(['send', 'bypass/test-in-the-query', `${url}/webhooks`])
  const printed = [...stdout.matchAll(/^> POST (.*)$/gm)].map(([, path]) => path)
  expect(printed).toEqual(seen.map((request) => request.url))
  expect(printed).toContainEqual(expect.stringMatching(/^\/webhooks\?test=1/))
})

test('lists the sample events', async () => {
  const { code, stdout } = await hookproof(['send', '--list', '--service', 'stripe'])
  expect(stdout).toMatch(/^payment-intent-succeeded +payment_intent\.succeeded$/m)
  expect(code).toBe(0)
  expect((await hookproof(['send', '--list'])).stdout).toMatch(/^completed +payment\.completed$/m)
})

test.each<[string, readonly string[], string]>([
  ['an unknown service', ['push', 'http://localhost:1', '--service', 'git'], '--service is not known: git'],
  [
    'live mode',
    ['push', 'http://localhost:1', '--service', 'github', '--mode', 'live'],
    '--mode: the events of GitHub',
  ],
  [
    'a secret of another form',
    ['invoice-paid', 'http://localhost:1', '--service', 'standard-webhooks', '--secret', 'plain text!'],
    '--secret must be base64',
  ],
  [
    'an unknown sample',
    ['pus', 'http://localhost:1', '--service', 'github'],
    'there is no event or case "pus": did you mean push?',
  ],
  ['a missing URL', ['push', '--service', 'github'], '`hookproof send --list` lists the events'],
])('refuses %s in one line', async (_, args, message) => {
  const { code, stdout, stderr } = await hookproof(['send', ...args])
  expect(stderr).toContain(message)
  expect(stderr).toMatch(/^hookproof: [^\n]* \[(?:bad_option|usage)\]\n$/)
  expect([code, stdout]).toEqual([2, ''])
})
