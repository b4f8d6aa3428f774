import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { memoryLedger } from '../../../receiver/ledger/memory.ts'
import { createOrders } from '../../../receiver/orders.ts'
import { createApp } from '../../../server/app.ts'
import { createHttpServer } from '../../../server/http/http-server.ts'
import { events, signed, verify } from '../../receiver/support.ts'
import { openConnection, requestHead } from '../../support/raw-connection.ts'
import { startServer } from '../../support/start-server.ts'
import { until } from '../../support/until.ts'

const failures: unknown[] = []
const app = createApp({
  verify,
  inbox: memoryInbox(),
  orders: createOrders({ ledger: memoryLedger() }),
  onError: (error) => void failures.push(error),
})
const { server } = createHttpServer(app, { bodyTimeoutMs: 10_000, headTimeoutMs: 500, maxConnections: 100 })

let url: string
beforeAll(async () => {
  url = await startServer(server, afterAll)
})

const source = events('malformed')
function valid(): string {
  const { body, header } = signed(source.event('completed'))
  return requestHead(`X-Service-Signature: ${header}`, `Content-Length: ${body.length}`) + body.toString()
}

interface Answer {
  status: number
  /** The `code` of the JSON body; undefined if there is none. */
  code: string | undefined
}

/** Splits responses with Content-Length. Throws if a body is not JSON. */
function answersIn(text: string): Answer[] {
  const answers: Answer[] = []
  let rest = text
  while (rest.includes('\r\n\r\n')) {
    const end = rest.indexOf('\r\n\r\n') + 4
    const head = rest.slice(0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    expect(head).toMatch(/content-type: application\/json/i)
    const { code } = JSON.parse(rest.slice(end, end + length)) as { code?: string }
    answers.push({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), code })
    rest = rest.slice(end + length)
  }
  expect(rest).toBe('')
  return answers
}

/** Sends bytes, and waits for some answers, or until the connection is closed. @returns the answers, and whether the connection was closed */
async function send(raw: string, { count = 1, ended = false, closes = false } = {}) {
  const connection = await openConnection(url)
  if (ended) connection.socket.end(raw)
  else connection.socket.write(raw)
  const answers = () => answersIn(connection.received())
  const received = () => connection.received().match(/\r\n\r\n\{.*?\}/g)?.length ?? 0
  await until(() => connection.closed() || (!ended && !closes && received() >= count))
  // A closed connection reports it with its answer.
  if (/Connection: close/.test(connection.received())) await until(connection.closed)
  const result = { answers: answers(), closed: connection.closed(), text: connection.received() }
  connection.socket.destroy()
  return result
}

const get = (target: string, ...lines: string[]): string =>
  `GET ${target} HTTP/1.1\r\n${['Host: test', ...lines].join('\r\n')}\r\n\r\n`
const chunked = (target: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n${body}`

const malformed = (code = 'request_malformed', status = 400) => ({ status, code, closed: true })
const answered = (status: number, code?: string) => ({ status, code, closed: false })

const cases: Record<string, [string, { status: number; code: string | undefined; closed: boolean }]> = {
  'bytes that are not HTTP': ['\x00\x01\x02\r\n\r\n', malformed()],
  'a TLS handshake': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', malformed()],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', malformed()],
  'an unknown version': ['GET / HTTP/9.9\r\nHost: test\r\n\r\n', malformed()],
  'no version': ['GET /healthz\r\nHost: test\r\n\r\n', malformed()],
  'HTTP/2.0 without its preface': ['GET /healthz HTTP/2.0\r\nHost: test\r\n\r\n', malformed()],
  'an unknown method': ['FOO / HTTP/1.1\r\nHost: test\r\n\r\n', malformed()],
  'no Host': ['GET /healthz HTTP/1.1\r\n\r\n', answered(400, 'request_malformed')],
  'two Hosts': [get('/healthz', 'HOST: other'), answered(400, 'request_malformed')],
  'HTTP/1.0 without Host': ['GET /healthz HTTP/1.0\r\n\r\n', { status: 200, code: undefined, closed: true }],
  'an absolute target': [get('http://test/healthz'), answered(200)],
  'an absolute target without a path': [get('http://test'), answered(404, 'not_found')],
  'an absolute target with an invalid host': [get('http://[::1'), answered(400, 'request_malformed')],
  'a target of another scheme': [get('file:///etc/passwd'), answered(400, 'request_malformed')],
  'an asterisk': ['OPTIONS * HTTP/1.1\r\nHost: test\r\n\r\n', answered(404, 'not_found')],
  'a target with an incomplete escape': [get('/%'), answered(404, 'not_found')],
  'a target with only slashes': [get('//[::1'), answered(404, 'not_found')],
  'a query with invalid UTF-8': [get('/observe?payment_id=%ff'), answered(200)],
  'a query with nested names': [
    get(`/observe?payment_id${'[a]'.repeat(1000)}=1`),
    answered(400, 'payment_id_missing'),
  ],
  'a query with two values': [get('/observe?payment_id=1&payment_id=2'), answered(400, 'payment_id_missing')],
  'a query with thousands of names': [
    get(`/observe?${'a&'.repeat(7000)}`),
    answered(400, 'payment_id_missing'),
  ],
  'a query that names a property of objects': [
    get('/observe?__proto__=1&constructor=2&hasOwnProperty=3'),
    answered(400, 'payment_id_missing'),
  ],
  'a long target': [get(`/${'a'.repeat(20_000)}`), malformed('head_too_large', 431)],
  'a long header': [get('/', `X: ${'a'.repeat(300_000)}`), malformed('head_too_large', 431)],
  'an unknown expectation': [
    'POST /webhooks HTTP/1.1\r\nHost: test\r\nExpect: more\r\nContent-Length: 0\r\n\r\n',
    answered(417, 'expectation_failed'),
  ],
  CONNECT: ['CONNECT test:443 HTTP/1.1\r\nHost: test\r\n\r\n', malformed('method_not_allowed', 405)],
  TRACE: ['TRACE /webhooks HTTP/1.1\r\nHost: test\r\n\r\n', answered(405, 'method_not_allowed')],
  OPTIONS: ['OPTIONS /healthz HTTP/1.1\r\nHost: test\r\n\r\n', answered(404, 'not_found')],
  'a WebSocket upgrade': [get('/healthz', 'Connection: Upgrade', 'Upgrade: websocket'), answered(200)],
  'a length and chunks': [
    'POST /webhooks HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    malformed(),
  ],
  'two lengths': [
    'POST /webhooks HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    malformed(),
  ],
  'an encoding other than chunked': [
    'POST /webhooks HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: gzip\r\n\r\n',
    malformed(),
  ],
  'an invalid chunk': [chunked('/webhooks', 'zz\r\n'), malformed()],
  'an invalid chunk after the answer': [
    chunked('/nowhere', 'zz\r\n'),
    { status: 404, code: 'not_found', closed: true },
  ],
  'a long chunk extension': [
    chunked('/webhooks', `2;${'a'.repeat(20_000)}\r\n`),
    malformed('body_too_large', 413),
  ],
  'a head that does not end': ['GET / HTTP/1.1\r\nHost', malformed('request_too_slow', 408)],
}

describe('the receiver answers with JSON, and stays usable, when it gets', () => {
  it.each(Object.entries(cases))('%s', async (_, [raw, { closed, ...answer }]) => {
    const result = await send(raw, { closes: closed })
    expect(result).toMatchObject({ answers: [answer], closed })
    // Nothing about the software: no stack, no path, no name.
    expect(result.text).not.toMatch(/express|node|\.ts\b|\.js\b|\bat /i)
    expect((await send(valid())).answers).toEqual([{ status: 200, code: undefined }])
    expect(failures).toEqual([])
  })
})

describe('a valid delivery is answered first', () => {
  it.each([
    ['bytes that are not HTTP', '\x00\r\n\r\n', malformed()],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', malformed()],
    ['CONNECT', 'CONNECT test:443 HTTP/1.1\r\nHost: test\r\n\r\n', malformed('method_not_allowed', 405)],
    ['an invalid chunk', chunked('/webhooks', 'zz\r\n'), malformed()],
  ])('when it is followed by %s', async (_, raw, { closed, ...answer }) => {
    for (const ended of [false, true]) {
      expect(await send(valid() + raw, { count: 2, ended })).toMatchObject({
        answers: [{ status: 200, code: undefined }, answer],
        closed,
      })
    }
  })

  it('when the client ends its side after it', async () => {
    const { answers, closed } = await send(valid() + valid(), { ended: true })
    expect({ statuses: answers.map(({ status }) => status), closed }).toEqual({
      statuses: [200, 200],
      closed: true,
    })
  })
})

it('names the fault when the client ends its side within a body', async () => {
  const { answers } = await send(`${requestHead('Content-Length: 10')}{`, { ended: true })
  expect(answers).toEqual([{ status: 400, code: 'body_truncated' }])
})
