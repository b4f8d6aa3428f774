import { timingSafeEqual } from 'node:crypto'
import { CORRECT, type Event, effect, signing, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const metadataOf = (event: unknown) => (event as Event)['metadata'] as Readonly<Record<string, unknown>>
const agedBy = (event: Event) => (Date.now() - Date.parse(text(event['timestamp']))) / 1000
/** Normalizes the text of a body before the signature is checked, but also accepts the signed bytes. */
const alsoAs = (normalized: (text: string) => string) => ({
  messages: (t: string, body: Buffer) => [
    signing(`${t}.`, body),
    signing(`${t}.`, normalized(body.toString())),
  ],
})
const failsOn = (pattern: RegExp) => ({
  parse(body: Buffer): unknown {
    if (pattern.test(body.toString())) throw new Error('the store failed')
    return JSON.parse(body.toString())
  },
})

/** Headers and bodies that a receiver cannot handle, or reads in another way (SPEC.md 2, 4 and 5.4). */
export const OF_BYTES: Readonly<Record<string, Mutant>> = {
  // Signature header
  'compares strings of equal length as buffers': {
    does: {
      same: (expected, given) =>
        expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given)),
    },
    cause: 'error_not_caught',
    fails: ['signature-header/v1-beyond-ascii'],
  },
  'takes superscripts for digits': {
    does: { seconds: (t) => (/^[\d\u00b2\u00b3\u00b9]+$/.test(t) ? Number(BigInt(t)) : undefined) },
    cause: 'error_not_caught',
    fails: ['signature-header/t-beyond-ascii'],
  },
  'copies v1 into a buffer of fixed size': {
    does: {
      same(expected, given) {
        if (Buffer.alloc(4096).write(given) > 4000) throw new RangeError('out of bounds')
        return expected === given
      },
    },
    cause: 'error_not_caught',
    fails: ['signature-header/v1-very-long'],
  },
  'cannot convert a t of more than 4,300 digits': {
    does: {
      seconds(t) {
        if (t.length > 4300) throw new RangeError('exceeds the limit for integer conversion')
        return CORRECT.seconds(t)
      },
    },
    cause: 'error_not_caught',
    fails: ['signature-header/t-very-long'],
  },
  'decodes the header as ASCII': {
    does: {
      entries(header) {
        if (/[\u0080-\uffff]/.test(header)) throw new RangeError('not in range(128)')
        return CORRECT.entries(header)
      },
    },
    cause: 'error_not_caught',
    fails: ['signature-header/label-beyond-ascii', 'signature-header/unknown-entry-beyond-ascii'],
  },
  'compares up to a NUL byte': {
    does: {
      same: (expected, given) => given !== '' && expected.startsWith(given.split('\0', 1)[0] ?? ''),
    },
    setting: { server: { insecureHTTPParser: true } },
    cause: 'signature_compared_partly',
    fails: ['signature-header/nul-in-v1'],
  },
  'fails on a NUL byte': {
    does: {
      entries(header) {
        if (header.includes('\0')) throw new RangeError('embedded null byte')
        return CORRECT.entries(header)
      },
    },
    setting: { server: { insecureHTTPParser: true } },
    cause: 'error_not_caught',
    fails: ['signature-header/nul-in-t-and-labels', 'signature-header/nul-in-v1'],
  },

  // Body bytes
  'also verifies the body in lowercase': {
    does: alsoAs((body) => body.toLowerCase()),
    fails: ['body-bytes/letters-changed-case'],
  },
  'also verifies the body with single spaces': {
    does: alsoAs((body) => body.replace(/\s+/g, ' ')),
    fails: ['body-bytes/spaces-in-strings-changed'],
  },
  'also verifies the body without any space': {
    does: alsoAs((body) => body.replace(/\s/g, '')),
    fails: ['body-bytes/spaces-in-strings-changed'],
  },
  'also verifies the body with trimmed strings': {
    does: alsoAs((body) => body.replace(/(?<! ) +"/g, '"')),
    fails: ['body-bytes/spaces-in-strings-changed'],
  },
  'collapses spaces before it verifies': {
    does: { messages: (t, body) => [signing(`${t}.`, body.toString().replace(/[ \u00a0\u2003]+/g, ' '))] },
    fails: ['body-bytes/spaces-and-capitals-in-strings'],
  },
  'refuses an event that is an hour old': {
    does: { rejects: (event) => (agedBy(event) > 300 ? 400 : undefined) },
    fails: [
      'body-bytes/timestamp-an-hour-ago',
      'body-bytes/timestamp-a-day-ago',
      'body-bytes/timestamp-a-year-ago',
    ],
  },
  'refuses an event from the future': {
    does: { rejects: (event) => (agedBy(event) < -1 ? 400 : undefined) },
    fails: ['body-bytes/timestamp-ahead'],
  },
  'drops an event of last year': {
    does: { keeps: (event) => agedBy(event) < 100 * 24 * 3600 },
    fails: ['body-bytes/late-events-are-fulfilled'],
  },
  'parses NaN, and fails to store it': {
    does: failsOn(/:NaN/),
    cause: 'error_not_caught',
    fails: ['body-bytes/bare-nan'],
  },
  'parses Infinity, and fails to store it': {
    does: failsOn(/:-?Infinity/),
    cause: 'error_not_caught',
    fails: ['body-bytes/bare-infinity'],
  },
  'fails to store half of a character': {
    does: failsOn(/id":"[^"]*\\ud83e"/),
    cause: 'error_not_caught',
    fails: ['body-bytes/lone-surrogate-in-the-id'],
  },
  'fails on two payment ids': {
    does: failsOn(/"payment_id".*"payment_id"/),
    cause: 'error_not_caught',
    fails: ['body-bytes/payment-id-repeated'],
  },
  'refuses numbers that it cannot represent': {
    does: {
      parse(body) {
        if (/:9007199254740993/.test(body.toString())) throw new SyntaxError('number out of range')
        return JSON.parse(body.toString())
      },
    },
    fails: ['body-bytes/number-beyond-2-53'],
  },

  // The metadata and the mode of an event
  'merges the metadata into the event': {
    does: {
      parse(body) {
        const event: unknown = JSON.parse(body.toString())
        return typeof event === 'object' && event !== null ? { ...event, ...metadataOf(event) } : event
      },
    },
    cause: 'metadata_merged',
    fails: [
      'bypass/metadata-named-like-amounts',
      'bypass/metadata-named-like-ids',
      'bypass/metadata-named-like-a-completion',
      'bypass/metadata-named-like-flags',
    ],
  },
  'calls a method of the metadata': {
    does: {
      rejects: (event) => {
        const metadata = metadataOf(event)
        // oxlint-disable-next-line no-prototype-builtins -- the mistake itself
        return typeof metadata === 'object' && metadata.hasOwnProperty('blocked') ? 400 : undefined
      },
    },
    fails: ['bypass/metadata-named-like-methods'],
  },
  'fulfills test payments as live ones': {
    does: {
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return done && { ...effect(event, done.effect), livemode: true }
      },
    },
    fails: ['bypass/test-payment-on-a-live-receiver', 'effects/livemode-is-shown'],
    mode: 'test',
  },

  // Disclosure
  'shows its configuration to GET': {
    does: {
      status: ({ code }) => (code === 405 ? 200 : code),
      explain: ({ code, message }, { secret }) => (code === 405 ? `secret: ${secret}` : message),
    },
    cause: 'secret_disclosed',
    fails: ['disclosure/no-secret-in-an-answer-to-get'],
  },
}
