import { CORRECT, type Event, effect, labeled, nameOf, Problem, signing, text } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

const bytesOf = (header: string) => Buffer.from(header, 'latin1')
const refusing = (is: (event: Event) => boolean) => ({
  rejects: (event: Event) => (is(event) ? 422 : undefined),
})

/** What no way of reading t may accept. */
const ODD_TIMES = [
  'signature-header/t-not-a-number',
  'signature-header/t-infinite',
  'signature-header/t-with-minus-sign',
  'signature-header/t-empty',
  'signature-header/t-of-400-digits',
  'signature-header/t-wrapped-at-64-bits',
  'time-window/in-milliseconds',
  'time-window/at-zero',
] as const

const LONG_HEADERS = [
  'robustness/header-of-8-kib',
  'robustness/header-of-a-thousand-entries',
  'signature-header/v1-very-long',
  'signature-header/t-very-long',
  'robustness/alive-at-the-end',
] as const

/** Correct receivers that use a freedom which SPEC.md grants because it harms nobody. */
export const VARIANTS_CONTRACT: Readonly<Record<string, Variant>> = {
  // How t is read: only the holder of the secret can sign these texts
  "reads t like Go's ParseInt": {
    related: ODD_TIMES,
    does: () => ({ seconds: (t) => (/^[+-]?\d{1,18}$/.test(t) ? Number(t) : undefined) }),
    warning: ['signature-header/t-with-sign'],
  },
  "reads t like Python's int()": {
    related: ODD_TIMES,
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
    related: ODD_TIMES,
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
    related: ODD_TIMES,
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
    related: [
      'signature-header/unknown-label-first',
      'signature-header/unknown-label-between',
      'signature-header/v1-missing',
    ],
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
    related: ['effects/refund-reverses', 'effects/chargeback-reverses', 'effects/refund-before-completion'],
    does: () => ({
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' ? effect(event, 'reversed') : CORRECT.effectOf(event, before),
    }),
    warning: ['effects/refund-and-chargeback-reverse-once'],
  },
  'fulfills by the status': {
    related: [
      'effects/unknown-event-has-no-effect',
      'effects/unknown-events-named-like-a-completion',
      'effects/unknown-events-named-like-a-refund',
      'effects/partial-is-not-credited',
      'effects/expired-is-not-credited',
      'robustness/event-of-wrong-type-has-no-effect',
    ],
    does: () => ({
      effectOf: (event, before) =>
        event['status'] === 'completed' && !before.some(({ effect }) => effect === 'reversed')
          ? effect(event, 'fulfilled')
          : CORRECT.effectOf(event, before),
    }),
    warning: ['effects/unknown-event-with-status-completed', 'effects/partial-with-status-completed'],
  },
  'refuses unknown events': {
    related: ['effects/unknown-event-has-no-effect', 'acknowledgement/payments-behind-unexpected-events'],
    does: () =>
      refusing((event) => !/^payment\.(?:completed|failed|partial|refunded|expired)$/.test(nameOf(event))),
    warning: ['events/unknown-event', 'events/unknown-event-of-another-kind'],
  },
  'refuses amounts of more than 20 characters': {
    related: [
      'effects/amounts-inexact-in-floating-point',
      'acknowledgement/payments-behind-unexpected-events',
    ],
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
  'answers 431 to a header of 8 KiB': {
    related: LONG_HEADERS,
    does: () => ({
      gate: (request, body) => (CORRECT.headerOf(request).length > 8_000 ? 431 : CORRECT.gate(request, body)),
    }),
  },
  'closes the connection on a header of 8 KiB': {
    related: LONG_HEADERS,
    does: () => ({
      gate: (request, body) => (CORRECT.headerOf(request).length > 8_000 ? 431 : CORRECT.gate(request, body)),
      status: ({ code }) => (code === 431 ? 0 : code),
    }),
    warning: ['robustness/header-of-8-kib-is-answered'],
  },
  'answers 500 to deeply nested JSON': {
    related: ['robustness/nested-deeply', 'robustness/nested-deeply-and-forged'],
    does: () => ({
      parse(body) {
        if (body.includes('['.repeat(1_000))) throw new RangeError('maximum recursion depth exceeded')
        return CORRECT.parse(body)
      },
    }),
    warning: ['robustness/nested-deeply-is-answered'],
  },
  'answers 400 to JSON nested more than 100 levels, before it verifies': {
    related: ['robustness/nested-deeply', 'robustness/nested-deeply-and-forged'],
    does: () => ({
      peek(body) {
        if (body.includes('['.repeat(100))) throw new Problem(400, 'too deep')
      },
    }),
  },
}
