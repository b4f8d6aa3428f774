import { setTimeout as pause } from 'node:timers/promises'
import { CORRECT, type Event, effect, idOf, nameOf, Problem, paymentOf } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

/** The number of whole seconds that the interface writes: no longer one in this century. */
const TEN_DIGITS = /^\d{10}$/

/** Correct receivers as frameworks, libraries and servers make them. */
export const VARIANTS_FIELD: Readonly<Record<string, Variant>> = {
  // Servers
  'serves one request on a connection': {
    does: () => ({ refusalHeaders: { Connection: 'close' }, acknowledge: closing }),
    setting: { server: { keepAlive: true, keepAliveTimeout: 1_000 } },
  },
  'refuses heads of more than 8 KiB': {
    does: () => ({}),
    setting: { server: { maxHeaderSize: 8 * 1024 } },
    related: ['robustness/header-of-8-kib', 'robustness/header-of-a-thousand-entries'],
  },
  'refuses Expect with 417': {
    does: () => ({}),
    setting: { expectStatus: 417 },
    warning: ['transport/expect-100-continue'],
  },
  'refuses before it reads the body': {
    does: () => ({
      beforeBody: (request) =>
        request.method === 'POST' ? (CORRECT.headerOf(request) === '' ? 400 : undefined) : 405,
    }),
    related: ['signature-header/absent', 'transport/method-put', 'refusals/unsigned-has-no-effect'],
  },
  'redirects a path with a slash at the end': {
    does: () => ({
      gate: (request, body) => (/\/(?:\?|$)/.test(request.url ?? '') ? 308 : CORRECT.gate(request, body)),
    }),
  },
  'answers 404 to any other path or query': {
    does: () => ({
      gate: (request, body) => (request.url === '/webhooks' ? CORRECT.gate(request, body) : 404),
    }),
  },
  'requires a User-Agent': {
    does: () => ({
      gate: (request, body) =>
        request.headers['user-agent'] === undefined ? 403 : CORRECT.gate(request, body),
    }),
    related: ['transport/pipelined'],
  },
  'accepts every method': {
    does: () => ({ gate: (_, body) => (body.length > 2 ** 20 ? 413 : undefined) }),
    warning: ['transport/method-put', 'transport/method-patch', 'transport/method-delete'],
  },

  // Signature header
  'refuses a header of more than ten entries': {
    does: () => ({
      entries(header) {
        if (header.split(',').length > 10) throw new Problem(400, 'too many entries')
        return CORRECT.entries(header)
      },
    }),
    related: ['robustness/header-of-a-thousand-entries', 'signature-header/commas-doubled'],
  },
  'refuses a header of more than 4 KiB with 431': {
    does: () => ({
      gate: (request, body) => (CORRECT.headerOf(request).length > 4096 ? 431 : CORRECT.gate(request, body)),
    }),
    related: ['robustness/header-of-8-kib', 'robustness/header-of-a-thousand-entries'],
  },
  'trims the entries of the header': {
    does: () => ({
      entries: (header) =>
        CORRECT.entries(
          header
            .split(',')
            .map((entry) => entry.trim())
            .join(','),
        ),
    }),
    related: ['signature-header/space-after-the-comma', 'signature-header/t-with-space'],
  },
  'accepts t with ten digits only': {
    does: () => ({ seconds: (t) => (TEN_DIGITS.test(t) ? Number(t) : undefined) }),
    related: ['signature-header/t-with-leading-zeros', 'time-window/in-milliseconds', 'time-window/at-zero'],
  },
  'counts time in milliseconds': {
    does: () => ({ inWindow: (_, t) => Math.abs(Date.now() - Number(t) * 1000) <= 300_000 }),
    related: ['time-window/just-inside-the-past', 'time-window/just-inside-the-future'],
  },
  'compares the bytes of signatures': {
    does: () => ({
      same: (expected, given) =>
        /^[\da-f]{64}$/i.test(given) && Buffer.from(expected, 'hex').equals(Buffer.from(given, 'hex')),
    }),
    related: ['signature-header/v1-in-upper-case', 'signature-header/v1-not-hexadecimal'],
  },

  // Body
  'stores the body as base64': {
    does: () => ({ parse: (body) => JSON.parse(Buffer.from(body.toString('base64'), 'base64').toString()) }),
  },
  'accepts a byte-order mark': {
    does: () => ({ parse: (body) => JSON.parse(body.toString().replace(/^\uFEFF/, '')) }),
    related: ['body-bytes/byte-order-mark', 'body-bytes/byte-order-mark-added'],
  },
  'answers 415 to a body that is not JSON': {
    does: () => ({ status: ({ code, message }) => (message === 'not JSON' ? 415 : code) }),
    related: ['robustness/not-json', 'robustness/empty-body', 'robustness/json-cut-short'],
  },
  'reads id before payment_id': {
    does: () => ({
      keyOf: (event) => CORRECT.keyOf({ ...event, payment_id: event['id'] }, Buffer.alloc(0), ''),
    }),
    related: ['duplicates/similar-payments', 'events/simulated-and-sparse'],
  },

  // Duplicates and effects
  'recognizes partial payments by payment and event': {
    does: () => ({ keyOf: (event) => JSON.stringify([idOf(event), nameOf(event), event['type']]) }),
    related: ['duplicates/growing-partials'],
  },
  'deduplicates by the state of the order, without keys': {
    does: () => ({ keyOf: () => String(Math.random()), effectOf: byState() }),
    related: [
      'duplicates/delivered-twice-at-once',
      'duplicates/delivered-five-times-in-turn',
      'effects/refund-before-completion',
      'effects/refund-and-chargeback-reverse-once',
    ],
  },
  'works in batches every 200 ms': {
    does: () => ({}),
    setting: { batchMs: 200 },
    related: [
      'effects/refund-reverses',
      'duplicates/delivered-twice-in-turn',
      'effects/refund-before-completion',
    ],
  },
  'looks for the key twice, with a lock between': {
    does: () => {
      const known = new Set<string>()
      return {
        keeps(event) {
          const key = `${paymentOf(event)} ${CORRECT.keyOf(event, Buffer.alloc(0), '')}`
          if (known.has(key)) return false
          known.add(key)
          return true
        },
      }
    },
    related: ['duplicates/delivered-20-times-at-once'],
  },
  'shows amounts with eight decimals': {
    does: () => ({
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        const [whole = '', fraction = ''] = done?.amount.split('.') ?? []
        return done && { ...done, amount: `${whole}.${fraction.padEnd(8, '0')}` }
      },
    }),
    related: ['effects/completed-is-fulfilled', 'effects/large-amount-to-the-last-digit'],
  },
  'answers 409 to a copy while the first one is handled': {
    related: ['duplicates/delivered-twice-at-once', 'duplicates/delivered-20-times-at-once'],
    does: () => {
      const busy = new Set<string>()
      const keyOf = (event: Event) => `${idOf(event)} ${nameOf(event)}`
      return {
        rejects: (event) => (busy.has(keyOf(event)) ? 409 : undefined),
        async acknowledge(event, response) {
          busy.add(keyOf(event))
          await pause(5)
          response.writeHead(200).end()
          busy.delete(keyOf(event))
        },
      }
    },
  },
}

function closing(_: Event, response: Parameters<typeof CORRECT.acknowledge>[1]): void {
  response.writeHead(200, { Connection: 'close' }).end('stored')
}

/** Fulfills and reverses by what the order has become, so that a repetition changes nothing. */
function byState(): typeof CORRECT.effectOf {
  const refunded = new Set<string>()
  return (event, before) => {
    const done = (what: 'fulfilled' | 'reversed') => before.some((other) => other.effect === what)
    if (nameOf(event) === 'payment.refunded') {
      refunded.add(paymentOf(event))
      return done('fulfilled') && !done('reversed') ? effect(event, 'reversed') : undefined
    }
    if (nameOf(event) !== 'payment.completed' || done('fulfilled')) return undefined
    return refunded.has(paymentOf(event)) ? undefined : effect(event, 'fulfilled')
  }
}
