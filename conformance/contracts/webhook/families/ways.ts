import { gzipSync } from 'node:zlib'
import type { Delivery } from '../delivery.ts'
import { ATTACKERS_SECRET, body, headers, type Mutation, routed, sentAs, withHeaders } from '../mutate.ts'

type Event = Readonly<Record<string, unknown>>

const BOUNDARY = 'hookproof-boundary'

/** Sets fields of the event; `undefined` removes one. */
const fields = (change: string, changed: Event): Mutation =>
  body(change, (bytes) =>
    Buffer.from(JSON.stringify({ ...(JSON.parse(bytes.toString()) as Event), ...changed })),
  )
const contentType = (type: string): Mutation => headers(`the content type ${type}`, [['Content-Type', type]])
const query = (added: string): Mutation =>
  routed(`the query ${added}`, (path) => `${path}${path.includes('?') ? '&' : '?'}${added}`)
/** The fields of the event as texts, for a form. */
const textsOf = ({ body: bytes }: Delivery): [string, string][] =>
  Object.entries(JSON.parse(bytes.toString()) as Event).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
const formEncoded: Mutation = (delivery) => ({
  ...delivery,
  change: 'a form instead of JSON',
  headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  body: Buffer.from(new URLSearchParams(textsOf(delivery)).toString()),
})
const payloadField: Mutation = (delivery) => ({
  ...delivery,
  change: 'a form whose field `payload` contains the JSON',
  headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  body: Buffer.from(new URLSearchParams({ payload: delivery.body.toString() }).toString()),
})
const multipart: Mutation = (delivery) => {
  const parts = textsOf(delivery).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return {
    ...delivery,
    change: 'a multipart form instead of JSON',
    headers: [['Content-Type', `multipart/form-data; boundary=${BOUNDARY}`]],
    body: Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`),
  }
}
const compressed: Mutation = (delivery) => ({
  ...delivery,
  change: 'a gzipped body',
  headers: [...delivery.headers, ['Content-Encoding', 'gzip']],
  body: gzipSync(delivery.body),
})
const utf16: Mutation = (delivery) => ({
  ...delivery,
  change: 'a body in UTF-16',
  headers: [['Content-Type', 'application/json; charset=utf-16le']],
  body: Buffer.from(delivery.body.toString(), 'utf16le'),
})

/** Fields of the body, in the mode of the run: no event of a test run says that it is live. */
export const FIELDS = {
  test: [fields('`test` true in the body', { test: true })],
  name: [
    fields('the event "webhook.test"', { event: 'webhook.test', type: 'test' }),
    fields('the event "ping"', { event: 'ping', type: 'ping' }),
  ],
  claims: [
    fields('`verified`, `debug` and a sandbox in the body', {
      verified: true,
      signature_valid: true,
      skip_verification: true,
      debug: true,
      simulated: true,
      sandbox: true,
      mode: 'test',
      environment: 'sandbox',
    }),
  ],
} as const satisfies Record<string, readonly Mutation[]>

/** What says in a live run that an event is of a test, or does not say that it is live. */
export const NOT_LIVE: readonly Mutation[] = [
  fields('`livemode` false in the body', { livemode: false }),
  fields('`livemode` false and `test` true in the body', { livemode: false, test: true }),
  fields('no `livemode` in the body', { livemode: undefined }),
]

export const CONTENT_TYPES = {
  text: [headers('no content type', []), contentType('text/plain')],
  forms: [contentType('application/x-www-form-urlencoded'), formEncoded, payloadField, multipart],
  likeJson: [contentType('application/x-ndjson'), contentType('application/vnd.api+json'), utf16],
} as const satisfies Record<string, readonly Mutation[]>

export const TRANSFERS = {
  chunked: [sentAs('a body in two chunks', ({ length }) => ({ kind: 'chunked', cuts: [length >> 1] }))],
  http10: [sentAs('HTTP/1.0', () => ({ kind: 'raw', version: '1.0' }))],
  expecting: [sentAs('an Expect header', () => ({ kind: 'expect-continue' }))],
  compressed: [compressed],
  // The body is still plain JSON.
  encoded: ['gzip', 'deflate', 'br', 'identity', 'aws-chunked'].map((coding) =>
    withHeaders(`the content encoding ${coding} on plain JSON`, ['Content-Encoding', coding]),
  ),
} as const satisfies Record<string, readonly Mutation[]>

export const QUERIES = {
  test: [query('test=1&mode=test&debug=true&verify=false&skip_verification=1&alg=none')],
  keys: [query('token=test&access_token=test&api_key=test&apikey=test&auth=test')],
  // The forged signature is made with this secret.
  secret: [query(`secret=${ATTACKERS_SECRET}&signing_secret=${ATTACKERS_SECRET}&key=${ATTACKERS_SECRET}`)],
} as const satisfies Record<string, readonly Mutation[]>

const HERE = '127.0.0.1'
/** What balancers and clusters call themselves when they ask whether a server is alive. */
const PROBES = ['ELB-HealthChecker/2.0', 'kube-probe/1.31', 'GoogleHC/1.0', 'Uptime-Kuma/2.0']
/** What a library that lets a header replace the method reads. */
export const METHOD_HEADERS = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'] as const

export const HEADERS = {
  proxy: [
    withHeaders(
      `X-Forwarded-For, X-Real-IP and other headers of a proxy on ${HERE}`,
      ['X-Forwarded-For', HERE],
      ['X-Real-IP', HERE],
      ['X-Client-IP', HERE],
      ['True-Client-IP', HERE],
      ['CF-Connecting-IP', HERE],
      ['Forwarded', `for=${HERE};proto=https;host=localhost`],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Host', 'localhost'],
      ['X-Forwarded-Port', '443'],
    ),
    ...['10.0.0.7', '192.168.1.7', '172.16.0.7'].map((address) =>
      withHeaders(
        `X-Forwarded-For, X-Real-IP and Forwarded with the private address ${address}`,
        ['X-Forwarded-For', address],
        ['X-Real-IP', address],
        ['Forwarded', `for=${address}`],
      ),
    ),
  ],
  internal: [
    withHeaders(
      'X-Webhook-Verified, X-Internal and the like',
      ['X-Webhook-Verified', 'true'],
      ['X-Signature-Verified', 'true'],
      ['X-Verified', 'true'],
      ['X-Internal', 'true'],
      ['X-Internal-Request', '1'],
    ),
    withHeaders(
      'X-Test, X-Debug and the like',
      ['X-Test', 'true'],
      ['X-Test-Mode', 'true'],
      ['X-Debug', '1'],
      ['X-Environment', 'test'],
      ['X-Skip-Verification', 'true'],
      ['X-Signature-Algorithm', 'none'],
      ['X-Signature-Version', 'none'],
    ),
  ],
  secret: [
    withHeaders(
      "X-Webhook-Secret with the attacker's secret",
      ['X-Webhook-Secret', ATTACKERS_SECRET],
      ['X-Service-Secret', ATTACKERS_SECRET],
    ),
  ],
  credentials: [
    withHeaders(
      'an Authorization header, an API key and a cookie that mean nothing',
      ['Authorization', 'Bearer no-such-token'],
      ['X-API-Key', 'svc_live_no_such_key'],
      ['Cookie', 'session=no-such-session; admin=1'],
    ),
  ],
  certificates: [
    withHeaders(
      'headers that proxies set for a client certificate',
      ['X-SSL-Client-Verify', 'SUCCESS'],
      ['X-Client-Verify', 'SUCCESS'],
      ['SSL-Client-Verify', 'SUCCESS'],
      ['X-SSL-Client-S-DN', 'CN=webhooks'],
      ['X-Forwarded-Client-Cert', 'Hash=00;Subject="CN=webhooks";URI='],
      ['X-Amzn-Mtls-Clientcert-Subject', 'CN=webhooks'],
      ['X-ARR-ClientCert', 'MIIB'],
    ),
  ],
  retries: [
    withHeaders(
      'headers that say that the delivery is sent again',
      ['X-Retry', 'true'],
      ['X-Retry-Count', '1'],
      ['X-Retry-Num', '1'],
      ['X-Webhook-Retry', '1'],
      ['X-Webhook-Attempt', '2'],
      ['X-Delivery-Attempt', '2'],
      ['X-Redelivery', 'true'],
      ['X-Replay', 'true'],
    ),
  ],
  health: [
    withHeaders(
      'headers of a health check',
      ['X-Health-Check', 'true'],
      ['X-Healthcheck', '1'],
      ['X-Monitoring', 'true'],
      ['X-Ping', 'true'],
      ['X-Warmup', 'true'],
    ),
  ],
  keys: [
    withHeaders(
      'keys of a test account',
      ['Authorization', 'Bearer svc_test_key'],
      ['X-API-Key', 'svc_test_key'],
      ['X-Test-Key', 'test'],
      ['X-Auth-Token', 'test'],
    ),
  ],
  client: [
    (delivery, kit) =>
      withHeaders(
        "a user agent like the service's and an Origin of this machine",
        ['User-Agent', kit.userAgent],
        ['Origin', 'http://localhost'],
        ['Referer', 'http://localhost/'],
      )(delivery, kit),
  ],
} as const satisfies Record<string, readonly Mutation[]>

/** A proxy may answer these by itself, so only an effect of theirs counts. */
export const HEALTH_CHECKS: readonly Mutation[] = PROBES.map((agent) =>
  withHeaders(`the user agent ${agent}`, ['User-Agent', agent]),
)
