import type { IncomingMessage } from 'node:http'
import { type Behavior, CORRECT, type Event, nameOf, Problem, signing } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const WINDOW_SECONDS = 300
const now = () => Math.floor(Date.now() / 1000)

/** Knows the request of the delivery that is verified: nothing waits between the two. */
const looking = (make: (request: () => IncomingMessage) => Partial<Behavior>) => (): Partial<Behavior> => {
  let latest: IncomingMessage | undefined
  return {
    trusts(_, request) {
      latest = request
      return false
    },
    ...make(() => {
      if (latest === undefined) throw new Error('no request')
      return latest
    }),
  }
}

/** Reads `t` in a type of so many bits, in which the time is counted in parts of a second. */
const wrapping = (perSecond: number, wrap: (t: bigint) => bigint, digits = /^\d+$/): Partial<Behavior> => ({
  seconds: (t) => (digits.test(t) ? Number(wrap(BigInt(t) * BigInt(perSecond))) / perSecond : undefined),
})

/** Compares what a decoder makes of the digits. */
const decoding = (decode: (digits: string) => readonly number[]): Partial<Behavior> => ({
  same: (expected, given) =>
    given.length === 64 && Buffer.from(decode(given)).equals(Buffer.from(expected, 'hex')),
})
const pairs = (digits: string) => digits.match(/../g) ?? []

const IN_UTF_7 = /\+([A-Za-z0-9/]*)-/g
/** Decodes a body by a charset that its content type declares. */
const DECODERS: Readonly<Record<string, (body: Buffer) => string>> = {
  'utf-7': (body) =>
    body
      .toString('latin1')
      .replace(IN_UTF_7, (_, base64: string) =>
        base64 === '' ? '+' : Buffer.from(base64, 'base64').swap16().toString('utf16le'),
      ),
  unicode_escape: (body) =>
    body
      .toString('latin1')
      .replace(/\\u([\da-f]{4})|\\(\\)/g, (_, hex?: string) =>
        hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
}
const decodingAs = (charset: string): Mutant['does'] =>
  looking((request) => ({
    messages(t, body) {
      const decode = DECODERS[charset]
      const isDeclared = request().headers['content-type']?.includes(`charset=${charset}`) === true
      return [signing(`${t}.`, isDeclared && decode !== undefined ? decode(body) : body)]
    },
  }))

/** Takes only so many bytes of a body. */
const cutting = (bytes: number): Partial<Behavior> => ({
  join: (chunks) => Buffer.concat(chunks).subarray(0, bytes),
})

/** Shows a trace of a certain form when a body is not what its content coding says. */
const tracing = (
  coding: string,
  trace: string,
  isMet = (body: Buffer) => body.length > 0,
): Partial<Behavior> => ({
  gate(request, body) {
    if (request.headers['content-encoding'] === coding && isMet(body)) throw new Problem(400, trace)
    return CORRECT.gate(request, body)
  },
})
const JAVA_TRACE = `java.util.zip.ZipException: Not in GZIP format
\tat java.base/java.util.zip.GZIPInputStream.readHeader(GZIPInputStream.java:176)
\tat java.base/java.util.zip.GZIPInputStream.<init>(GZIPInputStream.java:80) ~[na:na]`

/** What decoders, number types and limits make of a delivery. */
export const OF_DECODING: Readonly<Record<string, Mutant>> = {
  // Time
  'multiplies t in unsigned 64 bits': {
    does: wrapping(1e9, (t) => BigInt.asUintN(64, t)),
    cause: 'time_overflows',
    fails: ['time-window/far-ahead'],
  },
  'counts t in milliseconds of 32 bits': {
    does: {
      ...wrapping(1e3, (t) => t),
      inWindow: (_, t) =>
        Math.abs(Number(BigInt.asIntN(32, (BigInt(t) - BigInt(now())) * 1000n)) / 1e3) <= WINDOW_SECONDS,
    },
    cause: 'time_overflows',
    fails: ['time-window/far-ahead', 'time-window/stale-by-what-overflows'],
  },
  'takes the absolute difference in 64 bits': {
    does: {
      seconds: (t) => (/^-?\d{1,19}$/.test(t) ? Number(t) : undefined),
      // The absolute value of the smallest number of 64 bits is itself.
      inWindow(_, t) {
        const difference = BigInt.asIntN(64, BigInt(now()) - BigInt(t))
        return BigInt.asIntN(64, difference < 0n ? -difference : difference) <= 300n
      },
    },
    fails: ['signature-header/t-far-below-zero'],
  },
  'reads a negative t as an unsigned number': {
    cause: 'time_overflows',
    does: { seconds: (t) => (/^-?\d{1,20}$/.test(t) ? Number(BigInt.asUintN(64, BigInt(t))) : undefined) },
    fails: ['signature-header/t-far-below-zero'],
  },
  'remembers a verified request': {
    slow: true,
    does: () => {
      const verified = new Set<string>()
      let key = ''
      return {
        trusts(header, _, body) {
          key = `${header} ${body.toString('base64')}`
          return verified.has(key)
        },
        rejects() {
          verified.add(key)
          return undefined
        },
      }
    },
    cause: 'window_remembered',
    fails: ['time-window/stale-although-its-t-was-accepted-before'],
  },
  'reads the clock when a connection is opened': {
    timed: true,
    slow: true,
    does: () => {
      const opened = new WeakMap<object, number>()
      let at = now()
      return {
        beforeBody({ socket }) {
          if (!opened.has(socket)) opened.set(socket, now())
          return undefined
        },
        trusts(_, { socket }) {
          at = opened.get(socket) ?? now()
          return false
        },
        inWindow: (_, t) => Math.abs(at - Number(t)) <= WINDOW_SECONDS,
      }
    },
    cause: 'clock_stands_still',
    fails: ['time-window/clock-advances-on-an-open-connection'],
  },
  'drops what is not ASCII from t': {
    does: {
      entries(header) {
        const { times, signatures } = CORRECT.entries(header)
        return { times: times.map((t) => t.replace(/[^\0-\x7f]/g, '')), signatures }
      },
    },
    fails: ['signature-header/t-with-bytes-that-decode-away'],
  },

  // Digits of the signature
  "decodes digits as Perl's pack": {
    does: decoding((digits) =>
      pairs(digits).map((pair) => {
        const [high = 0, low = 0] = Array.from(pair, (digit) => {
          const code = digit.charCodeAt(0)
          return (/[a-z]/i.test(digit) ? code + 9 : code) & 0xf
        })
        return high * 16 + low
      }),
    ),
    fails: ['signature-header/v1-of-lenient-digits'],
  },
  'takes what is no digit for zero': {
    does: decoding((digits) =>
      pairs(digits).map((pair) => Number.parseInt(pair.replace(/[^\da-f]/gi, '0'), 16)),
    ),
    fails: ['signature-header/v1-of-lenient-digits'],
  },
  'decodes digits as a parser that skips white space': {
    does: decoding((digits) =>
      pairs(digits.replaceAll(/[ \t]/g, '')).map((pair) => Number.parseInt(pair, 16)),
    ),
    fails: ['signature-header/v1-of-lenient-digits'],
  },
  'parses pairs of digits with parseInt': {
    does: decoding((digits) => pairs(digits).map((pair) => Number.parseInt(pair, 16))),
    fails: ['signature-header/v1-of-lenient-digits'],
  },
  'parses full-width digits': {
    does: {
      same: (expected, given) =>
        expected ===
        Buffer.from(given, 'latin1')
          .toString()
          .replace(/[\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) - 0xff10)),
    },
    fails: ['signature-header/v1-in-full-width-digits'],
  },

  // Body
  'decodes the body as UTF-7 where that is declared': {
    does: decodingAs('utf-7'),
    fails: ['bypass/content-type-with-another-charset'],
  },
  'decodes the escapes of a body where that is declared': {
    does: decodingAs('unicode_escape'),
    fails: ['bypass/content-type-with-another-charset'],
  },
  'cuts a body to 128 KiB': { does: cutting(128 * 1024), fails: ['body-bytes/extended-beyond-a-limit'] },
  'cuts a body to 65,535 bytes': { does: cutting(65_535), fails: ['body-bytes/extended-beyond-a-limit'] },
  'throws on a number beyond its type': {
    does: {
      parse(body) {
        if (/:1e400\b/i.test(body.toString())) throw new RangeError('out of range')
        return JSON.parse(body.toString())
      },
    },
    cause: 'error_not_caught',
    fails: ['body-bytes/number-beyond-floating-point'],
  },
  'refuses numbers beyond its type': {
    does: {
      parse(body) {
        if (/:1e400\b/i.test(body.toString())) throw new SyntaxError('out of range')
        return JSON.parse(body.toString())
      },
    },
    fails: ['body-bytes/number-beyond-floating-point-accepted'],
  },
  'creates the class that the metadata names': {
    does: {
      parse(body) {
        const event = JSON.parse(body.toString()) as Event | null
        const { metadata } = event ?? {}
        if (typeof metadata === 'object' && metadata !== null && 'json_class' in metadata)
          throw new TypeError('no such class')
        return event
      },
    },
    cause: 'error_not_caught',
    fails: ['body-bytes/keys-that-name-types', 'bypass/metadata-named-like-types'],
  },
  'looks for the names of known events in the text': {
    does: {
      parse(body) {
        if (!body.includes('payment.')) throw new SyntaxError('no payment')
        return JSON.parse(body.toString())
      },
    },
    fails: ['body-bytes/escaped-names-and-values'],
  },
  'drops what does not name a completion in its text': {
    does: () => {
      let raw = ''
      return {
        parse(body) {
          raw = body.toString()
          return JSON.parse(raw)
        },
        keeps: (event) => nameOf(event) !== 'payment.completed' || raw.includes('payment.completed'),
      }
    },
    fails: ['body-bytes/escaped-names-and-values-are-fulfilled'],
  },

  // Disclosure
  'shows a trace of Java for a body that is not gzipped': {
    does: tracing('gzip', JAVA_TRACE),
    cause: 'trace_disclosed',
    fails: ['disclosure/no-trace-after-unusual-requests'],
  },
  'shows a trace for a gzipped body that breaks off': {
    does: tracing(
      'gzip',
      'Traceback (most recent call last):',
      (body) => body[0] === 0x1f && body.length < 100,
    ),
    cause: 'trace_disclosed',
    fails: ['disclosure/no-trace-after-unusual-requests'],
  },
}
