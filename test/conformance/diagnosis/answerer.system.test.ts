import { describe, expect, it, test } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { answererOf } from '../../../conformance/diagnosis/answerer.ts'
import { serve } from '../servers.ts'
import { smallReceiver } from '../small-receiver.ts'
import { SECRET } from '../support.ts'

type Response = readonly [status: number, headers: Readonly<Record<string, string>>, body: string]

const EXPRESS = '<title>Error</title>\n</head>\n<body>\n<pre>PayloadTooLargeError</pre>'
const SPRING = '{"timestamp":"2026-01-01T00:00:00Z","status":415,"error":"Unsupported","path":"/webhooks"}'
const CHALLENGE = '<!DOCTYPE html><title>Attention Required! | Cloudflare</title>'

describe('a response shows who wrote it', () => {
  it.each<[kind: string | undefined, product: string | undefined, Response]>([
    ['login', undefined, [401, { 'WWW-Authenticate': 'Basic realm="staging"' }, '']],
    ['login', 'Vercel', [401, { 'Set-Cookie': '_vercel_sso_nonce=x; Path=/' }, '<html>']],
    ['firewall', 'Cloudflare', [403, { Server: 'cloudflare', 'CF-Ray': '8a1b' }, CHALLENGE]],
    ['firewall', 'Cloudflare', [403, { 'CF-Ray': '8a1b' }, 'error code: 1010']],
    ['firewall', 'Cloudflare', [403, { 'CF-Ray': '8a1b', 'CF-Mitigated': 'challenge' }, '']],
    ['firewall', 'Akamai', [403, { Server: 'AkamaiGHost' }, 'Access Denied']],
    ['proxy', 'nginx', [403, { Server: 'nginx' }, '<hr><center>nginx/1.27.0</center>']],
    ['proxy', 'ngrok', [404, { 'ngrok-error-code': 'ERR_NGROK_3200' }, '']],
    ['proxy', undefined, [502, {}, 'Bad Gateway']],
    ['framework', 'Express', [413, {}, EXPRESS]],
    ['framework', 'Spring', [415, {}, SPRING]],
    // What a receiver sends itself through such a proxy, or with the header that HTTP wants beside a 401.
    [undefined, undefined, [401, { Server: 'cloudflare', 'CF-Ray': '8a1b' }, '{"error":"signature"}']],
    [undefined, undefined, [403, { Server: 'cloudflare', 'CF-Ray': '8a1b' }, '{"error":"forbidden"}']],
    [undefined, undefined, [401, { Server: 'nginx' }, 'wrong signature']],
    [undefined, undefined, [401, { 'WWW-Authenticate': 'Signature' }, 'wrong signature']],
    [undefined, undefined, [503, { Server: 'nginx' }, 'database is down']],
  ])('%s, %s: %j', (kind, product, [status, headers, body]) => {
    const by = answererOf({ status, headers: Object.entries(headers), body: Buffer.from(body) })
    expect([by?.kind, by?.product]).toEqual([kind, product])
  })
})

describe('the first line of a report says who answered instead of the handler', () => {
  it.each<[name: string, Response, expected: string, fix: string]>([
    ['a login', [401, { 'WWW-Authenticate': 'Basic' }, ''], 'a login answered, not the handler', '--header'],
    ['a firewall', [403, { 'CF-Ray': 'x' }, CHALLENGE], 'a CDN or firewall (Cloudflare) answered', 'POST'],
    ['a proxy', [502, {}, '<center>nginx</center>'], 'a proxy (nginx) answered, not', 'forwards'],
    ['the framework', [413, {}, EXPRESS], 'the framework (Express) answered', 'body parser'],
  ])('%s', async (_, [status, headers, body], expected, fix) => {
    const { url } = await serve((_request, response) => void response.writeHead(status, headers).end(body))
    const only = ['refusals/empty-*', 'transport/content-*', 'events/*refund*']
    const { diagnosis, causes } = await check({ url, secret: SECRET, only, profile: 'core' })
    expect(diagnosis).toContain(expected)
    expect(causes?.[0]).toMatchObject({ code: 'nothing_accepted', fix: expect.stringContaining(fix) })
  })
})

test('a correct receiver behind such a proxy is not accused', async () => {
  const receiver = await smallReceiver()
  const { url } = await serve(async ({ request, body }, response) => {
    const { host: _, connection: __, ...headers } = request.headers
    const sent = { method: 'POST', headers: headers as Record<string, string>, body }
    const { status } = await fetch(receiver.url, sent)
    const added = { Server: 'cloudflare', 'CF-Ray': '8a1b', 'X-Cache': 'Error from cloudfront' }
    response.writeHead(status, { ...added, ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }) }).end()
  })
  const only = ['refusals/empty-*', 'time-window/a-year-ahead', 'disclosure/*']
  const report = await check({ url, secret: SECRET, only, profile: 'core' })
  expect(report).toMatchObject({ conclusion: 'conformant', diagnosis: null, causes: [] })
})
