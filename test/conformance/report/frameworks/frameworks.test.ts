import { describe, expect, it, test } from 'vitest'
import { frameworkFor } from '../../../../conformance/report/frameworks/framework-for.ts'
import {
  FRAMEWORKS,
  type Framework,
  snippetOf,
} from '../../../../conformance/report/frameworks/frameworks.ts'
import { recognize } from '../../../../conformance/report/frameworks/recognize.ts'
import { exampleOf, type Topic } from '../../../../conformance/report/frameworks/snippet.ts'
import { topicsOf } from '../../../../conformance/report/frameworks/topics.ts'
import { renderHtml } from '../../../../conformance/report/html/html.ts'
import { renderMarkdown } from '../../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../../conformance/report/terminal/terminal.ts'
import configSchema from '../../../../schemas/config.json' with { type: 'json' }
import reportSchema from '../../../../schemas/report.json' with { type: 'json' }
import { validate } from '../../../../schemas/validate.ts'
import { madeExchange, madeFailure, madeReport, madeVerdict } from '../made.ts'

type Headers = Readonly<Record<string, string>>

const answering = (headers: Headers, text: string) => {
  const answer = {
    status: 400,
    headers: Object.entries(headers),
    body: { text, bytes: 1, truncated: false },
    ms: 1,
  }
  return madeExchange({
    answer: { ...answer, headers: answer.headers.map(([n, v]): [string, string] => [n, v]) },
  })
}
const recognized = (headers: Headers, text = '') =>
  recognize([madeVerdict(), madeVerdict({ exchanges: [madeExchange(), answering(headers, text)] })])

const EXPRESS_PAGE =
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot POST /x</pre>\n</body>\n</html>\n'
const NOSNIFF = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }

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
    ['spring', {}, '{"timestamp":"2026-01-01","status":400,"error":"Bad Request","path":"/webhooks"}'],
    ['aspnet', { Server: 'Kestrel' }, ''],
    ['php', { 'X-Powered-By': 'PHP/8.3.6' }, ''],
    ['laravel', { 'X-Powered-By': 'PHP/8.3.6', 'Set-Cookie': 'laravel_session=x' }, ''],
    ['rails', { 'X-Runtime': '0.01', 'X-Request-Id': 'a' }, ''],
    ['sinatra', {}, '<h2>Sinatra doesn’t know this ditty.</h2>'],
    ['go', NOSNIFF, 'bad signature\n'],
    ['axum', {}, 'Failed to parse the request body as JSON: EOF'],
  ])('%s by %j %s', (framework, headers, text) => {
    expect(recognized(headers, text)).toBe(framework)
  })

  it.each<[Headers, string]>([
    [{}, 'thanks'],
    [{ server: 'nginx' }, 'Bad Request'],
    [{ server: 'gunicorn' }, 'Bad Request'],
    [{ server: 'uvicorn' }, 'no'],
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

describe('the snippet of a framework', () => {
  it.each(FRAMEWORKS)(
    'of %s reads the raw body, compares the MACs and answers with statuses',
    (framework) => {
      const code = (...topics: Topic[]) => exampleOf(snippetOf(framework), new Set(topics)).code
      expect(code('body')).toMatch(/raw|bytes/)
      expect(code('hmac')).toMatch(CONSTANT_TIME)
      // The bytes are there to be signed.
      expect(code('body')).toMatch(CONSTANT_TIME)
      for (const status of [/400|BAD_?REQUEST/i, /401|UNAUTHORIZED/i]) expect(code('status')).toMatch(status)
      expect(code('body')).not.toMatch(/401|UNAUTHORIZED/i)
      const all = code('body', 'hmac', 'status')
      // What is missing is refused before anything is computed from it.
      expect(all.search(/400|BAD_?REQUEST/i)).toBeLessThan(all.search(CONSTANT_TIME))
      expect(all.split('\n').length).toBeLessThanOrEqual(14)
      expect(all).not.toContain('```')
    },
  )

  test('is for the frameworks that the schemas list', () => {
    expect(FRAMEWORKS).toEqual(reportSchema.properties.framework.enum)
    expect(FRAMEWORKS).toEqual(configSchema.properties.framework.enum)
  })

  test('helps only where code in that framework is the fix', () => {
    const inBytes = [
      madeFailure('body-bytes/indented', 'protocol', { exchanges: [answering({ Server: 'Kestrel' }, '')] }),
    ]
    const elsewhere = [madeFailure('duplicates/signed-again', 'money')]
    const cause = (code: string) => ({
      code,
      sentence: 'It.',
      fix: 'Do.',
      cases: ['duplicates/signed-again'],
    })
    expect(frameworkFor(inBytes, [], undefined)).toBe('aspnet')
    expect(frameworkFor(inBytes, [], 'go')).toBe('go')
    expect(frameworkFor(elsewhere, [], 'go')).toBeUndefined()
    expect(frameworkFor(elsewhere, [cause('body_trimmed')], 'go')).toBe('go')
    expect(frameworkFor(elsewhere, [cause('body_trimmed')], undefined)).toBeUndefined()
    expect(frameworkFor(elsewhere, [cause('no_deduplication')], 'go')).toBeUndefined()
  })

  test.each<[code: string, Topic[]]>([
    ['body_reserialized', ['body']],
    ['signature_encoding', ['hmac']],
    ['one_refusal_status', ['status']],
    ['deduplicated_by_body', ['once']],
    ['slow_acknowledgment', []],
  ])('shows the part that fits the cause: %s', (code, topics) => {
    const causes = [{ code, sentence: 'It is wrong.', fix: 'Fix it.', cases: ['duplicates/signed-again'] }]
    const verdicts = [madeFailure('duplicates/signed-again', 'money')]
    expect([...topicsOf({ causes, verdicts })]).toEqual(topics)
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
    expect(text).toContain('\n\nExample in Flask\n    @app.post("/webhooks")\n')
    expect(text.match(/get_data/g)).toHaveLength(1)
    expect(renderMarkdown(report)).toContain('**Example in Flask:**\n\n```python\n@app.post')
    expect(renderHtml(report)).toContain('@app.post(&quot;/webhooks&quot;)')
  })
})
