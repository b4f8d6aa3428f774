import { CORRECT, type Event, effect, labeled, nameOf, Problem, signing, text } from './behavior.ts'
import type { Variant } from './mutant.ts'

const bytesOf = (header: string) => Buffer.from(header, 'latin1')
const isJson = (body: Buffer) => {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
    return true
  } catch {
    return false
  }
}
/** Whether a JSON object of the body has a key twice: good enough for bodies that this project sends. */
const repeatsKey = (body: Buffer) => /\{[^{}]*("\w+"):[^{}]*[{,]\1:/.test(body.toString())
const refusing = (is: (event: Event) => boolean) => ({
  rejects: (event: Event) => (is(event) ? 422 : undefined),
})

/** Correct receivers that use a freedom which SPEC.md grants because it harms nobody. */
export const CONTRACT_VARIANTS: Readonly<Record<string, Variant>> = {
  // A parser in front of the verifier: express.json({ verify }), FastAPI with a typed body.
  'parses JSON before it verifies, and answers 400': {
    does: () => ({
      peek(body) {
        if (body.length > 0 && !isJson(body)) throw new Problem(400, 'not JSON')
      },
    }),
  },
  'parses JSON before it verifies, and answers 422': {
    does: () => ({
      peek(body) {
        if (!isJson(body)) throw new Problem(422, 'not JSON')
      },
    }),
  },
  'refuses repeated keys before it verifies': {
    does: () => ({
      peek(body) {
        if (repeatsKey(body)) throw new Problem(400, 'a key is repeated')
      },
    }),
  },
  'refuses repeated keys': {
    does: () => ({
      parse(body) {
        if (repeatsKey(body)) throw new Problem(422, 'a key is repeated')
        return CORRECT.parse(body)
      },
    }),
  },
  'refuses a key named __proto__': {
    does: () => ({
      parse(body) {
        if (body.includes('"__proto__"')) throw new SyntaxError('forbidden key')
        return CORRECT.parse(body)
      },
    }),
    warning: ['body-bytes/key-named-proto'],
  },
  'refuses metadata that is not text': {
    does: () =>
      refusing(({ metadata }) => Object.values(metadata ?? {}).some((value) => typeof value !== 'string')),
  },

  // Signed bodies that are not events
  'acknowledges signed JSON that is not an event, and ignores it': {
    does: () => ({ status: ({ code, message }) => (message === 'not an event' ? 200 : code) }),
    warning: ['robustness/not-an-event-is-refused', 'robustness/no-payment-id-is-refused'],
  },
  'acknowledges every signed body, and ignores what it cannot use': {
    does: () => ({ status: ({ code, message }) => (/^not (?:an event|JSON)$/.test(message) ? 200 : code) }),
    warning: [
      'robustness/not-json-is-refused',
      'robustness/not-an-event-is-refused',
      'robustness/no-payment-id-is-refused',
    ],
  },
  'answers 404 to an event without a payment id': {
    does: () => ({ status: ({ code, message }) => (message === 'not an event' ? 404 : code) }),
    warning: ['robustness/not-an-event-is-refused', 'robustness/no-payment-id-is-refused'],
  },
  'shows a stack trace for a signed body that it cannot use': {
    does: () => ({
      explain: (problem) =>
        /^not (?:an event|JSON)$/.test(problem.message) ? String(problem.stack) : problem.message,
    }),
    warning: ['disclosure/no-trace-after-an-unreadable-body'],
  },

  // How t is read: only the holder of the secret can sign these texts
  "reads t like Go's ParseInt": {
    does: () => ({ seconds: (t) => (/^[+-]?\d{1,18}$/.test(t) ? Number(t) : undefined) }),
    warning: ['signature-header/t-with-sign'],
  },
  "reads t like Python's int()": {
    does: () => ({
      seconds(t) {
        const plain = bytesOf(t).toString().normalize('NFKC').trim()
        return /^[+-]?\d+(?:_\d+)*$/.test(plain) ? Number(plain.replaceAll('_', '')) : undefined
      },
      messages: (t, body) => [signing(bytesOf(t), '.', body)],
    }),
    warning: [
      'signature-header/t-with-sign',
      'signature-header/t-with-underscores',
      'signature-header/t-with-space-after',
      'signature-header/t-with-space',
      'signature-header/t-in-full-width-digits',
    ],
  },
  "reads t like JavaScript's parseInt": {
    does: () => ({
      seconds(t) {
        const seconds = Number.parseInt(t, 10)
        return Number.isNaN(seconds) ? undefined : seconds
      },
    }),
    warning: [
      'signature-header/t-with-letters-after-digits',
      'signature-header/t-with-decimals',
      'signature-header/t-with-sign',
      'signature-header/t-with-space',
      'signature-header/t-with-space-after',
    ],
  },
  "reads t like JavaScript's Number": {
    does: () => ({
      seconds: (t) => (t !== '' && Number.isFinite(Number(t)) ? Number(t) : undefined),
    }),
    warning: [
      'signature-header/t-with-decimals',
      'signature-header/t-with-exponent',
      'signature-header/t-in-hexadecimal',
      'signature-header/t-with-sign',
      'signature-header/t-with-space',
      'signature-header/t-with-space-after',
    ],
  },
  'expects t before v1': {
    does: () => ({
      entries(header) {
        const inOrder = /^(?:.*,)?t=.*,v1=/.test(header)
        return {
          times: labeled(header, 't'),
          signatures: inOrder || !header.includes('t=') ? labeled(header, 'v1') : [],
        }
      },
    }),
    warning: ['signature-header/order-swapped'],
  },

  // Effects
  'reverses for a refund and again for a chargeback': {
    does: () => ({
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' ? effect(event, 'reversed') : CORRECT.effectOf(event, before),
    }),
    warning: ['effects/refund-and-chargeback-reverse-once'],
  },
  'fulfills by the status': {
    does: () => ({
      effectOf: (event, before) =>
        event['status'] === 'completed' && !before.some(({ effect }) => effect === 'reversed')
          ? effect(event, 'fulfilled')
          : CORRECT.effectOf(event, before),
    }),
    warning: ['effects/unknown-event-with-status-completed'],
  },
  'refuses unknown events': {
    does: () =>
      refusing((event) => !/^payment\.(?:completed|failed|partial|refunded|expired)$/.test(nameOf(event))),
    warning: ['events/unknown-event', 'events/unknown-event-of-another-kind'],
  },
  'refuses amounts of more than 20 characters': {
    does: () => refusing(({ amount }) => text(amount).length > 20),
    warning: ['robustness/huge-amount'],
  },

  // Limits of servers and frameworks
  'compares content types case-sensitively': {
    does: () => ({
      gate: (request, body) =>
        (request.headers['content-type'] ?? 'application/json').startsWith('application/json')
          ? CORRECT.gate(request, body)
          : 415,
    }),
    warning: [
      'transport/content-type-text',
      'transport/content-type-form',
      'transport/content-type-in-capitals',
    ],
  },
  'answers 431 to a header of 4 KiB': {
    does: () => ({
      gate: (request, body) => (CORRECT.headerOf(request).length > 4_000 ? 431 : CORRECT.gate(request, body)),
    }),
  },
  'closes the connection on a header of 4 KiB': {
    does: () => ({
      gate: (request, body) => (CORRECT.headerOf(request).length > 4_000 ? 431 : CORRECT.gate(request, body)),
      status: ({ code }) => (code === 431 ? 0 : code),
    }),
    warning: [
      'robustness/header-of-8-kib-is-answered',
      'robustness/header-of-a-thousand-entries-is-answered',
    ],
  },
  'answers 500 to deeply nested JSON': {
    does: () => ({
      parse(body) {
        if (body.includes('['.repeat(1_000))) throw new RangeError('maximum recursion depth exceeded')
        return CORRECT.parse(body)
      },
    }),
    warning: ['robustness/nested-deeply-is-answered'],
  },
  'answers 400 to JSON nested more than 100 levels, before it verifies': {
    does: () => ({
      peek(body) {
        if (body.includes('['.repeat(100))) throw new Problem(400, 'too deep')
      },
    }),
  },
}
