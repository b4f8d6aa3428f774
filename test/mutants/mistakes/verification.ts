import { createHmac } from 'node:crypto'
import { CORRECT, signing } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const json = (body: Buffer) => JSON.parse(body.toString()) as Record<string, unknown>

/** Mistakes before a delivery is accepted or refused (SPEC.md 1 to 5). */
export const OF_VERIFICATION: Readonly<Record<string, Mutant>> = {
  // Signature header
  'reads the header entries by position': {
    does: {
      entries(header) {
        const [t = '', v1 = ''] = header.split(',').map((entry) => entry.split('=')[1] ?? '')
        return { times: t === '' ? [] : [t], signatures: v1 === '' ? [] : [v1] }
      },
    },
    cause: 'entries_by_position',
    fails: [
      'signature-header/order-swapped',
      'signature-header/unknown-label-first',
      'signature-header/unknown-label-between',
    ],
  },
  'refuses unknown labels': {
    does: {
      entries: (header) =>
        /^t=\w*,v1=\w*$/.test(header) ? CORRECT.entries(header) : { times: [], signatures: [] },
    },
    cause: 'unknown_labels_refused',
    fails: [
      'signature-header/unknown-label-last',
      'signature-header/unknown-label-with-equals-signs',
      'signature-header/unknown-label-first',
      'signature-header/unknown-label-between',
    ],
  },
  'finds t and v1 with regular expressions anywhere in the header': {
    does: {
      entries: (header) => ({
        times: /t=(\d+)/.exec(header)?.slice(1) ?? [],
        signatures: /v1=([0-9a-f]+)/.exec(header)?.slice(1) ?? [],
      }),
    },
    cause: 'entries_by_search',
    fails: ['signature-header/unknown-labels-that-end-alike'],
  },
  'takes the age from the first t= in the text of the header': {
    does: {
      entries(header) {
        const { times, signatures } = CORRECT.entries(header)
        const found = /t=(\d+)/.exec(header)?.slice(1) ?? []
        return { times: times.length === 1 ? [...found, ...times] : [], signatures }
      },
      signedTimes: (times) => times.slice(-1),
    },
    cause: 'entries_by_search',
    fails: [
      'signature-header/unknown-labels-that-end-alike',
      'time-window/stale-behind-a-label-that-ends-in-t',
    ],
  },
  'matches a label by its end': {
    does: {
      entries(header) {
        const signatures = Array.from(header.matchAll(/v1=([^,]*)/g), ([, signature = '']) => signature)
        return { times: CORRECT.entries(header).times, signatures }
      },
    },
    fails: ['signature-header/valid-signature-under-labels-that-end-in-v1'],
  },
  'matches a label by its prefix': {
    does: {
      entries(header) {
        const signatures = header.split(',').flatMap((entry) => /^v1\d*=(.*)$/.exec(entry)?.[1] ?? [])
        return { times: CORRECT.entries(header).times, signatures }
      },
    },
    cause: 'label_by_prefix',
    fails: ['signature-header/valid-signature-under-v11'],
  },
  'looks up the header case-sensitively': {
    does: {
      headerOf({ rawHeaders }) {
        const at = rawHeaders.indexOf('X-Service-Signature')
        return at === -1 ? '' : (rawHeaders[at + 1] ?? '')
      },
    },
    cause: 'header_name_case',
    fails: ['transport/header-name-in-lower-case', 'transport/header-name-in-upper-case'],
  },
  'parses the leading digits of t': {
    does: { seconds: (t) => Number.parseInt(t, 10) },
    fails: [
      'signature-header/t-with-letters-after-digits',
      'signature-header/t-with-sign',
      'signature-header/t-with-decimals',
      'signature-header/t-with-space',
    ],
    source: 'https://github.com/open-mercato/open-mercato/pull/3945',
  },
  'accepts a t that is not a number': {
    does: { seconds: Number, inWindow: (age) => !(Math.abs(age) > 300) },
    cause: 't_parsed_leniently',
    fails: [
      'signature-header/t-not-a-number',
      'signature-header/t-in-hexadecimal',
      'signature-header/t-with-exponent',
      'signature-header/t-with-underscores',
    ],
    source: 'https://github.com/nextlyhq/nextly/pull/227',
  },
  'checks one t and verifies another': {
    does: { signedTimes: (times) => times },
    fails: ['signature-header/t-twice-stale-one-signed-last'],
  },
  'compares only as many digits as it was given': {
    does: { same: (expected, given) => given !== '' && expected.startsWith(given) },
    cause: 'signature_compared_partly',
    fails: ['signature-header/v1-truncated', 'signature-header/v1-of-one-digit'],
  },
  'compares the first 64 digits': {
    does: { same: (expected, given) => expected === given.slice(0, 64) },
    cause: 'signature_compared_partly',
    fails: ['signature-header/v1-too-long'],
  },

  // Time window
  'has no window': {
    does: { inWindow: () => true },
    cause: 'no_window',
    fails: [
      'time-window/just-outside-the-past',
      'time-window/just-outside-the-future',
      'time-window/a-year-ago',
      'time-window/at-zero',
      'refusals/stale-has-no-effect',
      'signature-header/t-twice-stale-one-signed-first',
      'signature-header/two-header-lines-stale-one-signed',
    ],
    source: 'https://github.com/profullstack/sh1pt/pull/711',
  },
  'checks the past only': {
    does: { inWindow: (age) => age <= 300 },
    cause: 'window_past_only',
    fails: ['time-window/just-outside-the-future', 'time-window/a-year-ahead'],
    source: 'https://github.com/stripe/stripe-php/issues/657',
  },
  'checks the future only': {
    does: { inWindow: (age) => age >= -300 },
    cause: 'window_future_only',
    fails: ['time-window/just-outside-the-past', 'time-window/a-year-ago'],
  },
  'has a window of one minute': {
    does: { inWindow: (age) => Math.abs(age) < 60 },
    cause: 'window_length',
    fails: [
      'time-window/just-inside-the-past',
      'time-window/just-inside-the-future',
      'time-window/a-minute-ago',
    ],
  },
  'accepts milliseconds as well as seconds': {
    does: { seconds: (t) => (t.length > 11 ? Math.floor(Number(t) / 1000) : CORRECT.seconds(t)) },
    cause: 'milliseconds',
    fails: ['time-window/in-milliseconds'],
  },

  // Body bytes
  're-serializes the body': {
    does: { messages: (t, body) => [signing(`${t}.`, JSON.stringify(json(body)))] },
    cause: 'body_reserialized',
    fails: [
      'body-bytes/indented',
      'body-bytes/escaped-slashes',
      'body-bytes/number-forms',
      'body-bytes/spaces-added',
      'body-bytes/spaced',
      'body-bytes/integer-like-keys',
      'body-bytes/escaped-characters',
      'body-bytes/repeated-key',
      'body-bytes/line-break-at-the-end',
      'body-bytes/integer-like-keys-reordered',
      'body-bytes/escapes-added',
      'body-bytes/slashes-escaped',
      'body-bytes/number-reformatted',
      'body-bytes/key-repeated',
    ],
    source: 'https://github.com/stripe/stripe-node/issues/341',
  },
  'decodes the body before it verifies it': {
    does: { messages: (t, body) => [signing(`${t}.`, body.toString('utf8'))] },
    cause: 'body_decoded_as_text',
    fails: ['body-bytes/replacement-characters-reversed'],
  },
  'reads the body as text, without its byte order mark': {
    does: {
      messages: (t, body) => [signing(`${t}.`, new TextDecoder().decode(body))],
      parse: (body) => JSON.parse(new TextDecoder().decode(body)),
    },
    cause: 'body_decoded_as_text',
    fails: ['body-bytes/byte-order-mark-added', 'body-bytes/replacement-characters-reversed'],
  },
  'trims the body': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(`${t}.`, body.toString().trim())] },
    cause: 'body_trimmed',
    fails: ['body-bytes/line-break-added'],
  },
  'reads at most 50 KiB': {
    does: { gate: (request, body) => (body.length > 50 * 1024 ? 413 : CORRECT.gate(request, body)) },
    cause: 'body_limit',
    fails: ['body-bytes/of-60-kib', 'body-bytes/with-100-kib-of-metadata'],
  },
  'accepts only one content type': {
    does: {
      gate: (request, body) =>
        request.headers['content-type'] === 'application/json' ? CORRECT.gate(request, body) : 415,
    },
    cause: 'content_type_required',
    fails: [
      'transport/content-type-with-charset',
      'transport/content-type-missing',
      'transport/content-type-in-capitals',
    ],
  },

  // Refusals
  'uses an empty key when the secret is missing': {
    does: { keys: (secret) => [secret, ''] },
    cause: 'key_guessable',
    fails: ['refusals/empty-key'],
  },
  'has no secret for tests, and an empty key for them': {
    does: {
      trusts(header, _, body) {
        const [{ times, signatures }, isTest] = [CORRECT.entries(header), body.includes('"test":true')]
        return (
          isTest &&
          times.some((t) =>
            signatures.includes(createHmac('sha256', '').update(`${t}.`).update(body).digest('hex')),
          )
        )
      },
    },
    cause: 'verification_bypassed',
    fails: ['refusals/empty-key-for-tests'],
  },
  'also accepts the key "undefined"': {
    does: { keys: (secret) => [secret, 'undefined'] },
    cause: 'key_guessable',
    fails: ['refusals/key-undefined'],
  },
  'also accepts the secret without its prefix': {
    does: { keys: (secret) => [secret, secret.slice(secret.lastIndexOf('_') + 1)] },
    cause: 'secret_changed',
    fails: ['refusals/secret-without-prefix'],
    prefixed: true,
  },
  'also accepts a signature over the body alone': {
    does: { messages: (t, body) => [signing(`${t}.`, body), body] },
    cause: 'signed_text_differs',
    fails: ['refusals/body-alone'],
  },
  'also accepts a signature without the dot': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(t, body)] },
    cause: 'signed_text_differs',
    fails: ['refusals/without-the-dot'],
  },
  'answers 400 to a forged delivery': {
    does: { status: ({ code }) => (code === 401 ? 400 : code) },
    cause: 'one_refusal_status',
    fails: [
      'refusals/another-secret',
      'body-bytes/one-byte-of-the-amount-altered',
      'time-window/fresh-t-before-an-old-signature',
      'body-bytes/one-byte-of-the-id-altered',
      'refusals/secret-with-one-letter-changed',
      'refusals/signature-of-another-delivery',
      'body-bytes/one-byte-of-the-event-altered',
      'body-bytes/one-byte-of-the-metadata-altered',
      'body-bytes/one-byte-beyond-ascii-altered',
    ],
  },
  'answers 401 to a stale delivery': {
    does: {
      inWindow: CORRECT.inWindow,
      status: ({ code, message }) => (message.includes('window') ? 401 : code),
    },
    cause: 'wrong_refusal_status',
    fails: ['time-window/just-outside-the-past'],
  },
  'verifies nothing': {
    does: { same: () => true },
    cause: 'no_verification',
    fails: ['refusals/another-secret', 'refusals/signature-of-zeros', 'signature-header/v1-twice-both-wrong'],
  },
  'handles the event before it verifies it': {
    does: {
      peek: (body, handle) => handle(json(body)), // Once only, so that acting early is the only mistake.
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return before.some(({ effect }) => effect === done?.effect) ? undefined : done
      },
    },
    cause: 'acts_before_verifying',
    also: ['error_not_caught'],
    fails: [
      'refusals/forged-has-no-effect',
      'refusals/unsigned-has-no-effect',
      'refusals/altered-has-no-effect',
    ],
  },
}
