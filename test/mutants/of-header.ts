import { CORRECT, labelled, signing } from './behaviour.ts'
import type { Mutant } from './mutant.ts'

const present = () => Math.floor(Date.now() / 1000)
/** Header text as its bytes say: Node hands each byte over as a letter of its own. */
const bytesOf = (header: string) => Buffer.from(header, 'latin1')

/** How the signature header and its time are misread (SPEC.md 2 and 3). */
export const OF_HEADER: Readonly<Record<string, Mutant>> = {
  'answers 401 where a part of the header is missing': {
    does: { status: ({ code, message }) => (message.includes('missing') ? 401 : code) },
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
  'verifies only where there is a header': {
    does: { trusts: (header) => header === '' },
    fails: ['signature-header/absent', 'signature-header/empty', 'refusals/unsigned-has-no-effect'],
  },
  'verifies the body alone where t is missing': {
    does: {
      clockTime: ([first]) => first ?? '',
      seconds: (t) => (t === '' ? present() : CORRECT.seconds(t)),
      signedTimes: ([first = '']) => [first],
      messages: (t, body) => (t === '' ? [body] : CORRECT.messages(t, body)),
    },
    fails: ['signature-header/t-missing-and-not-signed', 'signature-header/t-missing'],
  },
  'takes an empty t for the present': {
    does: { seconds: (t) => (t === '' ? present() : CORRECT.seconds(t)) },
    fails: ['signature-header/t-empty'],
  },
  'takes the present for a t that it can not read': {
    does: { seconds: (t) => CORRECT.seconds(t) ?? present() },
    fails: [
      'signature-header/t-empty',
      'signature-header/t-infinite',
      'signature-header/t-not-a-number',
      'signature-header/t-with-decimals',
    ],
  },
  'reads t as int() of Python does': {
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
  'reads t without its sign': {
    does: { seconds: (t) => (/^[+-]?\d{1,12}$/.test(t) ? Math.abs(Number(t)) : undefined) },
    fails: ['signature-header/t-with-minus-sign', 'signature-header/t-with-sign'],
  },
  'breaks on a t that its date type can not hold': {
    does: {
      seconds(t) {
        if (t.length > 300) throw new RangeError('out of range')
        return CORRECT.seconds(t)
      },
    },
    fails: ['signature-header/t-of-400-digits'],
  },
  'reads t into 64 bits': {
    does: { seconds: (t) => (/^\d+$/.test(t) ? Number(BigInt.asUintN(64, BigInt(t))) : undefined) },
    fails: ['signature-header/t-wrapped-at-64-bits'],
  },
  'reads t into 32 bits': {
    does: { seconds: (t) => (/^\d{1,12}$/.test(t) ? Number(t) % 2 ** 32 : undefined) },
    fails: ['time-window/ahead-by-2-to-the-32'],
  },
  'breaks on an entry that has no equals sign': {
    does: {
      entries(header) {
        if (header.split(',').some((entry) => entry !== '' && !entry.includes('=')))
          throw new TypeError('no value')
        return CORRECT.entries(header)
      },
    },
    fails: [
      'signature-header/bare-word-between',
      'signature-header/without-entries',
      'signature-header/bare-labels',
    ],
  },
  'breaks on an empty entry': {
    does: {
      entries(header) {
        if (header.split(',').includes('')) throw new TypeError('no label')
        return CORRECT.entries(header)
      },
    },
    fails: ['signature-header/comma-at-the-end', 'signature-header/commas-doubled'],
  },
  'reads t as a decimal number': {
    does: { seconds: (t) => (/^\d+(?:\.\d+)?(?:e\d+)?$/.test(t) ? Math.floor(Number(t)) : undefined) },
    fails: ['signature-header/t-with-decimals', 'signature-header/t-with-exponent'],
  },
  'takes the last entry for the signature': {
    does: {
      entries: (header) => ({
        times: labelled(header, 't'),
        signatures: [header.split(',').at(-1) ?? ''].flatMap((entry) => entry.split('=')[1] ?? []),
      }),
    },
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
  'goes on after a loop in which no v1 was right': {
    does: { trusts: (header) => labelled(header, 'v1').length > 1 },
    fails: ['signature-header/v1-twice-both-wrong', 'signature-header/two-header-lines-both-wrong'],
  },
  'compares as much as it was given, be it nothing': {
    does: { same: (expected, given) => expected.startsWith(given) },
    fails: ['signature-header/v1-empty', 'signature-header/v1-truncated'],
  },
  'compares what its hex decoder could read': {
    does: {
      same(expected, given) {
        const read = Buffer.from(given, 'hex')
        return read.equals(Buffer.from(expected, 'hex').subarray(0, read.length))
      },
    },
    fails: ['signature-header/v1-not-hexadecimal', 'signature-header/v1-truncated'],
  },
  'takes v1 in base64 as well': {
    does: {
      same: (expected, given) =>
        expected === given || Buffer.from(expected, 'hex').toString('base64') === given,
    },
    fails: ['signature-header/v1-in-base64'],
  },
  'leaves the last digit out': {
    does: {
      same: (expected, given) =>
        expected.length === given.length && expected.slice(0, -1) === given.slice(0, -1),
    },
    fails: ['signature-header/v1-with-one-digit-wrong'],
  },
  'compares lengths': {
    does: { same: (expected, given) => expected.length === given.length },
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
  'breaks on a signature of another length': {
    does: {
      same(expected, given) {
        if (expected.length !== given.length) throw new RangeError('lengths differ')
        return expected === given
      },
    },
    fails: [
      'signature-header/v1-empty',
      'signature-header/v1-truncated',
      'signature-header/v1-too-long',
      'signature-header/v1-in-base64',
      'refusals/hmac-sha1',
    ],
  },

  // Time window
  'allows no time ahead': {
    does: { inWindow: (age) => age >= 0 && age <= 300 },
    fails: ['time-window/a-second-ahead', 'time-window/just-inside-the-future'],
  },
  'has a window of ten minutes': {
    does: { inWindow: (age) => Math.abs(age) <= 600 },
    fails: ['time-window/just-outside-the-past', 'time-window/just-outside-the-future'],
  },
  'counts the window in milliseconds': {
    does: { inWindow: (age) => Math.abs(age) <= 300_000 },
    fails: ['time-window/just-outside-the-past', 'refusals/stale-has-no-effect', 'duplicates/stale-first'],
  },
  'takes a zero for no time given': {
    does: { inWindow: (age, t) => Number(t) === 0 || CORRECT.inWindow(age, t) },
    fails: ['time-window/at-zero'],
  },
  'acknowledges what is too old': {
    does: { status: ({ code, message }) => (message.includes('window') ? 200 : code) },
    fails: ['time-window/stale-and-forged', 'time-window/a-year-ago'],
  },
}
