import { createHash, randomUUID } from 'node:crypto'
import { idOf, nameOf, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** Mistakes with valid deliveries, and in the responses to invalid ones (SPEC.md 6 to 8, 10 and 11). */
export const OF_HANDLING: Readonly<Record<string, Mutant>> = {
  // Acknowledgment
  'answers 201': {
    does: { acknowledge: (_, response) => void response.writeHead(201).end() },
    cause: 'answers_not_200',
    fails: [
      'acknowledgement/exactly-200',
      'transport/posted-as-json',
      'duplicates/acknowledged-again',
      'events/completed',
    ],
  },
  redirects: {
    does: { acknowledge: (_, response) => void response.writeHead(307, { Location: '/webhooks' }).end() },
    cause: 'redirects',
    fails: ['acknowledgement/exactly-200'],
  },
  'answers 202 when there is nothing to do': {
    does: {
      acknowledge: (event, response) =>
        void response.writeHead(nameOf(event) === 'payment.completed' ? 200 : 202).end(),
    },
    cause: 'answers_not_200',
    fails: ['acknowledgement/nothing-to-do', 'events/failed'],
  },
  'loses one delivery in ten': {
    does: () => ({ keeps: everyButTheTenth() }),
    timed: true,
    fails: ['acknowledgement/burst-carried-out'],
  },

  // Duplicates
  'remembers nothing': {
    does: { keyOf: () => String(Math.random()) },
    cause: 'no_deduplication',
    fails: [
      'duplicates/delivered-twice-in-turn',
      'duplicates/delivered-twice-at-once',
      'duplicates/delivered-five-times-in-turn',
      'duplicates/after-other-payments',
    ],
    source: 'https://github.com/webrenew/memories/issues/396',
  },
  'recognizes a redelivery by its signature': {
    does: { keyOf: (_, __, header) => header },
    cause: 'deduplicated_by_signature',
    fails: ['duplicates/signed-again', 'duplicates/with-a-new-timestamp'],
  },
  'recognizes a redelivery by its bytes': {
    does: { keyOf: (_, body) => createHash('sha256').update(body).digest('hex') },
    cause: 'deduplicated_by_body',
    fails: ['duplicates/with-a-new-timestamp', 'duplicates/reserialized'],
    source: 'https://github.com/muxinc/mux-node-sdk/issues/83',
  },
  'recognizes a redelivery by the payment alone': {
    does: { keyOf: idOf },
    cause: 'deduplicated_by_payment_alone',
    fails: [
      'duplicates/refund-after-completion',
      'effects/refund-reverses',
      'effects/completion-after-partial',
      'effects/completion-after-failure',
      'duplicates/chargeback-after-completion',
    ],
  },
  'recognizes a redelivery by the payment alone, and records no event that it does not know': {
    does: {
      keyOf: (event) =>
        /^payment\.(?:completed|failed|partial|refunded|expired)$/.test(nameOf(event))
          ? idOf(event)
          : randomUUID(),
    },
    cause: 'deduplicated_by_payment_alone',
    fails: ['duplicates/refund-after-completion', 'effects/refund-reverses'],
  },
  'recognizes a redelivery by the payment alone, and records only what has an effect': {
    does: {
      keyOf: (event) =>
        /^payment\.(?:completed|refunded)$/.test(nameOf(event)) ? idOf(event) : randomUUID(),
    },
    cause: 'deduplicated_by_payment_alone',
    fails: ['duplicates/refund-after-completion', 'effects/refund-reverses'],
  },
  'ignores the case and the length of payment ids': {
    does: { keyOf: (event) => `${idOf(event).toLowerCase().slice(0, 23)} ${nameOf(event)}` },
    cause: 'payment_ids_merged',
    fails: ['duplicates/similar-payments'],
  },
  'fulfills once for the number of an order in the metadata': {
    does: {
      keyOf: (event) => {
        const { order_id: order = idOf(event) } = event['metadata'] as Readonly<Record<string, unknown>>
        return `${text(order)} ${nameOf(event)}`
      },
    },
    cause: 'deduplicated_by_order_number',
    fails: ['duplicates/ids-that-differ-in-one-place', 'duplicates/ids-of-the-same-hash'],
  },
  'checks for a duplicate first and records it later': {
    timed: true,
    does: { gapMs: 20 },
    fails: ['duplicates/delivered-twice-at-once', 'duplicates/delivered-20-times-at-once'],
    source: 'https://github.com/stellarBank/StellarBank/issues/39',
  },
  'remembers refused deliveries': {
    does: { claimsFirst: true },
    cause: 'remembers_refused',
    fails: ['duplicates/forged-first', 'duplicates/altered-first', 'duplicates/stale-first'],
  },

  'claims a payment before it verifies, and a refusal does not release it': {
    does: () => {
      const claimed = new Set<string>()
      const keyIn = (body: Buffer) => /"payment_id":"(\w+)"/.exec(body.toString())?.[1] ?? ''
      return {
        gate(_, body) {
          const key = keyIn(body)
          if (claimed.has(key)) return 409
          if (key !== '') claimed.add(key)
          return undefined
        },
        rejects(event) {
          claimed.delete(text(event['payment_id']))
          return undefined
        },
      }
    },
    cause: 'remembers_refused',
    fails: ['duplicates/forged-first', 'duplicates/altered-first', 'duplicates/stale-first'],
  },

  // Events and forward compatibility
  'refuses unknown events': {
    does: {
      rejects: (event) =>
        /^payment\.(completed|failed|partial|refunded|expired)$/.test(nameOf(event)) ? undefined : 422,
    },
    fails: ['events/unknown-event', 'events/unknown-event-of-another-kind'],
  },
  'refuses unknown fields': {
    does: { rejects: (event) => ('loyalty_points' in event ? 422 : undefined) },
    cause: 'event_refused',
    fails: ['events/unknown-fields'],
  },
  'refuses unknown payment methods': {
    does: {
      rejects: (event) =>
        ['card', 'pix', 'crypto'].includes(text(event['payment_method'])) ? undefined : 422,
    },
    fails: ['events/unknown-payment-method', 'events/every-payment-method'],
  },
  'refuses unknown failure codes': {
    does: { rejects: (event) => (text(event['failure_code']).startsWith('moon') ? 422 : undefined) },
    fails: ['events/unknown-failure-code'],
  },
  'requires payment_id': {
    does: { rejects: (event) => ('payment_id' in event ? undefined : 400) },
    fails: ['events/simulated-and-sparse'],
  },
  'refuses amounts that exceed floating-point precision': {
    does: { rejects: (event) => (Number(event['amount']) > Number.MAX_SAFE_INTEGER ? 422 : undefined) },
    fails: ['robustness/huge-amount'],
  },

  // Robustness
  'parses before it verifies, and crashes': {
    does: { peek: (body) => void JSON.parse(body.toString()) },
    cause: 'body_parsed_first',
    fails: [
      'robustness/not-json',
      'robustness/empty-body',
      'body-bytes/cut-short',
      'body-bytes/first-byte-altered',
      'body-bytes/last-byte-altered',
      'body-bytes/cut-to-nothing',
      'robustness/json-cut-short',
    ],
  },
  'accepts any JSON as an event': {
    does: { status: ({ code, message }) => (message === 'not an event' ? 200 : code) },
    fails: ['robustness/not-an-event-is-refused', 'robustness/no-payment-id-is-refused'],
  },
  'accepts every method': {
    does: { gate: () => undefined },
    fails: ['transport/method-put', 'transport/method-delete'],
  },

  // Disclosure
  'discloses the secret': {
    does: { explain: (problem, { secret }) => `${problem.message}: the key is ${secret}` },
    cause: 'secret_disclosed',
    fails: [
      'disclosure/no-secret-in-a-refusal',
      'disclosure/no-secret-after-an-unreadable-body',
      'disclosure/no-secret-in-any-response',
    ],
  },
  'discloses the expected signature': {
    does: { explain: (problem, { expected }) => `${problem.message}: expected ${expected}` },
    cause: 'signature_disclosed',
    fails: ['disclosure/no-expected-signature-in-a-refusal'],
  },
  'discloses a stack trace': {
    does: { explain: ({ stack }) => String(stack) },
    cause: 'trace_disclosed',
    fails: ['disclosure/no-trace-in-a-refusal', 'disclosure/no-trace-after-an-unreadable-body'],
  },
}

function everyButTheTenth(): () => boolean {
  let count = 0
  return () => (count += 1) % 10 !== 0
}
