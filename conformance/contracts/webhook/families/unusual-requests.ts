import { inTurn } from '../../../engine/plan.ts'
import { acceptedAfterwards } from '../expectations/aftermath.ts'
import type { Kit } from '../kit.ts'
import type { CaseOfRequirement, Plan } from '../model.ts'
import { type Unusual, unusual, visit, withLines, withQuery } from './unusual.ts'

/** Below the usual limit of all header lines of a request, 16 KiB. */
const LONG_LINE = 15_000

const TARGETS = [
  visit('GET', '//'),
  visit('GET', '/%'),
  visit('GET', 'http://['),
  visit('OPTIONS', '*'),
  unusual('a % after the path', { route: (path) => path.replace(/\/?(?:\?.*)?$/s, '/%') }),
  withQuery('a=%E0%A4%A&%=%'),
  withQuery('__proto__=1&toString=1&hasOwnProperty=1'),
  withQuery('next=%00%0D%0A%E2%80%9D&redirect=%0D'),
  withQuery('a[__proto__]=b&a[__proto__]&a[length]=100000000'),
]

const HOSTS = [
  withLines('the Host ":"', ['Host', ':']),
  withLines('the Host "a b"', ['Host', 'a b']),
  withLines('the Host "["', ['Host', '[']),
  withLines('an empty Host', ['Host', '']),
  withLines(
    'forwarding headers without a valid host, address or protocol',
    ['X-Forwarded-Host', 'a b'],
    ['X-Forwarded-Proto', ':'],
    ['X-Forwarded-For', ', ,:'],
    ['X-Forwarded-Port', 'x'],
    ['Forwarded', 'for="[;host=":'],
  ),
]

const HEADERS = [
  withLines('the Cookie "a=%"', ['Cookie', 'a=%']),
  withLines('the Cookie "__proto__=1; =; a"', ['Cookie', '__proto__=1; =; a']),
  withLines('an Authorization of "Basic" alone', ['Authorization', 'Basic']),
  withLines('Basic credentials that are not base64', ['Authorization', 'Basic %%%']),
  withLines('Basic credentials without a colon', ['Authorization', 'Basic YQ==']),
  withLines('a Bearer token that is not a JWT', ['Authorization', 'Bearer ..']),
  withLines(
    'an Origin and a Referer that are not URLs, and a language and dates that are none',
    ['Origin', '%'],
    ['Referer', ':'],
    ['Accept-Language', '-'],
    ['If-Modified-Since', 'x'],
    ['Range', 'bytes=-'],
    ['Accept', ';q=x'],
  ),
  withLines(
    'ids for tracing that are not text',
    ['X-Request-Id', '\u0001\u00ff'],
    ['traceparent', '00-'],
    ['baggage', '%=%'],
  ),
  withLines('a header line of 15 KB', ['X-Padding', 'x'.repeat(LONG_LINE)]),
]

const PART = 'Content-Disposition: form-data; name="a"; filename=""'
const multipart = (change: string, rest: string): Unusual =>
  unusual(change, { contentType: ['multipart/form-data; boundary=b'], body: `--b\r\n${rest}` })
const BODIES = [
  unusual('an unknown charset', { contentType: ['application/json; charset=foo'] }),
  unusual('a NUL byte as the charset', { contentType: ['application/json; charset=\0'] }),
  unusual('two content types', { contentType: ['application/json', 'text/plain'] }),
  unusual('a content type without a name', { contentType: ['; charset'] }),
  unusual('the content type "constructor"', { contentType: ['constructor'] }),
  unusual('a multipart body without a boundary', { contentType: ['multipart/form-data'] }),
  multipart(
    'a multipart body without its last boundary',
    'Content-Disposition: form-data; name="a"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\na\r\n',
  ),
  multipart('a multipart body whose last boundary is cut short', `${PART}\r\n\r\n\r\n--`),
  multipart('a multipart part without a body', `${PART}\r\n--b--\r\n`),
  unusual('a form with broken escapes', {
    contentType: ['application/x-www-form-urlencoded'],
    body: 'a=%E0%A4%A&a[b=%&__proto__[x]=1',
  }),
  unusual('a body that is not the gzip it claims to be', { headers: [['Content-Encoding', 'gzip']] }),
  unusual('an unknown content coding', { headers: [['Content-Encoding', 'foo']] }),
  unusual('unsigned JSON that is cut short', { body: '{"event":' }),
  unusual('the unsigned JSON null', { body: 'null' }),
]

const websocket: readonly [string, string] = ['Upgrade', 'websocket']
const PROTOCOL = [
  withLines('an upgrade to WebSocket without Connection and key', websocket),
  withLines('an upgrade to WebSocket without a key', ['Connection', 'Upgrade'], websocket),
  withLines(
    'an upgrade to HTTP/2',
    ['Connection', 'Upgrade, HTTP2-Settings'],
    ['Upgrade', 'h2c'],
    ['HTTP2-Settings', '%'],
  ),
  unusual('the transfer coding gzip', {
    headers: [['Transfer-Encoding', 'gzip']],
    unframed: true,
    unfinished: true,
  }),
  unusual('a chunk whose size is not a number', {
    headers: [['Transfer-Encoding', 'chunked']],
    unframed: true,
    body: 'zz\r\n',
  }),
  unusual('a chunk that breaks off before its end', {
    headers: [['Transfer-Encoding', 'chunked']],
    unframed: true,
    unfinished: true,
    body: '2\r\n{}',
  }),
  withLines('an unknown expectation', ['Expect', 'something']),
  unusual('Expect: 100-continue without a body', {
    headers: [
      ['Expect', '100-continue'],
      ['Content-Length', '2'],
    ],
    unframed: true,
    unfinished: true,
    body: '',
  }),
  unusual('a Content-Length of -1', {
    headers: [['Content-Length', '-1']],
    unframed: true,
    unfinished: true,
  }),
  unusual('a method that is not a word', { method: '\u0016\u0003\u0001' }),
]

const slow = (change: string, signature: string): Unusual => unusual(change, { signature })
const EQUALS = 'a='.repeat(60)
const PAIRS = 'a=aaa'.repeat(40)
const SLOW_TO_MATCH = [
  slow('a signature header of 60 equals signs', `${EQUALS},,`),
  slow('a signature header of 40 pairs without commas', `${PAIRS}!`),
  slow('a t of 60 digits and a !', `t=${'1'.repeat(60)}!`),
  slow('a v1 of 64 digits and a !', `t=1,v1=${'a'.repeat(64)}!`),
  slow('a signature header of 60 words and a !', `${'a '.repeat(60)}!`),
  withLines(
    'a Cookie and other headers that are slow to match',
    ['Cookie', `${EQUALS};;`],
    ['Accept', `${'a/a'.repeat(40)}!`],
    ['Accept-Language', `${'a-'.repeat(60)}!`],
    ['X-Forwarded-For', `${'1.'.repeat(60)}!`],
  ),
]

/** The requests in turn, then a valid delivery. */
const survives = (requests: readonly Unusual[], fix: string): CaseOfRequirement => ({
  alone: true,
  send: (kit: Kit): Plan => inTurn(...requests.map((make) => make(kit)), kit.valid()),
  expect: [acceptedAfterwards],
  open: 'Any response to the unusual requests is correct, or none: what counts is the valid delivery after them.',
  impact: 'Anyone on the internet can take the receiver down for everyone with one unsigned request.',
  fix,
})

/** Unsigned requests that are known to end or block servers: the report names the one after which that happened. */
export const UNUSUAL_REQUESTS = {
  'good-after-odd-targets': survives(
    TARGETS,
    'Catch every error in reading the path and the query: `new URL()` and `decodeURIComponent()` throw. Answer 400 or 404.',
  ),
  'good-after-odd-hosts': survives(
    HOSTS,
    'Do not build URLs from the Host header or the headers of a proxy, or catch the error and answer 400.',
  ),
  'good-after-odd-headers': survives(
    HEADERS,
    'Catch every error in parsing a header, and answer 400: anyone can send any value.',
  ),
  'good-after-odd-content-types': survives(
    BODIES,
    'Verify the raw bytes before anything decodes or parses the body, and catch the errors of decoders and parsers, also those of streams.',
  ),
  'good-after-odd-protocol': survives(
    PROTOCOL,
    'Handle the errors of the HTTP server itself (in Node.js, the events `clientError` and `upgrade`), and answer 400.',
  ),
  'good-after-headers-that-are-slow-to-match': survives(
    SLOW_TO_MATCH,
    'Split the header at commas and equals signs instead of matching it with a regular expression with nested repetition, and limit its length first.',
  ),
} as const
