import { gzipSync } from 'node:zlib'
import type { Delivery, HeaderLine } from '../delivery.ts'
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

/** The characters from space to tilde in EBCDIC of code page 37. */
const EBCDIC = Buffer.from(
  'QFp/e1tsUH1NXVxOa2BLYfDx8vP09fb3+Pl6Xkx+bm98wcLDxMXGx8jJ0dLT1NXW19jZ4uPk5ebn6Om64LuwbXmBgoOEhYaHiImRkpOUlZaXmJmio6SlpqeoqcBP0KE=',
  'base64',
)

/** Other encodings of a text by the names that content types have for them. */
const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  'iso-8859-1': (text) => Buffer.from(text, 'latin1'),
  'windows-1252': (text) => Buffer.from(text, 'latin1'),
  'utf-16': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
  'utf-32le': (text) =>
    Buffer.concat(
      Array.from(text, (character) => Buffer.from(Uint32Array.of(character.codePointAt(0) ?? 0).buffer)),
    ),
  'utf-7': (text) =>
    Buffer.from(
      text.replace(/\+|[^\0-\x7f]+/g, (run) =>
        run === '+'
          ? '+-'
          : `+${Buffer.from(run, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`,
      ),
    ),
  unicode_escape: (text) =>
    Buffer.from(
      text.replace(/\\|[^\0-\x7f]/g, (letter) =>
        letter === '\\' ? '\\\\' : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  // The letter e with a diaeresis is the only one beyond ASCII that is written.
  ibm037: (text) =>
    Buffer.from(
      Array.from(
        text,
        (letter) => EBCDIC[letter.charCodeAt(0) - 0x20] ?? (letter === '\u00eb' ? 0x53 : 0x6f),
      ),
    ),
}

/** Adds header lines except those of the service itself: with one of these, a delivery without a signature would have a wrong one. */
const withHeadersOfOthers =
  (change: string, ...lines: HeaderLine[]): Mutation =>
  (delivery, kit) => {
    const { header, older } = delivery.signed.scheme
    const own = [header.name, older?.header.name].map((name) => name?.toLowerCase())
    return withHeaders(change, ...lines.filter(([name]) => !own.includes(name.toLowerCase())))(delivery, kit)
  }

/** Charsets that a content type may declare for a body in UTF-8. In UTF-7, plus signs and letters are other characters. */
export const CHARSETS = [...Object.keys(ENCODINGS), 'us-ascii', 'shift_jis'] as const

/** The signed text as other bytes, in the encoding that the content type declares: what was signed is another body. */
export const REENCODED: readonly Mutation[] = Object.entries(ENCODINGS).map(
  ([charset, encode]): Mutation =>
    (delivery) => ({
      ...delivery,
      change: `the signed text written in ${charset}, as its content type declares`,
      headers: [['Content-Type', `application/json; charset=${charset}`]],
      body: encode(delivery.body.toString()),
    }),
)

/** Fields of the body, in the mode of the run: no event of a test run says that it is live. */
export const FIELDS = {
  test: [fields('`test` true in the body', { test: true })],
  name: [
    fields('the event "webhook.test"', { event: 'webhook.test', type: 'test' }),
    fields('the event "ping"', { event: 'ping', type: 'ping' }),
    ...['url_verification', 'endpoint.verification', 'health_check', 'payment.test'].map((event) =>
      fields(`the event "${event}"`, { event, type: event, challenge: 'x' }),
    ),
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
    fields('`trusted`, `internal`, `retry` and a signature that needs no check in the body', {
      trusted: true,
      internal: true,
      admin: true,
      source: 'internal',
      retry: true,
      replay: true,
      redelivered: true,
      dry_run: true,
      preview: true,
      alg: 'none',
      signature: 'none',
      verify: false,
    }),
  ],
  amount: [fields('an amount of zero in the body', { amount: '0.00' })],
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
  claims: [
    query('env=dev&environment=test&sandbox=1&simulate=true&dry_run=1&preview=1&ping=1&healthcheck=1'),
    query('internal=1&trusted=true&admin=1&source=internal&retry=1&replay=true&attempt=2&force=1'),
    query('bypass=1&unsigned=1&nosig=1&skip_signature=true&signature=none&sig=none&validate=0&_method=PUT'),
  ],
  keys: [query('token=test&access_token=test&api_key=test&apikey=test&auth=test')],
  times: [(delivery, kit) => query(`t=${kit.now()}&timestamp=${kit.now()}`)(delivery, kit)],
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
    withHeaders(
      `X-Remote-IP and other headers of balancers and clouds with ${HERE}`,
      ['X-Remote-IP', HERE],
      ['X-Remote-Addr', HERE],
      ['X-Originating-IP', HERE],
      ['X-Cluster-Client-IP', HERE],
      ['X-Original-Forwarded-For', HERE],
      ['Fastly-Client-IP', HERE],
      ['Fly-Client-IP', HERE],
      ['X-Azure-ClientIP', HERE],
      ['X-Envoy-External-Address', HERE],
      ['X-Envoy-Internal', 'true'],
      ['Via', '1.1 localhost'],
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
    withHeaders(
      'X-Bypass-Signature, X-Sandbox and the like',
      ['X-Bypass', '1'],
      ['X-Bypass-Signature', 'true'],
      ['X-Bypass-Verification', 'true'],
      ['X-No-Verify', '1'],
      ['X-Verify-Signature', 'false'],
      ['X-Signature-Valid', 'true'],
      ['X-Gateway-Verified', 'true'],
      ['X-Sandbox', 'true'],
      ['X-Simulated', 'true'],
      ['X-Dry-Run', 'true'],
      ['X-Dev-Mode', '1'],
      ['X-Env', 'development'],
      ['X-Local', 'true'],
    ),
    withHeaders(
      'X-Admin, X-Remote-User and other headers that say who sends',
      ['X-Admin', 'true'],
      ['X-Role', 'admin'],
      ['X-Remote-User', 'admin'],
      ['X-Forwarded-User', 'admin'],
      ['X-Authenticated-User', 'admin'],
      ['X-Consumer-Username', 'admin'],
      ['X-Trusted', 'true'],
      ['X-Internal-Token', 'true'],
      ['X-Internal-Service', 'payments'],
      ['X-Service-Name', 'payments'],
      ['X-Source', 'internal'],
    ),
    withHeaders(
      'headers of schedulers and queues',
      ['X-Appengine-Cron', 'true'],
      ['X-AppEngine-QueueName', 'webhooks'],
      ['X-CloudTasks-QueueName', 'webhooks'],
      ['X-CloudScheduler', 'true'],
      ['X-Aws-Sqsd-Queue', 'webhooks'],
      ['X-Amz-Sns-Message-Type', 'Notification'],
      ['Aeg-Event-Type', 'SubscriptionValidation'],
      ['X-Hook-Secret', 'x'],
    ),
  ],
  secret: [
    withHeaders(
      "X-Webhook-Secret with the attacker's secret",
      ['X-Webhook-Secret', ATTACKERS_SECRET],
      ['X-Service-Secret', ATTACKERS_SECRET],
    ),
  ],
  signatures: [
    withHeadersOfOthers(
      'signature headers of other services with signatures that are wrong',
      ['X-Hub-Signature', `sha1=${'0'.repeat(40)}`],
      ['X-Hub-Signature-256', `sha256=${'0'.repeat(64)}`],
      ['X-Signature', '0'.repeat(64)],
      ['X-Webhook-Signature', '0'.repeat(64)],
      ['Stripe-Signature', `t=1,v1=${'0'.repeat(64)}`],
      ['X-Slack-Signature', `v0=${'0'.repeat(64)}`],
      ['X-Shopify-Hmac-Sha256', `${'A'.repeat(43)}=`],
      ['Webhook-Signature', `v1,${'A'.repeat(43)}=`],
      ['Signature', 'keyId="test",algorithm="none",signature=""'],
      ['Digest', `SHA-256=${'A'.repeat(43)}=`],
    ),
  ],
  credentials: [
    withHeaders(
      'an Authorization header, an API key and a cookie that mean nothing',
      ['Authorization', 'Bearer no-such-token'],
      ['X-API-Key', 'svc_live_no_such_key'],
      ['Cookie', 'session=no-such-session; admin=1; debug=1; test=1; internal=1'],
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
      ['X-Attempt', '2'],
      ['Retry-Attempt', '1'],
      ['X-Redelivered', 'true'],
      ['X-Resend', 'true'],
      ['X-Slack-Retry-Num', '1'],
      ['X-GitHub-Redelivery', 'true'],
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
      ['X-Probe', 'true'],
      ['X-Synthetic', 'true'],
      ['X-Canary', 'true'],
      ['Purpose', 'prefetch'],
    ),
  ],
  keys: [
    withHeaders(
      'keys of a test account',
      ['Authorization', 'Bearer svc_test_key'],
      ['X-API-Key', 'svc_test_key'],
      ['X-Test-Key', 'test'],
      ['X-Auth-Token', 'test'],
      ['X-Api-Token', 'test'],
      ['Api-Key', 'test'],
      ['X-Secret', 'test'],
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
