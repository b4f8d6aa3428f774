import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import { type Behavior, CORRECT, type Event, effect, idOf, nameOf, signing, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** Skips verification when something in the request says so. */
const trusting = (
  isTrusted: (request: IncomingMessage) => unknown,
  ...fails: [Mutant['fails'][0], ...Mutant['fails'][0][]]
): Mutant => ({
  does: { trusts: (_, request) => Boolean(isTrusted(request)) },
  cause: 'verification_bypassed',
  fails,
})
/** Skips verification when the signature header says so. */
const trustingHeader = (isTrusted: RegExp, ...fails: Mutant['fails']): Mutant => ({
  does: {
    trusts: (header) => isTrusted.test(header),
  },
  cause: 'verification_bypassed',
  fails,
})
/** Changes the signature before it is compared. */
const reading = (read: (given: string) => string): Partial<Behavior> => ({
  same: (expected, given) => expected === read(given),
})
/** Changes a verified event. */
const parsed = (change: (event: Event, body: Buffer) => unknown): Partial<Behavior> => ({
  parse: (body) => change(CORRECT.parse(body) as Event, body),
})
/** Recognizes a payment by something that is made of its id. */
const keyed = (made: (id: string) => string): Partial<Behavior> => ({
  keyOf: (event) =>
    JSON.stringify([made(idOf(event)), nameOf(event), event['amount_received'], event['type']]),
})
const polynomial = (factor: number) => (id: string) =>
  String(Array.from(id).reduce((hash, letter) => (Math.imul(hash, factor) + letter.charCodeAt(0)) | 0, 5_381))

const fnv1a = (text: string) =>
  Array.from(text).reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619), 2_166_136_261)

/** Signs what decoding leaves of a body. */
const decoded = (decode: (body: Buffer) => string | Buffer): Partial<Behavior> => ({
  messages: (t, body) => [signing(`${t}.`, decode(body))],
  parse: (body) => JSON.parse(decode(body).toString()),
})

const matches = (pattern: string, expected: string) => {
  try {
    return new RegExp(pattern).test(expected)
  } catch {
    return false
  }
}
const likeToRegExp = (like: string) =>
  `^${like
    .replace(/[^\w%]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.')}$`

const NANOSECONDS = 1_000_000_000n
const anyNumber = (t: string) => (/^\d+$/.test(t) ? Number(t) : undefined)

/** Reads the age with the flag of the latest request: nothing waits between the two. */
const staleWhen = (isExempt: (request: IncomingMessage) => unknown) => (): Partial<Behavior> => {
  let exempt = false
  return {
    trusts(_, request) {
      exempt = Boolean(isExempt(request))
      return false
    },
    inWindow: (age) => exempt || Math.abs(age) <= 300,
  }
}

/** An event that lacks a field has it from the request. */
const filling = (named: (request: IncomingMessage) => Event) => (): Partial<Behavior> => {
  let latest: IncomingMessage | undefined
  return {
    trusts(_, request) {
      latest = request
      return false
    },
    parse(body) {
      const event = CORRECT.parse(body)
      if (typeof event !== 'object' || event === null || Array.isArray(event)) return event
      const { payment_id: id, ...rest } = latest === undefined ? {} : named(latest)
      const known = event as Event
      return known['payment_id'] === undefined && known['id'] === undefined && typeof id === 'string'
        ? { ...rest, ...known, payment_id: id }
        : { ...rest, ...known }
    },
  }
}

const refusedFor = (isRefused: (request: IncomingMessage, body: Buffer) => boolean, status: number) => ({
  gate: (request: IncomingMessage, body: Buffer) =>
    isRefused(request, body) ? status : CORRECT.gate(request, body),
})

/** What receivers got wrong whose authors had not seen the catalogue. */
export const OF_STRANGERS: Readonly<Record<string, Mutant>> = {
  // The signature, in part or as a pattern
  'compares the last four digits': {
    does: { same: (expected, given) => given.length === 64 && expected.slice(-4) === given.slice(-4) },
    cause: 'signature_compared_partly',
    fails: ['signature-header/v1-right-in-part'],
  },
  'compares the first eight digits': {
    does: { same: (expected, given) => given.length === 64 && expected.slice(0, 8) === given.slice(0, 8) },
    cause: 'signature_compared_partly',
    fails: ['signature-header/v1-right-in-part'],
  },
  'compares every second digit': {
    does: {
      same: (expected, given) =>
        given.length === 64 && Array.from(expected).every((digit, n) => n % 2 === 1 || digit === given[n]),
    },
    cause: 'signature_compared_partly',
    fails: ['signature-header/v1-right-in-part'],
  },
  'compares the sorted digits': {
    does: {
      same: (expected, given) =>
        Array.from(expected).toSorted().join('') === Array.from(given).toSorted().join(''),
    },
    fails: ['signature-header/v1-right-in-part'],
  },
  'looks the signature up with LIKE': {
    does: { same: (expected, given) => matches(likeToRegExp(given), expected) },
    cause: 'signature_as_pattern',
    fails: ['signature-header/v1-of-a-pattern'],
  },
  'uses the signature as a regular expression': {
    does: { same: (expected, given) => given !== '' && matches(given, expected) },
    cause: 'signature_as_pattern',
    fails: ['signature-header/v1-of-a-pattern'],
  },
  'removes quotation marks around the signature': {
    does: reading((given) => given.replace(/^"|"$/g, '')),
    fails: ['signature-header/v1-with-text-around'],
  },
  'removes sha256= and 0x before the signature': {
    does: reading((given) => given.replace(/^(?:sha256=|0x)/, '')),
    fails: ['signature-header/v1-with-text-around'],
  },
  'decodes percent escapes in the signature': {
    does: reading((given) => {
      try {
        return decodeURIComponent(given)
      } catch {
        return given
      }
    }),
    fails: ['signature-header/v1-with-text-around'],
  },
  'splits an entry at every equals sign': {
    does: reading((given) => given.split('=')[0] ?? ''),
    fails: ['signature-header/v1-with-an-equals-sign-after'],
  },

  // An entry that turns the check off
  'verifies nothing once there is a v2': trustingHeader(
    /(?:^|,)v2=/,
    'signature-header/v1-wrong-beside-other-entries',
  ),
  'obeys alg=none': trustingHeader(/(?:^|,)alg=none/, 'signature-header/v1-wrong-beside-other-entries'),
  'obeys verify=false': trustingHeader(
    /(?:^|,)verify=false/,
    'signature-header/v1-wrong-beside-other-entries',
  ),
  'verifies v1 and trusts V1': trustingHeader(/(?:^|,)V1=/, 'signature-header/wrong-under-other-labels'),
  'trusts a header whose entries it cannot split': trustingHeader(
    /;v1=/,
    'signature-header/wrong-under-other-labels',
  ),
  'trusts a label that every object has': trustingHeader(
    /(?:^|,)(?:constructor|toString|__proto__|hasOwnProperty)=/,
    'signature-header/wrong-under-other-labels',
  ),

  // Time
  'multiplies t in 64 bits': {
    does: {
      seconds: (t) =>
        /^\d+$/.test(t) ? Number(BigInt.asIntN(64, BigInt(t) * NANOSECONDS) / NANOSECONDS) : undefined,
    },
    cause: 'time_overflows',
    fails: ['time-window/far-ahead'],
  },
  'takes a duration that saturates for a short one': {
    does: {
      seconds: anyNumber,
      // The absolute value of the smallest number of 64 bits is itself.
      inWindow: (age) => age < -(2 ** 63) / 1e9 || Math.abs(age) <= 300,
    },
    cause: 'time_overflows',
    fails: ['time-window/far-ahead'],
  },
  'takes a duration in milliseconds that saturates for a short one': {
    does: { seconds: anyNumber, inWindow: (age) => age < -(2 ** 63) / 1e3 || Math.abs(age) <= 300 },
    cause: 'time_overflows',
    fails: ['time-window/far-ahead'],
  },
  'forgets the window for what is sent again': {
    does: staleWhen(({ headers }) => headers['x-webhook-retry'] ?? headers['x-retry']),
    fails: ['time-window/stale-whatever-the-request-says'],
  },
  'forgets the window for a form': {
    does: staleWhen(({ headers }) => headers['content-type']?.includes('urlencoded')),
    fails: ['time-window/stale-whatever-the-request-says'],
  },

  // The body
  'drops the bytes that are not UTF-8 before it verifies': {
    does: decoded((body) => body.toString().replaceAll('\uFFFD', '')),
    fails: ['body-bytes/undecodable-bytes-inserted'],
  },
  'drops NUL before it verifies': {
    does: decoded((body) => Buffer.from(body.filter((byte) => byte !== 0))),
    fails: ['body-bytes/undecodable-bytes-inserted'],
  },
  'finds the amount by its name in the text': {
    does: parsed((event, body) => {
      const [, amount] = /"amount":"([^"]*)"/.exec(body.toString()) ?? []
      return amount === undefined || !CORRECT.isEvent(event) ? event : { ...event, amount }
    }),
    fails: ['bypass/metadata-before-the-amount'],
  },
  'looks for the payment in an envelope first': {
    does: parsed((event) => {
      if (!CORRECT.isEvent(event)) return event
      const inner = event['data'] ?? event['payment'] ?? event['payload']
      return typeof inner === 'object' && inner !== null
        ? { ...event, amount: text((inner as Event)['amount']) }
        : event
    }),
    fails: ['bypass/envelopes-with-other-amounts'],
  },
  'takes the first event of an array': {
    does: parsed((event) => (Array.isArray(event) ? (event[0] as unknown) : event)),
    fails: ['robustness/event-in-an-array-has-no-effect'],
  },
  'reads from the query what the body lacks': {
    does: filling(({ url = '' }) => Object.fromEntries(new URL(url, 'http://localhost').searchParams)),
    cause: 'query_merged',
    fails: ['events/query-with-what-the-body-lacks'],
  },
  'reads the id from X-Payment-Id when the body has none': {
    does: filling(({ headers }) => ({ payment_id: headers['x-payment-id'] })),
    fails: ['events/headers-with-what-the-body-lacks'],
  },

  // Secrets that everybody knows
  'also accepts the secret of its tests': {
    does: { keys: (secret) => [secret, 'whsec_test'] },
    cause: 'key_guessable',
    fails: ['refusals/secrets-of-examples'],
  },
  'also accepts the secret of its template': {
    does: { keys: (secret) => [secret, 'changeme'] },
    cause: 'key_guessable',
    fails: ['refusals/secrets-of-examples'],
  },

  // Ways around
  'does not verify what says that it is encoded': trusting(
    ({ headers }) => /^(?:br|identity)$/.test(headers['content-encoding'] ?? ''),
    'bypass/sent-as-if-encoded',
    'bypass/other-bodies-have-no-effect',
  ),
  'trusts a token in the query': trusting(
    ({ url = '' }) => url.includes('token=test'),
    'bypass/keys-in-the-query',
  ),
  'trusts a proxy that says it saw a certificate': trusting(
    ({ headers }) => headers['x-ssl-client-verify'] === 'SUCCESS',
    'bypass/client-certificate-headers',
  ),
  'does not verify what is sent again': trusting(
    ({ headers }) => headers['x-webhook-attempt'],
    'bypass/retry-headers',
  ),
  'does not verify a health check': trusting(
    ({ headers }) => headers['x-health-check'],
    'bypass/health-check-headers',
  ),
  'does not verify with a key of a test account': trusting(
    ({ headers }) => headers['x-api-key']?.includes('test'),
    'bypass/test-keys',
  ),
  'handles what a cluster sends': {
    does: { trusts: (_, { headers }) => headers['user-agent']?.startsWith('kube-probe') === true },
    fails: ['bypass/other-headers-have-no-effect'],
  },
  'does not verify a replaced method': {
    does: { trusts: (_, { headers }) => headers['x-http-method'] === 'PUT' },
    fails: ['bypass/other-methods-have-no-effect'],
  },
  'verifies the path without its format': {
    does: {
      gate: (request, body) =>
        request.url === '/webhooks' || request.url === '/webhooks.json' ? CORRECT.gate(request, body) : 404,
      trusts: (_, { url }) => url !== '/webhooks',
    },
    cause: 'verification_bypassed',
    fails: ['bypass/path-with-a-format'],
  },
  'verifies the path but not an absolute URL': {
    does: {
      gate: (request, body) =>
        new URL(request.url ?? '', 'http://localhost').pathname === '/webhooks'
          ? CORRECT.gate(request, body)
          : 404,
      trusts: (_, { url = '' }) => url.startsWith('http'),
    },
    cause: 'verification_bypassed',
    fails: ['bypass/path-as-an-absolute-url'],
  },

  // Ids
  'removes punctuation from ids': {
    does: keyed((id) => id.replace(/[^A-Za-z0-9]/g, '')),
    fails: ['duplicates/ids-that-differ-in-one-place'],
  },
  "names files by werkzeug's secure_filename of the id": {
    does: keyed((id) =>
      id
        .replace(/[ /]+/g, '_')
        .replace(/[^\w.-]/g, '')
        .replace(/^[._]+|[._]+$/g, ''),
    ),
    fails: ['duplicates/ids-that-differ-in-one-place'],
  },
  'removes the letters of the prefix from the start of ids': {
    does: keyed((id) => id.replace(/^[tx_]+/, '')),
    fails: ['duplicates/ids-that-differ-in-one-place'],
  },
  'recognizes a payment by the end of its id': {
    does: keyed((id) => id.slice(-8)),
    fails: ['duplicates/ids-that-differ-in-one-place'],
  },
  'recognizes a payment by a CRC-32 of its id': {
    does: keyed((id) => String(crc32(id))),
    fails: ['duplicates/ids-of-the-same-hash'],
  },
  'recognizes a payment by a hash like that of Java': {
    does: keyed(polynomial(31)),
    fails: ['duplicates/ids-of-the-same-hash'],
  },
  'recognizes a payment by a hash that multiplies by 33': {
    does: keyed(polynomial(33)),
    fails: ['duplicates/ids-of-the-same-hash'],
  },
  'recognizes a payment by an FNV-1a of its event and id': {
    does: { keyOf: (event) => String(fnv1a(`${nameOf(event)}|${idOf(event)}|live`)) },
    fails: ['duplicates/ids-of-the-same-hash'],
  },
  'recognizes a payment by an FNV-1a of its id and event': {
    does: { keyOf: (event) => String(fnv1a(`${idOf(event)}:${nameOf(event)}`)) },
    fails: ['duplicates/ids-of-the-same-hash'],
  },
  'has a unique index that is NULL without a payment_id': {
    does: {
      keyOf: (event) =>
        event['payment_id'] === undefined
          ? randomUUID()
          : JSON.stringify([idOf(event), nameOf(event), event['amount_received'], event['type']]),
    },
    fails: ['duplicates/simulated-and-sparse-again'],
  },
  'keeps 36 characters of an id': {
    does: keyed((id) => id.slice(0, 36)),
    fails: ['duplicates/payment-ids-alike-in-36-characters'],
  },

  // Money and order
  'credits a partial payment that covers the amount': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.partial' &&
        before.length === 0 &&
        Number(event['amount_received']) >= Number(event['amount'])
          ? effect(event, 'fulfilled')
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/covering-partial-is-not-credited'],
  },
  'remembers early refunds, but no early chargeback': {
    does: {
      effectOf: (event, before) =>
        event['type'] === 'chargeback' && before.length === 0 ? undefined : CORRECT.effectOf(event, before),
    },
    fails: ['effects/chargeback-before-completion'],
  },
  'keeps twelve decimals': {
    does: {
      effectOf(event, before) {
        const found = CORRECT.effectOf(event, before)
        return found && { ...found, amount: found.amount.replace(/(\.\d{12})\d+$/, '$1') }
      },
    },
    fails: ['effects/amounts-with-eighteen-decimals'],
  },
  'takes a payment for live unless it has a field test': {
    does: {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done && { ...done, livemode: event['livemode'] === true || event['test'] !== true }
      },
    },
    fails: ['bypass/test-payments-of-each-form', 'bypass/test-payment-on-a-live-receiver'],
  },
  'copies neither livemode nor test of an event without payment_id': {
    does: parsed((event) =>
      CORRECT.isEvent(event) && !('payment_id' in event)
        ? { ...event, livemode: undefined, test: undefined }
        : event,
    ),
    fails: ['bypass/test-payments-of-each-form', 'bypass/test-payment-on-a-live-receiver'],
  },
  'reads fields regardless of capitals': {
    does: parsed((event) =>
      CORRECT.isEvent(event)
        ? Object.fromEntries(Object.entries(event).map(([name, value]) => [name.toLowerCase(), value]))
        : event,
    ),
    fails: ['effects/fields-in-other-capitals'],
  },
  'compares the event in lowercase': {
    does: parsed((event) =>
      CORRECT.isEvent(event) && typeof event['event'] === 'string'
        ? { ...event, event: event['event'].trim().toLowerCase() }
        : event,
    ),
    fails: ['effects/event-names-in-other-capitals'],
  },

  // Before the receiver
  'refuses a quoted charset': {
    does: refusedFor(({ headers }) => headers['content-type']?.includes('charset="') === true, 415),
    fails: ['transport/content-type-with-a-quoted-charset'],
  },
  'refuses parameters other than a charset': {
    does: refusedFor(({ headers }) => headers['content-type']?.includes('profile') === true, 415),
    fails: ['transport/content-type-with-other-parameters'],
  },
  'is behind a firewall that reads bodies': {
    does: refusedFor((_, body) => /<script|union select|etc\/passwd/i.test(body.toString()), 403),
    fails: ['robustness/attacks-in-metadata'],
  },
  'shows a trace for a coding that it does not know': {
    does: {
      ...refusedFor(({ headers }) => headers['content-encoding'] !== undefined, 415),
      explain: (problem) => (problem.code === 415 ? String(problem.stack) : problem.message),
    },
    cause: 'trace_disclosed',
    fails: ['disclosure/no-trace-after-unusual-requests'],
  },
}
