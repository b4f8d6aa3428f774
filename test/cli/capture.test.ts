import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVICE_NAMES } from '../../conformance/contracts/service-names.ts'
import { requireService } from '../../conformance/contracts/services.ts'
import type { Capture } from '../../schemas/types.ts'
import { correct, SECRETS, serving } from '../conformance/services/receiver.ts'
import { onWindows } from '../support/prerequisites.ts'
import { interrupted, printed, startSandbox } from './sandbox/support.ts'
import {
  freePort,
  hookproof,
  recorder,
  referenceReceiver,
  SECRET,
  start,
  temporaryFolder,
  until,
} from './support.ts'

// Bytes that decoding would change: invalid UTF-8 and a byte-order mark.
const BYTES = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x22, 0xff, 0x00, 0x22, 0x7d])

/** Starts `hookproof listen` at a free port. */
async function relaying(words: readonly string[], options: Parameters<typeof start>[1] = {}) {
  const port = await freePort()
  const running = start(['listen', '--port', String(port), ...words], options)
  await printed(running, /Ctrl-C to stop|"ready"/)
  return { ...running, port, url: `http://127.0.0.1:${port}` }
}

/** Sends bytes with header lines as they are, and returns the response. */
function post(url: string, body: Buffer, headers: readonly string[] = []) {
  return new Promise<{ status: number; headers: object; text: string }>((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers: ['Host', 'shop.example', ...headers] })
    sending.on('error', reject).on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sending.end(body)
  })
}

const filesIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.json'))

/** The only capture of a folder. */
function capturedIn(folder: string): { file: string; capture: Capture } {
  const [name = '', ...others] = filesIn(folder)
  expect(others).toEqual([])
  const file = join(folder, name)
  return { file, capture: JSON.parse(readFileSync(file, 'utf8')) as Capture }
}

/** A capture of a sample of a service, signed an hour ago. */
function captureOf(service: (typeof SERVICE_NAMES)[number], secret: string): string {
  const contract = requireService(service)
  const now = () => Math.floor(Date.now() / 1000) - 3600
  const kit = { secret, seed: 'capture', mode: 'test', now } as const
  const made = contract.sample(contract.samples[0] ?? '', kit)
  if (made === undefined) throw new Error('there is no sample')
  const headers = [
    ['Host', 'shop.example'],
    ...made.headers,
    ...made.stamps,
    ...made.signature.map((value) => [contract.signatureHeader, value]),
    ['Content-Length', String(made.body.length)],
  ]
  const file = join(temporaryFolder(), 'capture.json')
  const at = new Date(now() * 1000).toISOString()
  const body = made.body.toString('base64')
  writeFileSync(file, JSON.stringify({ at, service, method: 'POST', path: '/', headers, body }))
  return file
}

describe('hookproof listen --port', { timeout: 60_000 }, () => {
  test('forwards a delivery byte for byte to all receivers, and answers as the first does', async () => {
    const bodies: string[] = []
    const one = await recorder((_, response) => response.writeHead(202, { 'X-One': 'a' }).end('thanks'))
    const other = await recorder((_, response) => response.writeHead(500).end('no'))
    const listen = await relaying([
      '--forward-to',
      `${one.url}/hooks?a=b`,
      '--forward-to',
      other.url,
      '--header',
      'X-Own: 1',
    ])
    expect(listen.stdout()).toMatch(
      /forwarded to \S+\/hooks\?a=b, whose response the sender gets, and to \S+, whose/,
    )
    const answer = await post(`${listen.url}/webhooks?secret=1`, Buffer.from('{"a": 1}'), [
      'X-Twice',
      'b',
      'x-twice',
      'c',
      'X-Own',
      '2',
    ])
    expect(answer).toMatchObject({ status: 202, headers: { 'x-one': 'a' }, text: 'thanks' })
    await until(() => other.seen.length === 1)
    for (const { seen, url } of [one, other]) {
      bodies.push(seen[0]?.body ?? '')
      expect(seen[0]?.headers).toMatchObject({ host: new URL(url).host, 'x-twice': 'b, c', 'x-own': '1' })
    }
    expect(one.seen[0]?.url).toBe('/hooks?a=b')
    expect(bodies).toEqual(['{"a": 1}', '{"a": 1}'])
    await printed(listen, /--> POST \/webhooks\?secret=\[not shown\] {2}8 bytes/)
    await printed(listen, new RegExp(`<-- ${other.url}/? {2}500 in \\d+ ms`))
    expect(await interrupted(listen)).toBe(0)
  })

  test('answers 502 if the receiver is not there, and 200 without a receiver', async () => {
    const port = await freePort()
    const listen = await relaying(['--forward-to', `localhost:${port}/webhooks`])
    expect((await post(listen.url, BYTES)).status).toBe(502)
    await printed(listen, /<-- http:\/\/localhost:\d+\/webhooks {2}.*ECONNREFUSED/)
    const alone = await relaying([])
    expect(alone.stdout()).toContain('Every request gets 200: add --forward-to to forward it')
    expect((await post(alone.url, BYTES)).status).toBe(200)
  })

  test('says whether the signature is valid, as the service signs', async () => {
    const env = { HOOKPROOF_SECRET: SECRETS.github }
    const listen = await relaying(['--service', 'github'], { env })
    const valid = createHmac('sha256', SECRETS.github).update(BYTES).digest('hex')
    await post(listen.url, BYTES, ['X-Hub-Signature-256', `sha256=${valid}`])
    await printed(listen, /9 bytes {2}signature valid\n/)
    await post(listen.url, BYTES, [
      'X-Hub-Signature-256',
      `sha256=${valid.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`,
    ])
    await printed(listen, /9 bytes {2}the signature is not the expected one\n/)
    await post(listen.url, BYTES)
    await printed(listen, /9 bytes {2}the header is missing or empty\n/)
    expect(listen.stdout()).not.toContain(valid)
  })

  test('prints the same as JSON, and no control characters of a sender', async () => {
    const listen = await relaying(['--json'])
    await post(listen.url, BYTES)
    await printed(listen, '"request"')
    const lines = listen.stdout().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { type: 'ready', url: listen.url, forward_to: [] },
      { type: 'request', method: 'POST', path: '/', bytes: 9, signature: { code: 'no_header' } },
    ])
  })

  test('refuses a body without an end, too many requests, and a port in use', async () => {
    const listen = await relaying([])
    const socket = connect(listen.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    const piece = Buffer.alloc(1024 * 1024)
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')])
    let received = ''
    socket.on('data', (data: Buffer) => (received += data.toString()))
    for (let count = 0; count < 30 && !socket.destroyed; count += 1) socket.write(chunk)
    await until(() => received.startsWith('HTTP/1.1 413') || socket.destroyed)
    // One that arrives in single bytes.
    const slow = connect(listen.port, '127.0.0.1')
    let answer = ''
    slow.on('error', () => undefined).on('data', (data: Buffer) => (answer += data.toString()))
    slow.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    slow.write('1\r\na\r\n'.repeat(400))
    await until(() => answer.startsWith('HTTP/1.1 503') || slow.destroyed)
    expect((await post(listen.url, BYTES)).status).toBe(200)
    const { code, stderr } = await hookproof(['listen', '--port', String(listen.port)])
    expect(stderr).toMatch(
      /^hookproof: --port \d+ is already in use: use another one, or 0 for any free port \[usage\]\n$/,
    )
    expect(code).toBe(2)
  })

  test('holds at most 64 requests at the same time', async () => {
    const { url, seen } = await recorder(() => undefined)
    const listen = await relaying(['--forward-to', url])
    const sent = Array.from({ length: 64 }, () => post(listen.url, BYTES).catch(() => undefined))
    await until(() => seen.length === 64)
    expect((await post(listen.url, BYTES)).status).toBe(503)
    expect(await interrupted(listen)).toBe(0)
    await Promise.all(sent)
  })
})

describe('a capture', { timeout: 60_000 }, () => {
  test('has a delivery byte for byte, which only its owner can read and Git ignores', async () => {
    const cwd = temporaryFolder()
    const listen = await relaying(['--capture', '--service', 'stripe'], {
      cwd,
      env: { HOOKPROOF_SECRET: undefined },
    })
    await post(`${listen.url}/in?a=b`, BYTES, [
      'X-Twice',
      'b',
      'x-twice',
      'c',
      'Stripe-Signature',
      't=1,v1=00',
    ])
    await printed(listen, /9 bytes {2}\.hookproof[/\\][\dTZ-]+-[\da-f]{6}\.json\n/)
    const folder = join(cwd, '.hookproof')
    const { file, capture } = capturedIn(folder)
    expect(capture).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'stripe',
      method: 'POST',
      path: '/in?a=b',
      headers: [
        ['Host', 'shop.example'],
        ['X-Twice', 'b'],
        ['x-twice', 'c'],
        ['Stripe-Signature', 't=1,v1=00'],
        ['Connection', 'keep-alive'],
        ['Transfer-Encoding', 'chunked'],
      ],
      body: BYTES.toString('base64'),
    })
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n')
    if (!onWindows)
      expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700])
    expect(await interrupted(listen)).toBe(0)

    const { url, seen } = await recorder()
    const { code, stdout } = await hookproof(['send', '--capture', file, `${url}/again`])
    expect(code).toBe(0)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      url: '/again',
      headers: { host: new URL(url).host, 'x-twice': 'b, c', 'stripe-signature': 't=1,v1=00' },
    })
    expect(seen[0]?.headers['content-length']).toBe('9')
    expect(stdout).toContain('< 200 in')
  })

  test('of a sandbox is what it sent, and a receiver verifies it again', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const cwd = temporaryFolder()
    const listen = start(
      [
        'listen',
        '--sandbox',
        on.url,
        '--forward-to',
        `${url}/in`,
        '--capture',
        'kept',
        '--header',
        'X-Own: secret',
      ],
      { cwd },
    )
    await printed(listen, 'Ctrl-C to stop')
    await hookproof(['trigger', 'payment.failed', '--sandbox', on.url])
    await printed(listen, /<-- payment\.failed .* {2}kept[/\\]\S+\.json\n/)
    const { file, capture } = capturedIn(join(cwd, 'kept'))
    expect(capture).toMatchObject({ service: 'payment-service', method: 'POST', path: '/in' })
    const headers = new Map(capture.headers)
    expect(headers.get('X-Service-Signature')).toBe(seen[0]?.headers['x-service-signature'])
    expect(headers.has('X-Own')).toBe(false)
    expect(Buffer.from(capture.body, 'base64').toString()).toBe(seen[0]?.body)
    const { stdout, code } = await hookproof(['send', '--capture', file, url])
    expect(code).toBe(0)
    expect(seen[1]?.body).toBe(seen[0]?.body)
    const [, v1 = ''] = /v1=(\w+)/.exec(String(seen[0]?.headers['x-service-signature'])) ?? []
    expect(stdout).not.toContain(v1)
    expect(stdout).toContain(`v1=${v1.slice(0, 8)}...`)
  })

  test('is no longer saved when the folder has 1000, and the deliveries go on', async () => {
    const cwd = temporaryFolder()
    const folder = join(cwd, '.hookproof')
    mkdirSync(folder)
    for (let count = 0; count < 1000; count += 1) writeFileSync(join(folder, `${count}.json`), '{}')
    const listen = await relaying(['--capture'], { cwd })
    for (const _ of [1, 2]) expect((await post(listen.url, BYTES)).status).toBe(200)
    expect(filesIn(folder)).toHaveLength(1000)
    expect(listen.stderr()).toBe(
      'hookproof: not captured: .hookproof has 1000 captures of 2000 bytes; delete some to go on\n',
    )
  })

  test('is signed again for now with --sign, for every service', async () => {
    for (const service of ['stripe', 'github', 'slack', 'standard-webhooks'] as const) {
      const file = captureOf(service, SECRETS[service])
      const env = { HOOKPROOF_SECRET: SECRETS[service] }
      await serving(service, correct(service), async (url) => {
        const isTimed = requireService(service).scheme.signed.includes('time')
        expect((await hookproof(['send', '--capture', file, url])).code).toBe(isTimed ? 1 : 0)
        const { code, stdout } = await hookproof(['send', '--capture', file, '--sign', url], { env })
        expect(stdout).toMatch(/\n< 2\d\d in/)
        expect(code).toBe(0)
      })
    }
    const file = captureOf('payment-service', SECRET)
    const { webhooks } = await referenceReceiver()
    expect((await hookproof(['send', '--capture', file, webhooks])).code).toBe(1)
    expect((await hookproof(['send', '--capture', file, '--sign', webhooks])).code).toBe(0)
  })

  test('has the older signature of GitHub signed again too', async () => {
    const file = captureOf('github', 'the secret of another endpoint')
    const env = { HOOKPROOF_SECRET: SECRETS.github }
    const { url, seen } = await recorder()
    await hookproof(['send', '--capture', file, '--sign', url], { env })
    const [sent] = seen
    const digest = createHmac('sha1', SECRETS.github)
      .update(sent?.body ?? '')
      .digest('hex')
    expect(sent?.headers['x-hub-signature']).toBe(`sha1=${digest}`)
  })

  test('keeps the order of its headers and the signed id when it is signed again', async () => {
    const file = captureOf('standard-webhooks', SECRETS['standard-webhooks'])
    const env = { HOOKPROOF_SECRET: SECRETS['standard-webhooks'] }
    const { headers } = JSON.parse(readFileSync(file, 'utf8')) as Capture
    const { url, seen } = await recorder()
    const { stdout } = await hookproof(['send', '--capture', file, '--sign', url], { env })
    // Who signs it can compare it.
    expect(stdout).toContain(`: ${String(seen[0]?.headers['webhook-signature'])}\n`)
    const sent = seen[0]?.headers ?? {}
    const own = headers
      .map(([name]) => name.toLowerCase())
      .filter((name) => !['host', 'content-length'].includes(name))
    expect(Object.keys(sent).filter((name) => own.includes(name))).toEqual(own)
    const valueOf = (name: string) => headers.find(([other]) => other.toLowerCase() === name)?.[1]
    expect(sent['webhook-id']).toBe(valueOf('webhook-id'))
    expect(sent['webhook-timestamp']).not.toBe(valueOf('webhook-timestamp'))
  })

  test('is signed under the names that its sender uses', async () => {
    const secret = SECRETS['standard-webhooks']
    const file = captureOf('standard-webhooks', secret)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('webhook-', 'svix-'))
    const before = JSON.parse(readFileSync(file, 'utf8')) as Capture
    const { url, seen } = await recorder()
    const words = ['send', '--capture', file, '--sign', '--signature-header', 'svix-signature', url]
    expect((await hookproof(words, { env: { HOOKPROOF_SECRET: secret } })).code).toBe(0)
    const { headers = {}, body = '' } = seen[0] ?? {}
    const [id, t] = [headers['svix-id'], headers['svix-timestamp']]
    expect(id).toBe(new Map(before.headers).get('svix-id'))
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = createHmac('sha256', key)
      .update(`${String(id)}.${String(t)}.${body}`)
      .digest('base64')
    expect(headers['svix-signature']).toBe(`v1,${signature}`)
    expect(headers['webhook-signature']).toBeUndefined()
  })

  test('becomes a test that runs', async () => {
    const file = captureOf('github', SECRETS.github)
    const { code, stdout } = await hookproof([
      'send',
      '--capture',
      file,
      '--test',
      'node',
      'localhost:3000/webhooks',
    ])
    expect(code).toBe(0)
    expect(stdout).toContain("import { test } from 'node:test'")
    expect(stdout).toContain(`npx hookproof send --capture ${file} --sign http://localhost:3000/webhooks`)
    // With another command, since npx would look for an installed package.
    const folder = temporaryFolder()
    const written = join(folder, 'captured.test.mjs')
    writeFileSync(written, stdout.replace(/"npx hookproof [^"]*"/, '"node -e 0"'))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    expect(execFileSync(process.execPath, ['--test', written], { encoding: 'utf8', env })).toMatch(/pass 1/)
    const vitest = await hookproof(['send', '--capture', file, '--test', 'vitest', 'localhost:3000/webhooks'])
    expect(vitest.stdout).toBe(stdout.replace('node:test', 'vitest'))
  })

  test.each<[string, (folder: string) => readonly string[], string]>([
    [
      'a file that is not there',
      (folder) => ['--capture', join(folder, 'none'), 'http://localhost:1'],
      'no such file',
    ],
    ['no JSON', (folder) => ['--capture', join(folder, 'text'), 'http://localhost:1'], 'it is not JSON'],
    [
      'another JSON',
      (folder) => ['--capture', join(folder, 'json'), 'http://localhost:1'],
      'is not a capture: /method: expected',
    ],
    [
      'an event too',
      (folder) => ['--capture', join(folder, 'json'), 'completed', 'http://localhost:1'],
      'pass the URL alone',
    ],
    [
      '--sign without a capture',
      () => ['completed', 'http://localhost:1', '--sign'],
      '--sign needs --capture',
    ],
  ])('refuses %s in one line', async (_, words, message) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'text'), 'nothing')
    writeFileSync(join(folder, 'json'), '{"at":"2026-01-01T00:00:00Z","path":"/","headers":[],"body":"e30="}')
    const { code, stderr } = await hookproof(['send', ...words(folder)])
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/^hookproof: [^\n]* \[usage\]\n$/)
    expect(code).toBe(2)
  })
})

test('listen refuses options of the sandbox with --port, and --service without it', async () => {
  const { stderr } = await hookproof(['listen', '--port', '0', '--events', 'payment.failed'])
  expect(stderr).toContain('--events is of the sandbox, and cannot be combined with --port')
  expect((await hookproof(['listen', '--service', 'stripe'])).stderr).toContain('--service needs --port')
})
