import { createHmac } from 'node:crypto'
import { type Received, SECRETS, type Service, type Steps } from './receiver.ts'

/** A wrong receiver, and the cases of which at least one must fail. */
export interface Mistake {
  readonly steps: (service: Service, right: Steps) => Partial<Steps>
  readonly fails: readonly string[]
  /** The services in which it is one. Default: all. */
  readonly of?: readonly Service[]
}

const TIMED = ['standard-webhooks', 'stripe', 'slack'] as const
/** The services that send several signatures during a rotation. */
const ROTATING = ['standard-webhooks', 'stripe'] as const
const HEADERS = {
  'standard-webhooks': 'webhook-signature',
  stripe: 'stripe-signature',
  github: 'x-hub-signature-256',
  slack: 'x-slack-signature',
  shopify: 'x-shopify-hmac-sha256',
} as const satisfies Readonly<Record<Service, string>>
const SIGNATURE_HEADERS: readonly string[] = Object.values(HEADERS)
const hasEmptyHeader = (service: Service, { headers }: Received) => (headers[HEADERS[service]] ?? '') === ''
/** Trusts what a request says about itself. */
const trusting =
  (isTrusted: (request: Received) => boolean): Mistake['steps'] =>
  (_, right) => ({ before: (request) => (isTrusted(request) ? 200 : right.before(request)) })
const json = ({ raw }: Received): Record<string, unknown> => {
  try {
    return Object(JSON.parse(raw.toString())) as Record<string, unknown>
  } catch {
    return {}
  }
}
const isJson = ({ method, raw }: Received): boolean => {
  try {
    return method !== 'POST' || JSON.parse(raw.toString()) !== undefined
  } catch {
    return false
  }
}
const header = (name: string, pattern = /./): Mistake => ({
  steps: trusting(({ headers }) => pattern.test(String(headers[name] ?? ''))),
  fails: ['signature/no-way-around-by-headers'],
})
const type = (pattern: RegExp): Mistake => ({
  steps: trusting(({ headers }) => pattern.test(headers['content-type'] ?? '')),
  fails: ['signature/no-way-around-by-content-types'],
})
const query = (name: string): Mistake => ({
  steps: trusting(({ url }) => new URL(url, 'http://localhost').searchParams.has(name)),
  fails: ['signature/no-way-around-by-queries'],
})
const field = (name: string, value: unknown = true): Mistake => ({
  steps: trusting((request) => json(request)[name] === value),
  fails: ['signature/no-way-around-by-fields-of-tests'],
})
const key = (more: (secret: string) => string, fails: string): Mistake => ({
  steps: (_, { keys }) => ({ keys: (secret) => [...keys(secret), more(secret)] }),
  fails: [`signature/${fails}`],
})
const same = (isSame: Steps['same'], ...fails: readonly string[]): Mistake => ({
  steps: () => ({ same: isSame }),
  fails: fails.map((name) => `signature/${name}`),
})
/** Verifies with another key than it should. */
const onlyKey = (make: (secret: string) => string | Buffer, of?: readonly Service[]): Mistake => ({
  steps: () => ({ keys: (secret) => [make(secret)] }),
  fails: ['transport/valid'],
  ...(of !== undefined && { of }),
})
const hashed = (body: (raw: Buffer) => Buffer | string, ...fails: readonly string[]): Mistake => ({
  steps: () => ({ body: ({ raw }) => Buffer.from(body(raw)) }),
  fails,
})
const reserialized = (raw: Buffer) => {
  try {
    return JSON.stringify(JSON.parse(raw.toString()))
  } catch {
    return raw
  }
}
const fresh = (isFresh: Steps['isFresh'], ...fails: readonly string[]): Mistake => ({
  steps: () => ({ isFresh }),
  fails: fails.map((name) => `time/${name}`),
  of: TIMED,
})
const refusing = (
  refuse: (request: Received, expected: string, service: Service) => ReturnType<Steps['refuse']>,
  ...fails: readonly string[]
): Mistake => ({
  steps: (service) => ({ refuse: (request, expected) => refuse(request, expected(), service) }),
  fails,
})
const early = (before: (request: Received) => number | undefined, ...fails: readonly string[]): Mistake => ({
  steps: (_, right) => ({ before: (request) => before(request) ?? right.before(request) }),
  fails,
})

const macOf = (
  right: Steps,
  pieces: readonly (string | Buffer)[],
  digest: 'hex' | 'base64',
  service: Service,
) => {
  const mac = createHmac('sha256', right.keys(SECRETS[service])[0] ?? '')
  for (const piece of pieces) mac.update(piece)
  return mac.digest(digest)
}
const stoppingAfter = (isOdd: (request: Received) => boolean, fails: string): Mistake => ({
  steps: (_, { before }) => {
    let isDown = false
    return {
      before: (request) => {
        isDown ||= isOdd(request)
        return isDown ? 503 : before(request)
      },
    }
  },
  fails: [fails],
})

const withSlackSignature = (request: Received, stated: Steps['stated'], change: (given: string) => string) =>
  stated({
    ...request,
    headers: {
      ...request.headers,
      'x-slack-signature': change(String(request.headers['x-slack-signature'] ?? '')),
    },
  })

/** Trusts a header of Shopify, which no signature covers. */
const ofShopify = (name: string, pattern: RegExp, by: string): Mistake => ({
  steps: trusting(({ headers }) => pattern.test(String(headers[`x-shopify-${name}`] ?? ''))),
  fails: [`signature/no-way-around-by-${by}`],
  of: ['shopify'],
})

/** What receivers get wrong, by name. */
export const MISTAKES: Readonly<Record<string, Mistake>> = {
  'verifies nothing': {
    steps: () => ({ before: () => 200 }),
    fails: ['signature/unsigned', 'signature/another-secret'],
  },
  'accepts unsigned': {
    steps: (service, right) => ({
      before: (request) => (hasEmptyHeader(service, request) ? 200 : right.before(request)),
    }),
    fails: ['signature/unsigned', 'signature/signature-header-empty'],
  },
  'accepts any word as a signature': {
    steps: (_, right) => ({
      before: (request) => {
        const words = Object.values(HEADERS).map((name) => request.headers[name])
        return words.includes('none') ? 200 : right.before(request)
      },
    }),
    fails: ['signature/signature-header-of-words'],
  },
  'accepts an empty signature': same(
    (expected, given) => expected.startsWith(given),
    'signature-empty',
    'signature-header-empty',
  ),
  'accepts any signature of the right length': same(
    (expected, given) => expected.length === given.length,
    'another-secret',
    'signature-of-zeros',
    'signature-of-another-delivery',
  ),
  'compares the first eight characters': same(
    (expected, given) => expected.slice(0, 8) === given.slice(0, 8),
    'signature-cut-in-half',
    'signature-altered-in-the-middle',
  ),
  'compares the length of what is given': same(
    (expected, given) => given !== '' && expected.startsWith(given),
    'signature-of-one-character',
    'signature-cut-in-half',
  ),
  'compares all but the first character': same(
    (expected, given) => expected.slice(1) === given.slice(1),
    'signature-altered-first',
  ),
  'compares the end': same(
    (expected, given) => expected.length === given.length && expected.slice(-8) === given.slice(-8),
    'signature-altered-first',
    'signature-altered-in-the-middle',
  ),
  'compares by a pattern of regular expressions': same((expected, given) => {
    try {
      // The plus of base64 is spared: where it is not, some valid deliveries are refused too.
      return new RegExp(`^(?:${given.replaceAll('+', '\\+')})$`).test(expected)
    } catch {
      return false
    }
  }, 'signature-of-a-pattern'),
  'compares by LIKE': same(
    (expected, given) =>
      new RegExp(
        `^${given
          .replace(/[^%_\w]/g, '\\$&')
          .replaceAll('%', '.*')
          .replaceAll('_', '.')}$`,
      ).test(expected),
    'signature-of-a-pattern',
  ),
  'accepts signatures of earlier deliveries': {
    steps: () => {
      const seen = new Set<string>()
      return {
        anyOf: (signatures, isValid) => {
          if (signatures.some(isValid)) for (const one of signatures) seen.add(one)
          return signatures.some((one) => seen.has(one))
        },
      }
    },
    fails: ['signature/signature-seen-before'],
  },
  'has an empty key too': key(() => '', 'empty-key'),
  'has the key undefined': key(() => 'undefined', 'key-of-a-missing-value'),
  'has the key null': key(() => 'null', 'key-of-a-missing-value'),
  'has the key None': key(() => 'None', 'key-of-a-missing-value'),
  'has the key [object Object]': key(() => '[object Object]', 'key-of-a-missing-value'),
  'has the secret of an example too': {
    steps: (_, { keys }) => ({ keys: (secret) => [...keys(secret), ...keys('whsec_test')] }),
    fails: ['signature/key-of-an-example'],
  },
  'has the prefix as key': key(() => 'whsec_', 'key-of-the-prefix'),
  'has the word of the prefix as key': key(() => 'whsec', 'key-of-the-prefix'),
  'has the secret as text': onlyKey((secret) => secret, ['standard-webhooks']),
  'has the secret without its prefix': onlyKey((secret) => secret.replace(/^whsec_/, ''), ['stripe']),
  'has the secret decoded from base64': onlyKey(
    (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
    ['stripe'],
  ),
  'has a line break after the secret': onlyKey(
    (secret) => `${secret}\n`,
    ['stripe', 'github', 'slack', 'shopify'],
  ),
  'has no secret': onlyKey(() => ''),
  'does not sign the time': {
    steps: (service) => ({
      text: ({ id }, body) => (service === 'standard-webhooks' ? [`${id}.`, body] : [body]),
    }),
    fails: ['transport/valid'],
    of: TIMED,
  },
  'signs with colons': {
    steps: (service) => ({
      text: ({ id, t }, body) => {
        if (service === 'slack') return [`v0.${t}.`, body]
        return service === 'standard-webhooks' ? [`${id}:${t}:`, body] : [`${t}:`, body]
      },
    }),
    fails: ['transport/valid'],
    of: TIMED,
  },
  'signs the body before the time': {
    steps: () => ({ text: ({ t }, body) => [body, `.${t}`] }),
    fails: ['transport/valid'],
    of: ['stripe'],
  },
  'expects the other encoding': {
    steps: () => ({
      same: (expected, given) => {
        const [from, to] =
          expected.length === 64 ? (['hex', 'base64'] as const) : (['base64', 'hex'] as const)
        return Buffer.from(expected, from).toString(to) === given
      },
    }),
    fails: ['transport/valid'],
  },
  'reads another header': {
    steps: (service, { stated }) => ({
      stated: (request) =>
        stated({
          ...request,
          headers: { ...request.headers, [HEADERS[service]]: request.headers['x-signature'] ?? '' },
        }),
    }),
    fails: ['transport/valid'],
  },
  'expects milliseconds': {
    steps: () => ({ isFresh: (t, now) => Math.abs(now * 1000 - Number(t)) <= 300_000 }),
    fails: ['transport/valid'],
    of: TIMED,
  },
  'has a clock that is an hour slow': {
    steps: (_, { isFresh }) => ({ isFresh: (t, now) => isFresh(t, now - 3600) }),
    fails: ['transport/valid'],
    of: TIMED,
  },
  'reads the first signature only': {
    steps: () => ({ anyOf: ([first], isValid) => first !== undefined && isValid(first) }),
    fails: ['signature/valid-signature-last'],
    of: ROTATING,
  },
  'reads the last signature only': {
    steps: () => ({ anyOf: (signatures, isValid) => signatures.slice(-1).some(isValid) }),
    fails: ['signature/valid-signature-first'],
    of: ROTATING,
  },
  'demands that every signature is valid': {
    steps: () => ({ anyOf: (signatures, isValid) => signatures.length > 0 && signatures.every(isValid) }),
    fails: ['signature/valid-signature-first', 'signature/valid-signature-last'],
    of: ROTATING,
  },
  'accepts several signatures unseen': {
    steps: () => ({
      anyOf: (signatures, isValid) =>
        signatures.length > 1 || signatures.some((one) => isValid(one) || one.includes(',')),
    }),
    fails: ['signature/several-wrong-signatures'],
  },
  'accepts two headers unseen': {
    steps: (service, right) => ({
      before: (request) =>
        request.rawHeaders.filter((name) => name.toLowerCase() === HEADERS[service]).length > 1
          ? 200
          : right.before(request),
    }),
    fails: ['signature/two-wrong-headers'],
  },
  'takes v0 for v1': {
    steps: (_, { stated }) => ({
      stated: (request) =>
        stated({
          ...request,
          headers: {
            ...request.headers,
            'stripe-signature': String(request.headers['stripe-signature'] ?? '').replace('v0=', 'v1='),
          },
        }),
    }),
    fails: ['signature/valid-signature-under-v0'],
    of: ['stripe'],
  },
  'takes v10 for v1': {
    steps: (_, { stated }) => ({
      stated: (request) =>
        stated({
          ...request,
          headers: {
            ...request.headers,
            'stripe-signature': String(request.headers['stripe-signature'] ?? '').replace('v10=', 'v1='),
          },
        }),
    }),
    fails: ['signature/valid-signature-under-v10'],
    of: ['stripe'],
  },
  'refuses a header with v0 first': {
    steps: (_, { before }) => ({
      before: (request) =>
        /v0=.*v1=/.test(String(request.headers['stripe-signature'])) ? 400 : before(request),
    }),
    fails: ['signature/v0-before-v1'],
    of: ['stripe'],
  },
  'refuses a header with v0 last': {
    steps: (_, { before }) => ({
      before: (request) =>
        /v1=.*v0=/.test(String(request.headers['stripe-signature'])) ? 400 : before(request),
    }),
    fails: ['signature/v0-after-v1'],
    of: ['stripe'],
  },
  'refuses asymmetric signatures first': {
    steps: (_, { before }) => ({
      before: (request) =>
        String(request.headers['webhook-signature']).startsWith('v1a') ? 400 : before(request),
    }),
    fails: ['signature/asymmetric-signature-first'],
    of: ['standard-webhooks'],
  },
  'refuses asymmetric signatures last': {
    steps: (_, { before }) => ({
      before: (request) =>
        / v1a/.test(String(request.headers['webhook-signature'])) ? 400 : before(request),
    }),
    fails: ['signature/asymmetric-signature-last'],
    of: ['standard-webhooks'],
  },
  'does not sign the id': {
    steps: () => ({
      text: ({ t, id }, body) => [`${id.replace(/^(msg_.{27}).*$/, '$1')}.${t}.`, body],
    }),
    fails: ['signature/id-replaced'],
    of: ['standard-webhooks'],
  },
  'accepts an empty id': {
    steps: (_, { before }) => ({
      before: (request) => (request.headers['webhook-id'] === '' ? 200 : before(request)),
    }),
    fails: ['signature/id-emptied'],
    of: ['standard-webhooks'],
  },
  'accepts a missing id': {
    steps: (_, { before }) => ({
      before: (request) =>
        request.method === 'POST' &&
        request.headers['webhook-id'] === undefined &&
        request.headers['webhook-signature'] !== undefined
          ? 200
          : before(request),
    }),
    fails: ['signature/id-missing'],
    of: ['standard-webhooks'],
  },
  'accepts a missing timestamp': {
    steps: (_, { before }) => ({
      before: (request) =>
        request.headers['webhook-id'] !== undefined && request.headers['webhook-timestamp'] === undefined
          ? 200
          : before(request),
    }),
    fails: ['signature/timestamp-missing'],
    of: ['standard-webhooks'],
  },
  'trusts a ping': {
    steps: trusting(({ headers }) => headers['x-github-event'] === 'ping'),
    fails: ['signature/no-way-around-by-events'],
    of: ['github'],
  },
  'trusts an installation': {
    steps: trusting(({ headers }) => headers['x-github-event'] === 'installation'),
    fails: ['signature/no-way-around-by-events'],
    of: ['github'],
  },
  'trusts events that it does not know': {
    steps: trusting(({ headers }) => headers['x-github-event'] === 'unknown_event'),
    fails: ['signature/no-way-around-by-events'],
    of: ['github'],
  },
  'answers a challenge before it verifies': {
    ...early(
      (request) => (json(request).type === 'url_verification' ? 200 : undefined),
      'url-verification/no-challenge-without-signature',
    ),
    of: ['slack'],
  },
  'answers an unsigned challenge': {
    ...early(
      (request) =>
        hasEmptyHeader('slack', request) && json(request).challenge !== undefined ? 200 : undefined,
      'url-verification/no-challenge-without-signature',
    ),
    of: ['slack'],
  },
  'answers no challenge': {
    steps: () => ({ says: () => undefined }),
    fails: ['url-verification/challenge-answered'],
    of: ['slack'],
  },
  'answers another challenge': {
    steps: () => ({ says: ({ raw }) => (raw.includes('"challenge"') ? 'challenge' : undefined) }),
    fails: ['url-verification/challenge-answered'],
    of: ['slack'],
  },
  'refuses to verify its address': {
    steps: (_, { handle }) => ({
      handle: (request) => (json(request).type === 'url_verification' ? 404 : handle(request)),
    }),
    fails: ['url-verification/challenge-answered'],
    of: ['slack'],
  },
  'trusts retries': {
    steps: trusting(({ headers }) => headers['x-slack-retry-num'] !== undefined),
    fails: ['signature/no-way-around-by-retries'],
    of: ['slack'],
  },
  'trusts retries by their reason': {
    steps: trusting(({ headers }) => headers['x-slack-retry-reason'] === 'http_timeout'),
    fails: ['signature/no-way-around-by-retries'],
    of: ['slack'],
  },
  'refuses retries': {
    steps: (_, { handle }) => ({
      handle: (request) => (request.headers['x-slack-retry-num'] === undefined ? handle(request) : 409),
    }),
    fails: ['acknowledgement/retry-acknowledged'],
    of: ['slack'],
  },
  'needs no v0': {
    steps: (_, { stated }) => ({
      stated: (request) => withSlackSignature(request, stated, (given) => given.replace(/^(?!v\d)/, 'v0=')),
    }),
    fails: ['signature/label-missing'],
    of: ['slack'],
  },
  'takes v1 for v0': {
    steps: (_, { stated }) => ({
      stated: (request) => withSlackSignature(request, stated, (given) => given.replace(/^v1=/, 'v0=')),
    }),
    fails: ['signature/label-of-another-version'],
    of: ['slack'],
  },
  'trusts the topic app/uninstalled': ofShopify('topic', /^app\/uninstalled$/, 'topics'),
  'trusts compliance topics': ofShopify('topic', /redact$/, 'topics'),
  'trusts topics that it does not know': ofShopify('topic', /^unknown/, 'topics'),
  'trusts test notifications': ofShopify('test', /^true$/, 'headers-of-shopify'),
  'trusts shops that it does not know': ofShopify('shop-domain', /^another/, 'headers-of-shopify'),
  'answers 404 to unverified compliance webhooks': {
    steps: (_, { refuse }) => ({
      refuse: (request, expected) =>
        String(request.headers['x-shopify-topic']).endsWith('redact')
          ? { status: 404 }
          : refuse(request, expected),
    }),
    fails: ['compliance/refused-with-401'],
    of: ['shopify'],
  },
  'signs JSON written again': hashed(reserialized, 'body/indented', 'body/indented-after-signing'),
  'signs JSON written again with spaces': hashed(
    (raw) =>
      reserialized(raw)
        .toString()
        .replace(/("(?:[^"\\]|\\.)*")|[,:]/g, (found, text?: string) => text ?? `${found} `)
        .replace(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    'transport/valid',
  ),
  'signs JSON written again in lines': hashed((raw) => {
    try {
      return JSON.stringify(JSON.parse(raw.toString()), null, 2)
    } catch {
      return raw
    }
  }, 'transport/valid'),
  'signs text without line breaks': hashed(
    (raw) => raw.toString().replace(/[\r\n]/g, ''),
    'body/line-break-at-the-end',
  ),
  'signs a body that a parser has read': hashed(() => '', 'transport/valid'),
  'signs the text undefined': hashed(() => 'undefined', 'transport/valid'),
  // As a library that gets the object of a parser, where one status stands for all of its errors.
  'signs a parsed object, which it then fails to parse': {
    steps: () => ({
      body: () => Buffer.from('[object Object]'),
      refuse: () => ({ status: 400, body: 'wrong signature' }),
      handle: () => 400,
    }),
    fails: ['transport/valid'],
  },
  'parses the body first, and has another secret': {
    steps: (_, { before, keys }) => ({
      before: (request) => (isJson(request) ? before(request) : 400),
      keys: (secret) => keys(`${secret.slice(0, -4)}0000`),
    }),
    fails: ['transport/valid'],
  },
  'has another secret': {
    steps: (_, { keys }) => ({ keys: (secret) => keys(`${secret.slice(0, -4)}0000`) }),
    fails: ['transport/valid'],
  },
  'signs trimmed text': hashed(
    (raw) =>
      raw.toString('latin1').trim() === '' ? raw : Buffer.from(raw.toString('latin1').trim(), 'latin1'),
    'body/line-break-at-the-end',
    'body/line-break-added',
  ),
  'signs normalized text': hashed((raw) => raw.toString().normalize('NFC'), 'body/beyond-ascii'),
  'signs text in Latin-1': hashed((raw) => Buffer.from(raw.toString(), 'latin1'), 'body/beyond-ascii'),
  'signs the first 4 KiB': hashed(
    (raw) => raw.subarray(0, 4096),
    'body/of-16-kib',
    'body/of-60-kib',
    'body/of-1-mib',
  ),
  'signs without escaped slashes': hashed(
    (raw) => (raw.toString('latin1').includes('\\/') ? raw.toString('latin1').replaceAll('\\/', '/') : raw),
    'body/escaped-slashes',
  ),
  'signs with escapes resolved': hashed(
    (raw) =>
      raw
        .toString()
        .replace(/\\u([0-9a-f]{4})/g, (_, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 16)),
        ),
    'body/escaped-characters',
  ),
  'signs without white space after commas': hashed(
    (raw) => (raw.includes(', "') ? raw.toString().replaceAll(', "', ',"') : raw),
    'body/spaced',
  ),
  'signs with sorted keys': hashed((raw) => {
    try {
      const event = Object.entries(JSON.parse(raw.toString()) as object)
      const isReversed =
        event[0]?.[0] !== undefined &&
        ['data', 'type', 'sender', 'related_object', 'event_context', 'customer'].includes(event[0][0])
      return isReversed && event.length > 2 ? JSON.stringify(Object.fromEntries(event.toReversed())) : raw
    } catch {
      return raw
    }
  }, 'body/keys-in-another-order'),
  'accepts a cut body': early(
    ({ raw }) => (raw.length > 20 && !raw.toString().trimEnd().endsWith('}') ? 200 : undefined),
    'body/cut-short',
  ),
  'accepts an empty body': early(
    ({ raw, method }) => (raw.length === 0 && method === 'POST' ? 200 : undefined),
    'body/cut-to-nothing',
  ),
  'signs without admin fields': hashed(
    (raw) => raw.toString('latin1').replace(',"admin":true', ''),
    'body/field-added',
  ),
  'never looks at the time': fresh((t) => t !== '', 'a-day-ago', 'a-year-ago', 'just-outside-the-past'),
  'has a tolerance of two days': fresh((t, now) => Math.abs(now - Number(t)) < 2 * 86_400, 'a-day-ago'),
  'has a tolerance of ten seconds': fresh(
    (t, now) => Math.abs(now - Number(t)) <= 10,
    'half-a-minute-ago',
    'just-inside-the-past',
  ),
  'refuses any time ahead': fresh((t, now) => now >= Number(t) && now - Number(t) <= 300, 'a-second-ahead'),
  'accepts any time ahead': fresh((t, now) => now - Number(t) <= 300, 'a-day-ahead', 'in-milliseconds'),
  'reads the time by parseInt': fresh(
    (t, now) => Math.abs(now - Number.parseInt(t, 10)) <= 300,
    'time-with-letters',
    'time-with-decimals',
  ),
  'compares with NaN': fresh(
    (t, now) => !(Math.abs(now - Number(t)) > 300),
    'time-not-a-number',
    'time-with-letters',
  ),
  'accepts an empty time': {
    steps: (_, right) => ({
      isFresh: (t, now) => t === '' || right.isFresh(t, now),
      anyOf: (signatures, isValid) =>
        signatures.length > 0 && (signatures.some(isValid) || signatures.every((one) => one.length > 40)),
    }),
    fails: ['time/time-emptied', 'time/time-replaced', 'time/fresh-time-before-an-old-signature'],
    of: TIMED,
  },
  'refuses a charset': early(
    ({ headers }) => (headers['content-type'] === 'application/json; charset=utf-8' ? 415 : undefined),
    'transport/content-type-with-charset',
  ),
  'does not know header names in lowercase': early(
    ({ rawHeaders }) => (rawHeaders.some((name) => SIGNATURE_HEADERS.includes(name)) ? 400 : undefined),
    'transport/header-names-in-lower-case',
  ),
  'does not know header names in capitals': early(
    ({ rawHeaders }) =>
      rawHeaders.some((name) => name === name.toUpperCase() && SIGNATURE_HEADERS.includes(name.toLowerCase()))
        ? 400
        : undefined,
    'transport/header-names-in-upper-case',
  ),
  'does not read chunks': early(
    ({ headers }) => (headers['transfer-encoding'] === 'chunked' ? 400 : undefined),
    'transport/body-in-chunks',
  ),
  'accepts every method': { steps: () => ({ before: () => undefined }), fails: ['transport/method-put'] },
  'acts on PUT': {
    steps: (_, { before }) => ({
      before: (request) => (request.method === 'PUT' ? undefined : before(request)),
    }),
    fails: ['transport/method-put'],
  },
  'acts on PATCH': {
    steps: (_, { before }) => ({
      before: (request) => (request.method === 'PATCH' ? undefined : before(request)),
    }),
    fails: ['transport/method-patch'],
  },
  'acts on DELETE': {
    steps: (_, { before }) => ({
      before: (request) => (request.method === 'DELETE' ? undefined : before(request)),
    }),
    fails: ['transport/method-delete'],
  },
  'redirects what is valid': { steps: () => ({ handle: () => 302 }), fails: ['transport/valid'] },
  'fails after the check': { steps: () => ({ handle: () => 500 }), fails: ['transport/valid'] },
  'refuses events that it does not know': {
    steps: (service, { handle }) => ({
      handle: (request) =>
        /unknown_event/.test(request.raw.toString()) ||
        (service === 'github' && request.headers['x-github-event'] === 'star') ||
        (service === 'shopify' && request.headers['x-shopify-topic'] === 'shop/redact')
          ? 400
          : handle(request),
    }),
    fails: [
      'acknowledgement/event-event-nobody-knows',
      'acknowledgement/event-star',
      'acknowledgement/event-shop-redact',
    ],
  },
  'has a limit of 8 KiB': early(
    ({ raw }) => (raw.length > 8192 ? 413 : undefined),
    'body/of-16-kib',
    'body/of-60-kib',
    'body/of-1-mib',
  ),
  'answers 500 to what it refuses': refusing(() => ({ status: 500 }), 'signature/refusals-are-4xx'),
  'shows the expected signature': refusing(
    (_, expected) => ({ status: 401, body: `expected ${expected}` }),
    'disclosure/no-expected-signature-in-a-refusal',
    'disclosure/no-expected-signature-in-any-response',
  ),
  'shows the secret': refusing(
    (_, __, service) => ({ status: 401, body: `secret ${SECRETS[service]}` }),
    'disclosure/no-secret-in-a-refusal',
    'disclosure/no-secret-in-any-response',
  ),
  'shows a stack': refusing(
    () => ({ status: 401, body: new Error('wrong').stack ?? '' }),
    'disclosure/no-trace-in-a-refusal',
  ),
  'fails on what is no JSON': {
    steps: (_, { handle }) => ({
      handle: (request) => {
        JSON.parse(request.raw.toString())
        return handle(request)
      },
    }),
    fails: ['robustness/not-json', 'robustness/empty-body'],
  },
  'fails on null': {
    steps: (_, { handle }) => ({
      handle: (request) => (request.raw.toString() === 'null' ? 500 : handle(request)),
    }),
    fails: ['robustness/json-null'],
  },
  'fails on an empty object': {
    steps: (_, { handle }) => ({
      handle: (request) => (request.raw.toString() === '{}' ? 500 : handle(request)),
    }),
    fails: ['robustness/empty-object'],
  },
  'stops after an odd path': stoppingAfter(
    ({ url }) => url.includes('%'),
    'robustness/good-after-odd-targets',
  ),
  'stops after an odd host': stoppingAfter(
    ({ headers }) => headers.host === ':',
    'robustness/good-after-odd-hosts',
  ),
  'stops after long headers': stoppingAfter(
    ({ headers }) => (headers['x-padding'] ?? '').length > 10_000,
    'robustness/good-after-odd-headers',
  ),
  'stops after an odd charset': stoppingAfter(
    ({ headers }) => headers['content-type'] === 'application/json; charset=foo',
    'robustness/good-after-odd-content-types',
  ),
  'stops after an unknown expectation': stoppingAfter(
    ({ method, raw, headers }) => method === 'POST' && raw.length === 2 && headers.upgrade !== undefined,
    'robustness/good-after-odd-protocol',
  ),
  'stops after many equals signs': stoppingAfter(
    ({ headers }) => (headers.cookie ?? '').includes('a=a='),
    'robustness/good-after-headers-that-are-slow-to-match',
  ),
  'stops in the end': {
    steps: (_, { before }) => {
      let count = 0
      return { before: (request) => ((count += 1) > 1 ? 503 : before(request)) }
    },
    fails: ['robustness/alive-at-the-end', 'transport/several-on-one-connection'],
  },
  'reads bodies of one packet only': early(
    ({ pieces }) => (pieces > 2 ? 400 : undefined),
    'transport/body-that-drips',
  ),
  'takes the rest of a refused connection for nothing': {
    steps: () => {
      let isLost = false
      return {
        refuse: () => {
          isLost = true
          return { status: 401 }
        },
        handle: () => (isLost ? 401 : 200),
      }
    },
    fails: ['transport/valid-after-refused-on-one-connection'],
  },
  'answers after a second': {
    // Half a second more, because the time in which a busy machine does not run it is not counted.
    steps: () => ({ delayMs: 1_500 }),
    fails: ['acknowledgement/answered-in-time'],
  },
  'takes another last digit for the signed one': {
    steps: (service, right) => ({
      refuse: (request, expected) => {
        const stated = right.stated(request)
        const isSigned = Array.from({ length: 10 }, (_, digit) => {
          const body = request.raw.toString('latin1').replace(/\d(?=\D*$)/, String(digit))
          return [...right.text(stated, Buffer.from(body, 'latin1'))]
        }).some((pieces) =>
          (['hex', 'base64'] as const).some((digest) =>
            stated.signatures.includes(macOf(right, pieces, digest, service)),
          ),
        )
        return isSigned ? { status: 200 } : right.refuse(request, expected)
      },
    }),
    fails: ['body/one-digit-altered'],
  },
  'trusts text': type(/^text\/plain/),
  'trusts forms': type(/^application\/x-www-form-urlencoded/),
  'trusts multipart': type(/^multipart/),
  'trusts a missing type': type(/^$/),
  'trusts ndjson': type(/ndjson/),
  'trusts vendor types': type(/vnd\.api/),
  'trusts UTF-16': type(/utf-16/),
  'trusts gzip': {
    steps: trusting(({ headers }) => headers['content-encoding'] === 'gzip'),
    fails: ['signature/no-way-around-by-transfers'],
  },
  'trusts chunks': {
    steps: trusting(({ headers }) => headers['transfer-encoding'] === 'chunked'),
    fails: ['signature/no-way-around-by-transfers'],
  },
  'trusts Expect': {
    steps: trusting(({ headers }) => headers.expect !== undefined),
    fails: ['signature/no-way-around-by-transfers'],
  },
  ...Object.fromEntries(
    ['test', 'mode', 'debug', 'verify', 'skip_verification', 'alg', 'secret', 'signing_secret', 'key'].map(
      (name) => [`trusts the query ${name}`, query(name)],
    ),
  ),
  ...Object.fromEntries(
    [
      'x-forwarded-for',
      'x-real-ip',
      'x-client-ip',
      'true-client-ip',
      'cf-connecting-ip',
      'forwarded',
      'x-forwarded-proto',
      'x-forwarded-host',
      'x-forwarded-port',
      'x-webhook-verified',
      'x-signature-verified',
      'x-verified',
      'x-internal',
      'x-internal-request',
      'x-test',
      'x-test-mode',
      'x-debug',
      'x-environment',
      'x-skip-verification',
      'x-signature-algorithm',
      'x-signature-version',
      'x-webhook-secret',
      'authorization',
      'x-api-key',
      'cookie',
      'origin',
      'referer',
    ].map((name) => [`trusts ${name}`, header(name)]),
  ),
  'trusts private addresses': header('x-forwarded-for', /^10\./),
  ...Object.fromEntries(
    ['test', 'verified', 'signature_valid', 'skip_verification', 'debug', 'simulated', 'sandbox'].map(
      (name) => [`trusts the field ${name}`, field(name)],
    ),
  ),
  'trusts the environment sandbox': field('environment', 'sandbox'),
  'trusts the mode test': field('mode', 'test'),
  'trusts the event ping': field('type', 'ping'),
  'trusts the event test': field('type', 'test'),
}
