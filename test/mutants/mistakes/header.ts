import { CORRECT, labeled, signing } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const nowSeconds = () => Math.floor(Date.now() / 1000)
/** The bytes of a header: Node decodes each byte as one character. */
const bytesOf = (header: string) => Buffer.from(header, 'latin1')

/** Mistakes in reading the signature header and its time (SPEC.md 2 and 3). */
export const OF_HEADER: Readonly<Record<string, Mutant>> = {
  'answers 401 when a header entry is missing': {
    does: { status: ({ code, message }) => (message.includes('missing') ? 401 : code) },
    cause: 'wrong_refusal_status',
    fails: [
      'signature-header/absent',
      'signature-header/empty',
      'signature-header/without-entries',
      'signature-header/bare-labels',
      'signature-header/t-missing',
      'signature-header/v1-missing',
      'signature-header/valid-signature-under-v0',
      'signature-header/only-other-labels',
    ],
  },
  'checks the time of the first header line and verifies every line': {
    does: {
      headerOf: ({ headersDistinct }) => (headersDistinct['x-service-signature'] ?? []).join('\n'),
      entries(header) {
        const lines = header.split('\n').map((line) => CORRECT.entries(line))
        return {
          times: lines.flatMap(({ times }) => times.slice(0, 1)),
          signatures: lines.flatMap(({ signatures }) => signatures.slice(0, 1)),
        }
      },
      signedTimes: (times) => times,
    },
    fails: ['signature-header/t-twice-wherever-the-fresh-one-stands'],
  },
  'verifies only when there is a header': {
    does: { trusts: (header) => header === '' },
    cause: 'unsigned_accepted',
    fails: ['signature-header/absent', 'signature-header/empty', 'refusals/unsigned-has-no-effect'],
    source: 'https://github.com/krkn-chaos/krkn/issues/1277',
  },
  'verifies the body alone when t is missing': {
    does: {
      clockTime: ([first]) => first ?? '',
      seconds: (t) => (t === '' ? nowSeconds() : CORRECT.seconds(t)),
      signedTimes: ([first = '']) => [first],
      messages: (t, body) => (t === '' ? [body] : CORRECT.messages(t, body)),
    },
    fails: ['signature-header/t-missing-and-not-signed', 'signature-header/t-missing'],
  },
  'takes an empty t for now': {
    does: { seconds: (t) => (t === '' ? nowSeconds() : CORRECT.seconds(t)) },
    fails: ['signature-header/t-empty'],
  },
  'replaces an unreadable t with now': {
    does: { seconds: (t) => CORRECT.seconds(t) ?? nowSeconds() },
    cause: 't_parsed_leniently',
    fails: [
      'signature-header/t-empty',
      'signature-header/t-infinite',
      'signature-header/t-not-a-number',
      'signature-header/t-with-decimals',
    ],
  },
  "parses t like Python's int()": {
    does: {
      seconds(t) {
        const plain = bytesOf(t).toString().normalize('NFKC').trim()
        return /^[+-]?\d+(?:_\d+)*$/.test(plain) ? Number(plain.replaceAll('_', '')) : undefined
      },
      messages: (t, body) => [signing(bytesOf(t), '.', body)],
    },
    fails: [
      'signature-header/t-with-underscores',
      'signature-header/t-with-space',
      'signature-header/t-with-sign',
      'signature-header/t-in-full-width-digits',
      'signature-header/t-with-space-after',
    ],
  },
  'ignores the sign of t': {
    does: { seconds: (t) => (/^[+-]?\d{1,12}$/.test(t) ? Math.abs(Number(t)) : undefined) },
    cause: 't_parsed_leniently',
    fails: ['signature-header/t-with-minus-sign', 'signature-header/t-with-sign'],
  },
  'crashes on a t that its date type cannot hold': {
    does: {
      seconds(t) {
        if (t.length > 300) throw new RangeError('out of range')
        return CORRECT.seconds(t)
      },
    },
    cause: 'error_not_caught',
    fails: ['signature-header/t-of-400-digits'],
    source: 'https://github.com/drt-hub/drt/pull/1014',
  },
  'truncates t to 64 bits': {
    does: { seconds: (t) => (/^\d+$/.test(t) ? Number(BigInt.asUintN(64, BigInt(t))) : undefined) },
    cause: 'time_overflows',
    fails: ['signature-header/t-wrapped-at-64-bits'],
  },
  'truncates t to 32 bits': {
    does: { seconds: (t) => (/^\d{1,12}$/.test(t) ? Number(t) % 2 ** 32 : undefined) },
    cause: 'time_overflows',
    fails: ['time-window/ahead-by-2-to-the-32'],
  },
  'crashes on an entry without an equals sign': {
    does: {
      entries(header) {
        if (header.split(',').some((entry) => entry !== '' && !entry.includes('=')))
          throw new TypeError('no value')
        return CORRECT.entries(header)
      },
    },
    cause: 'error_not_caught',
    fails: [
      'signature-header/bare-word-between',
      'signature-header/without-entries',
      'signature-header/bare-labels',
    ],
  },
  'crashes on an empty entry': {
    does: {
      entries(header) {
        if (header.split(',').includes('')) throw new TypeError('no label')
        return CORRECT.entries(header)
      },
    },
    cause: 'error_not_caught',
    fails: ['signature-header/comma-at-the-end', 'signature-header/commas-doubled'],
  },
  'parses t as a decimal number': {
    does: { seconds: (t) => (/^\d+(?:\.\d+)?(?:e\d+)?$/.test(t) ? Math.floor(Number(t)) : undefined) },
    fails: ['signature-header/t-with-decimals', 'signature-header/t-with-exponent'],
  },
  'takes the last entry for the signature': {
    does: {
      entries: (header) => ({
        times: labeled(header, 't'),
        signatures: [header.split(',').at(-1) ?? ''].flatMap((entry) => entry.split('=')[1] ?? []),
      }),
    },
    cause: 'entries_by_position',
    fails: [
      'signature-header/order-swapped',
      'signature-header/unknown-label-last',
      'signature-header/valid-signature-under-v0',
    ],
  },
  'checks the last t and verifies the first': {
    does: { clockTime: (times) => times.at(-1) },
    fails: [
      'signature-header/t-twice-stale-one-signed-first',
      'signature-header/two-header-lines-stale-one-signed',
    ],
  },
  'continues after a loop in which no v1 was valid': {
    does: { trusts: (header) => labeled(header, 'v1').length > 1 },
    fails: ['signature-header/v1-twice-both-wrong', 'signature-header/two-header-lines-both-wrong'],
  },
  'compares only as many digits as it was given, even none': {
    does: { same: (expected, given) => expected.startsWith(given) },
    cause: 'signature_compared_partly',
    fails: ['signature-header/v1-empty', 'signature-header/v1-truncated'],
  },
  'compares only what its hex decoder could read': {
    does: {
      same(expected, given) {
        const read = Buffer.from(given, 'hex')
        return read.equals(Buffer.from(expected, 'hex').subarray(0, read.length))
      },
    },
    cause: 'signature_compared_partly',
    fails: ['signature-header/v1-not-hexadecimal', 'signature-header/v1-truncated'],
  },
  'also accepts v1 in base64': {
    does: {
      same: (expected, given) =>
        expected === given || Buffer.from(expected, 'hex').toString('base64') === given,
    },
    fails: ['signature-header/v1-in-base64'],
  },
  'ignores the last digit of v1': {
    does: {
      same: (expected, given) =>
        expected.length === given.length && expected.slice(0, -1) === given.slice(0, -1),
    },
    cause: 'signature_compared_partly',
    fails: ['signature-header/v1-with-one-digit-wrong'],
  },
  'compares only the lengths': {
    does: { same: (expected, given) => expected.length === given.length },
    cause: 'no_verification',
    fails: [
      'signature-header/v1-not-hexadecimal',
      'signature-header/v1-with-one-digit-wrong',
      'refusals/signature-of-another-delivery',
      'refusals/secret-with-one-letter-changed',
      'body-bytes/one-byte-of-the-id-altered',
      'body-bytes/keys-reordered',
      'time-window/fresh-t-before-an-old-signature',
    ],
  },
  'crashes on a signature of another length': {
    does: {
      same(expected, given) {
        if (expected.length !== given.length) throw new RangeError('lengths differ')
        return expected === given
      },
    },
    cause: 'error_not_caught',
    fails: [
      'signature-header/v1-empty',
      'signature-header/v1-truncated',
      'signature-header/v1-too-long',
      'signature-header/v1-in-base64',
      'refusals/hmac-sha1',
    ],
    source: 'https://github.com/inkbox-ai/inkbox/issues/144',
  },

  // Time window
  'refuses a t in the future': {
    does: { inWindow: (age) => age >= 0 && age <= 300 },
    cause: 'future_refused',
    fails: ['time-window/a-second-ahead', 'time-window/just-inside-the-future'],
    source: 'https://github.com/opengovsg/formsg-javascript-sdk/pull/47',
  },
  'has a window of ten minutes': {
    does: { inWindow: (age) => Math.abs(age) <= 600 },
    cause: 'window_length',
    fails: ['time-window/just-outside-the-past', 'time-window/just-outside-the-future'],
  },
  'counts the window in milliseconds': {
    does: { inWindow: (age) => Math.abs(age) <= 300_000 },
    cause: 'window_unit',
    fails: ['time-window/just-outside-the-past', 'refusals/stale-has-no-effect', 'duplicates/stale-first'],
  },
  'treats a t of zero as missing': {
    does: { inWindow: (age, t) => Number(t) === 0 || CORRECT.inWindow(age, t) },
    fails: ['time-window/at-zero'],
  },
  'acknowledges stale deliveries': {
    does: { status: ({ code, message }) => (message.includes('window') ? 200 : code) },
    cause: 'no_window',
    fails: ['time-window/stale-and-forged', 'time-window/a-year-ago'],
  },
}
