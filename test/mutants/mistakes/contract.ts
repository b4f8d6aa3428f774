import type { IncomingMessage } from 'node:http'
import { type Behavior, CORRECT, type Event, effect, nameOf, signing, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const KNOWN = /^payment\.(?:completed|failed|partial|refunded|expired)$/

const panicking: Partial<Behavior> = { status: ({ code }) => (code === 500 ? 0 : code) }

/** Mistakes with deliveries that no receiver can use, and with events that it does not know (SPEC.md 9.9 and 10). */
export const OF_CONTRACT: Readonly<Record<string, Mutant>> = {
  // Refusals
  'also accepts the prefix of its secret': {
    does: { keys: (secret) => [secret, 'whsec_', 'whsec'] },
    cause: 'key_guessable',
    fails: ['refusals/prefix-of-the-secret'],
  },

  // Body bytes
  'hashes the low byte of each character': {
    cause: 'body_decoded_as_text',
    dependsOnData: true,
    does: { messages: (t, body) => [signing(`${t}.`, Buffer.from(body.toString(), 'latin1'))] },
    fails: ['body-bytes/replacement-characters', 'body-bytes/beyond-ascii'],
  },

  // Effects
  'credits an event that it does not know': {
    does: {
      effectOf: (event, before) =>
        KNOWN.test(nameOf(event)) ? CORRECT.effectOf(event, before) : effect(event, 'fulfilled'),
    },
    fails: ['effects/unknown-event-has-no-effect'],
  },

  // Metadata
  'acknowledges a metadata key named __proto__, and fails on it': {
    does: { keeps: ({ metadata }) => !Object.hasOwn(Object(metadata), '__proto__') },
    fails: ['bypass/metadata-named-like-a-prototype'],
  },

  'reverses for every delivery of a refund': {
    does: {
      keyOf: (event, body, header) =>
        nameOf(event) === 'payment.refunded' ? String(Math.random()) : CORRECT.keyOf(event, body, header),
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' ? effect(event, 'reversed') : CORRECT.effectOf(event, before),
    },
    fails: ['effects/refund-reverses', 'effects/refund-and-chargeback-reverse-once'],
  },

  // Robustness
  'crashes on JSON that is not an event': {
    cause: 'error_not_caught',
    does: { status: ({ code, message }) => (message === 'not an event' ? 500 : code) },
    fails: [
      'robustness/json-null',
      'robustness/json-array',
      'robustness/json-text',
      'robustness/empty-object',
      'robustness/event-of-wrong-type',
      'robustness/ids-missing',
      'robustness/ids-empty',
      'robustness/ids-of-wrong-type',
    ],
  },
  // A server such as that of Go closes the connection when a handler panics
  'panics at a signature of another length': {
    does: {
      ...panicking,
      same(expected, given) {
        if (given.length < expected.length) throw new RangeError('slice bounds out of range')
        return expected === given
      },
    },
    cause: 'error_not_caught',
    fails: ['signature-header/v1-truncated', 'signature-header/v1-of-one-digit'],
  },
  'panics at an entry without a value': {
    does: {
      ...panicking,
      entries(header) {
        if (header.split(',').some((entry) => !entry.includes('=')))
          throw new RangeError('index out of range')
        return CORRECT.entries(header)
      },
    },
    cause: 'error_not_caught',
    fails: ['signature-header/bare-labels', 'signature-header/absent'],
  },
  'panics at a signed body that is no event': {
    does: {
      ...panicking,
      isEvent(value): value is Event {
        if (!CORRECT.isEvent(value)) throw new TypeError('interface conversion')
        return true
      },
    },
    cause: 'error_not_caught',
    fails: ['robustness/json-null', 'robustness/json-array', 'robustness/empty-object'],
  },
  'stops after a signed body that it cannot read': {
    does: () => stopping((body) => unreadable(body)),
    fails: ['robustness/not-json', 'robustness/json-cut-short', 'robustness/empty-body'],
    timed: true,
  },
  'stops after a signed JSON array': {
    does: () => stopping((body) => body.toString() === '[]'),
    fails: ['robustness/json-array'],
    timed: true,
  },
  'credits whatever has an amount': {
    does: {
      isEvent: (value): value is Event => typeof value === 'object' && value !== null,
      effectOf: (event, before) =>
        typeof event['event'] === 'string'
          ? CORRECT.effectOf(event, before)
          : { ...effect(event, 'fulfilled'), event: 'payment.completed' },
    },
    fails: ['robustness/event-of-wrong-type-has-no-effect'],
  },
  'converts payment ids to text': {
    does: {
      parse(body) {
        const value = CORRECT.parse(body)
        if (typeof value !== 'object' || value === null || !('payment_id' in value)) return value
        return { ...value, payment_id: String(value.payment_id) }
      },
    },
    fails: ['robustness/ids-in-arrays-have-no-effect', 'robustness/null-ids-have-no-effect'],
  },
  'is taken down by a long header': {
    does: () => stopping((_, request) => CORRECT.headerOf(request).length > 5_000),
    fails: ['robustness/header-of-8-kib'],
    timed: true,
  },
  'is taken down by many header entries': {
    does: () => stopping((_, request) => CORRECT.headerOf(request).split(',').length > 500),
    fails: ['robustness/header-of-a-thousand-entries'],
    timed: true,
  },
  'is taken down by nested JSON': {
    does: () => stopping((body) => body.includes('['.repeat(1_000))),
    fails: ['robustness/nested-deeply', 'robustness/nested-deeply-and-forged'],
    timed: true,
  },
  'looks into unsigned JSON, however deeply it is nested': {
    does: () => stopping((body) => body.includes('{"a":['.repeat(20_000))),
    fails: ['robustness/nested-deeply-and-unsigned'],
    timed: true,
  },
  'parses nested JSON before it verifies, and is taken down': {
    does: () =>
      stopping(
        (body, request) =>
          body.includes('['.repeat(1_000)) && /v1=0{64}/.test(text(CORRECT.headerOf(request))),
      ),
    fails: ['robustness/nested-deeply-and-forged'],
    timed: true,
  },
}

/** Answers as usual, and then refuses everything for a while: the process ended and is restarted. */
function stopping(after: (body: Buffer, request: IncomingMessage) => boolean): Pick<typeof CORRECT, 'gate'> {
  let upAgain = 0
  return {
    gate(request, body) {
      if (performance.now() < upAgain) return 503
      if (after(body, request)) upAgain = performance.now() + 300
      return CORRECT.gate(request, body)
    },
  }
}

function unreadable(body: Buffer): boolean {
  try {
    JSON.parse(body.toString())
    return false
  } catch {
    return true
  }
}
