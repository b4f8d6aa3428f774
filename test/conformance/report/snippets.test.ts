import { spawn } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { frameworksFor, recognize } from '../../../conformance/report/recognize.ts'
import {
  FRAMEWORKS,
  type Framework,
  snippetOf,
  type Topic,
  topicsOf,
} from '../../../conformance/report/snippets.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import configSchema from '../../../schemas/config.json' with { type: 'json' }
import reportSchema from '../../../schemas/report.json' with { type: 'json' }
import { validate } from '../../../schemas/validate.ts'
import { freePort } from '../../support/free-port.ts'
import { SECRET } from '../support.ts'
import { answering, madeExchange, madeFailure, madeReport, madeVerdict } from './made.ts'

type Headers = Readonly<Record<string, string>>

const recognized = (headers: Headers, text = '', status = 400) =>
  recognize([madeVerdict(), madeVerdict({ exchanges: [madeExchange(), answering(headers, text, status)] })])

const EXPRESS_PAGE =
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot POST /x</pre>\n</body>\n</html>\n'
const NOSNIFF = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }
const DJANGO = {
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

describe('a framework is recognized by its responses', () => {
  it.each<[Framework, Headers, string]>([
    ['express', { 'X-Powered-By': 'Express' }, ''],
    ['express', {}, EXPRESS_PAGE],
    ['next', { 'x-powered-by': 'Next.js' }, ''],
    ['nest', { 'X-Powered-By': 'Express' }, '{"message":"Unauthorized","statusCode":401}'],
    ['fastify', {}, '{"statusCode":400,"error":"Bad Request","message":"Body cannot be empty"}'],
    ['fastify', {}, '{"statusCode":400,"code":"FST_ERR_CTP_EMPTY_JSON_BODY"}'],
    ['flask', { Server: 'Werkzeug/3.1.3 Python/3.12.3' }, ''],
    ['fastapi', { server: 'uvicorn' }, '{"detail":"Unauthorized"}'],
    ['django', { Server: 'WSGIServer/0.2 CPython/3.12.3' }, ''],
    ['django', { server: 'gunicorn' }, '<p>CSRF verification failed. Request aborted.</p>'],
    ['django', { server: 'gunicorn', ...DJANGO }, ''],
    ['spring', {}, '{"timestamp":"2026-01-01","status":400,"error":"Bad Request","path":"/webhooks"}'],
    ['aspnet', { Server: 'Kestrel' }, ''],
    ['php', { 'X-Powered-By': 'PHP/8.3.6' }, ''],
    ['laravel', { 'X-Powered-By': 'PHP/8.3.6', 'Set-Cookie': 'laravel_session=x' }, ''],
    ['rails', { 'X-Runtime': '0.01', 'X-Request-Id': 'a' }, ''],
    ['sinatra', {}, '<h2>Sinatra doesn’t know this ditty.</h2>'],
    ['webrick', { Server: 'WEBrick/1.8.1 (Ruby/3.1.7/2025-03-26)' }, ''],
    ['go', NOSNIFF, 'bad signature\n'],
    ['axum', {}, 'Failed to parse the request body as JSON: EOF'],
  ])('%s by %j %s', (framework, headers, text) => {
    expect(recognized(headers, text)).toBe(framework)
  })

  it('laravel by its status for a missing CSRF token', () => {
    expect(recognized({ Server: 'nginx' }, '<title>Page Expired</title>', 419)).toBe('laravel')
  })

  it.each<[Headers, string]>([
    [{}, 'thanks'],
    [{ server: 'nginx' }, 'Bad Request'],
    [{ server: 'gunicorn' }, 'Bad Request'],
    [{ server: 'uvicorn' }, 'no'],
    [{ ...DJANGO, 'Referrer-Policy': 'no-referrer' }, 'no'],
    [{ Server: 'WEBrick/1.8.1 (Ruby/3.1.7/2025-03-26)', 'X-Content-Type-Options': 'nosniff' }, 'no'],
    [{}, '{"detail":"Unauthorized"}'],
    [{}, '{"error":"bad signature"}'],
    [{}, '{broken'],
    [{ ...NOSNIFF, 'X-Powered-By': 'something' }, 'no\n'],
  ])('none by %j %s', (headers, text) => {
    expect(recognized(headers, text)).toBeUndefined()
  })
})

/** How the languages compare in constant time. */
const CONSTANT_TIME =
  /timingSafeEqual|compare_digest|hmac\.Equal|isEqual|secure_compare|hash_equals|FixedTimeEquals|verify_slice/

/** The same, where it is called. */
const CONSTANT_CALL = new RegExp(`(?:${CONSTANT_TIME.source})\\(`)

const codeOf = (topic: Topic, framework: Framework) => snippetOf(topic, framework)?.code ?? ''

describe('the snippet of a framework', () => {
  it.each(FRAMEWORKS)('of %s is an entire handler', (framework) => {
    const code = codeOf('handler', framework)
    const at = (pattern: RegExp) => {
      expect(code).toMatch(pattern)
      return code.search(pattern)
    }
    at(/raw|bytes/)
    // The header is split into its entries, by label.
    at(/x[-_]service[-_]signature/i)
    at(/split|explode/i)
    at(/['"]v1=?['"]/)
    // The window, in seconds.
    at(/[>.] ?\(?300|> 300/)
    // What is missing is refused before anything is computed from it.
    expect(at(/400|BAD_?REQUEST/i)).toBeLessThan(at(CONSTANT_CALL))
    at(/401|UNAUTHORIZED/i)
    // The secret comes from the environment. Java does not compute an HMAC with an empty key.
    at(framework === 'spring' ? /WEBHOOK_SECRET/ : /WEBHOOK_SECRET is not set/)
    expect(code.split('\n').length).toBeLessThanOrEqual(24)
    expect(code).not.toContain('```')
  })

  it.each([
    ['a valid delivery', 200, {}],
    ['a delivery without a header', 400, { header: undefined }],
    ['a header without an equals sign', 400, { header: 't,v1,ff' }],
    ['a stale delivery', 400, { ageSeconds: 301 }],
    ['a delivery from the future', 400, { ageSeconds: -302 }],
    ['a delivery at the edge of the window', 200, { ageSeconds: 299 }],
    ['a forged delivery', 401, { key: 'another' }],
    ['a valid signature beside another one', 200, { first: 'v1=00,' }],
    ['a signature beyond ASCII', 401, { v1: '\u00e9'.repeat(64) }],
  ])('of Express, run as it is, answers %s with %i', (_, status, about) => {
    expect(answerOfExpress(about)).toBe(status)
  })

  it('of Express runs in a new project of npm, where modules are CommonJS, and not without a secret', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'snippet-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}')
    await symlink(
      fileURLToPath(new URL('../../../node_modules', import.meta.url)),
      join(folder, 'node_modules'),
    )
    const code = codeOf('handler', 'express')
    const [, name = ''] = /^\/\/ (\S+)/.exec(code) ?? []
    await writeFile(join(folder, name), code)
    const start = (env: NodeJS.ProcessEnv) => {
      const { PATH } = process.env
      return spawn(process.execPath, [name], {
        cwd: folder,
        env: { PATH, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    }
    const without = start({})
    expect(await text(without.stderr)).toContain('WEBHOOK_SECRET is not set')

    const port = await freePort()
    const receiver = start({ WEBHOOK_SECRET: SECRET, PORT: String(port) })
    onTestFinished(() => void receiver.kill())
    const body = '{"event":"payment.completed"}'
    const t = Math.floor(Date.now() / 1000)
    const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
    const headers = { 'X-Service-Signature': `t=${t},v1=${v1}` }
    const send = () => fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', body, headers })
    await expect
      .poll(
        () =>
          send().then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 20_000 },
      )
      .toBe(200)
  }, 30_000)

  it.each<[string, boolean]>([
    ['{"payment_id":"tx_1","event":"payment.completed"}', true],
    ['{"id":"tx_1","event":"payment.completed"}', true],
    ['{"payment_id":"tx_1","test":true,"status":"completed"}', true],
    ['{"payment_id":"tx_1","status":"completed"}', false],
    ['{"payment_id":"tx_1","test":"true","status":"completed"}', false],
    ['{"payment_id":"","event":"payment.completed"}', false],
    ['{"payment_id":["tx_1"],"event":"payment.completed"}', false],
    ['{"event":"payment.completed"}', false],
    ['{"payment_id":"tx_1","event":5}', false],
    ['null', false],
    ['5', false],
    ['"text"', false],
    ['[]', false],
    ['{', false],
    ['', false],
  ])('that parses %s, run as it is in Express, accepts it: %s', (body, isAccepted) => {
    let refused = 0
    const response = { status: (code: number) => ({ end: () => (refused = code) }) }
    // oxlint-disable-next-line no-implied-eval, no-new-func
    new Function('body', 'res', codeOf('parsing', 'express'))(Buffer.from(body), response)
    expect(refused).toBe(isAccepted ? 0 : 400)
  })

  it.each(FRAMEWORKS)('that parses the body in %s is short and names every field', (framework) => {
    const code = codeOf('parsing', framework)
    expect(code.split('\n').length).toBeLessThanOrEqual(10)
    for (const field of ['payment_id', 'id', 'event', 'test', 'status']) expect(code).toMatch(field)
    expect(code).toMatch(/400|BadRequest|BAD_REQUEST/)
  })

  test('is for the frameworks that the schemas list', () => {
    expect(FRAMEWORKS).toEqual(reportSchema.properties.framework.enum)
    expect(FRAMEWORKS).toEqual(configSchema.properties.framework.enum)
  })

  test('is not that of the raw body where an odd body gets a 500', () => {
    const failure = madeFailure('body-bytes/lone-surrogate-in-the-id', 'protocol', {
      exchanges: [answering({ Server: 'WSGIServer/0.2' }, '', 500)],
    })
    expect(frameworksFor([failure], [], undefined)).toEqual([])
  })

  test('helps only where code in that framework is the fix', () => {
    const inBytes = [
      madeFailure('body-bytes/indented', 'protocol', {
        exchanges: [answering({ Server: 'Kestrel' }, '', 400)],
      }),
    ]
    const elsewhere = [madeFailure('duplicates/signed-again', 'money')]
    const cause = (code: string) => ({
      code,
      sentence: 'It.',
      fix: 'Do.',
      cases: ['duplicates/signed-again'],
    })
    expect(frameworksFor(inBytes, [], undefined)).toEqual(['aspnet'])
    expect(frameworksFor(inBytes, [], 'go')).toEqual(['go'])
    expect(frameworksFor(elsewhere, [], 'go')).toEqual([])
    expect(frameworksFor(elsewhere, [cause('body_trimmed')], 'go')).toEqual(['go'])
    expect(frameworksFor(elsewhere, [cause('body_trimmed')], undefined)).toEqual([])
    expect(frameworksFor(elsewhere, [cause('no_deduplication')], 'go')).toEqual([])
  })

  test.each<[code: string, Topic[]]>([
    ['body_reserialized', ['handler']],
    ['no_window', ['handler']],
    ['entries_by_position', ['handler']],
    ['one_refusal_status', ['handler']],
    ['deduplicated_by_body', ['once']],
    ['slow_acknowledgment', []],
  ])('shows the code that fits the cause: %s', (code, topics) => {
    const causes = [{ code, sentence: 'It is wrong.', fix: 'Fix it.', cases: ['duplicates/signed-again'] }]
    const verdicts = [madeFailure('duplicates/signed-again', 'money')]
    expect([...topicsOf({ causes, verdicts })]).toEqual(topics)
  })

  test.each<[cases: string[], Topic[]]>([
    [['robustness/json-null'], ['parsing']],
    [['signature-header/t-of-400-digits'], ['handler']],
    [
      ['signature-header/t-of-400-digits', 'body-bytes/bare-nan'],
      ['parsing', 'handler'],
    ],
  ])('shows the lines that an error which is not caught needs: %s', (cases, topics) => {
    const cause = { code: 'error_not_caught', sentence: 'It is wrong.', fix: 'Fix it.', cases }
    expect([...topicsOf({ causes: [cause], verdicts: [] })]).toEqual(topics)
  })

  test('is followed by a unique key, in any language, where redeliveries are not recognized', () => {
    const cause = {
      code: 'no_deduplication',
      sentence: 'It.',
      fix: 'Do.',
      cases: ['duplicates/signed-again'],
    }
    const report = madeReport([madeFailure('duplicates/signed-again', 'money')], {
      causes: [cause],
      diagnosis: '1 failure: it.',
    })
    expect(renderTerminal(report)).toContain('Example in SQL\n')
  })

  test('stands once in a report, near its beginning', () => {
    const report = madeReport([madeFailure('body-bytes/indented', 'protocol')], { framework: 'flask' })
    expect(validate('report', report)).toEqual([])
    const text = renderTerminal(report)
    expect(text).toContain(
      '\n\nExample in Flask\n    import hashlib, hmac, os, time\n    secret = os.environ.get("WEBHOOK_SECRET")\n    if not secret: raise RuntimeError("WEBHOOK_SECRET is not set")\n    @app.post("/webhooks")\n',
    )
    expect(text.match(/get_data/g)).toHaveLength(1)
    expect(renderMarkdown(report)).toContain('**Example in Flask:**\n\n```python\nimport hashlib')
    expect(renderHtml(report)).toContain('@app.post(&quot;/webhooks&quot;)')
  })

  test('follows the cause that it helps with', () => {
    const cause = (code: string, id: string) => ({
      code,
      sentence: `Cause ${code}.`,
      fix: 'Do.',
      cases: [id],
    })
    const report = madeReport(
      [madeFailure('duplicates/signed-again', 'money'), madeFailure('body-bytes/indented', 'security')],
      {
        framework: 'express',
        causes: [
          cause('no_deduplication', 'duplicates/signed-again'),
          cause('body_trimmed', 'body-bytes/indented'),
        ],
        diagnosis: '2 failures, 2 causes: a (1 failure); b (1 failure).',
        diagnosisInBrief: '2 failures, 2 causes.',
      },
    )
    const text = renderTerminal(report, { short: true })
    const order = ['Cause no_deduplication', 'Example in SQL', 'Cause body_trimmed', 'Example in Express']
    const places = order.map((part) => text.indexOf(part))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })
})

interface Given {
  readonly header?: undefined | string
  readonly ageSeconds?: number
  readonly key?: string
  readonly first?: string
  readonly v1?: string
}

/** The status with which the handler of the snippet answers a delivery. */
function answerOfExpress(about: Given): number {
  const secret = 'whsec_of_the_snippet'
  const body = Buffer.from('{"event":"payment.completed"}')
  const t = String(Math.floor(Date.now() / 1000) - (about.ageSeconds ?? 0))
  const { first = '', key = secret } = about
  const v1 = about.v1 ?? createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')
  const header = 'header' in about ? about.header : `t=${t},${first}v1=${v1}`
  let status = 0
  const response = { status: (code: number) => ({ end: () => (status = code) }) }
  const app = {
    listen: () => undefined,
    post: (_path: string, _raw: unknown, handle: (request: unknown, response: unknown) => void) =>
      handle({ body, get: () => header }, response),
    use: () => undefined,
  }
  const code = codeOf('handler', 'express').replaceAll(/^import .*$/gm, '')
  const express = Object.assign(() => app, { raw: () => undefined })
  const process = { env: { WEBHOOK_SECRET: secret } }
  // oxlint-disable-next-line no-implied-eval, no-new-func
  new Function('express', 'process', 'createHmac', 'timingSafeEqual', code)(
    express,
    process,
    createHmac,
    timingSafeEqual,
  )
  return status
}
