import { CORRECT, type Event, effect, idOf, nameOf, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const is = (event: Event, name: string) => nameOf(event) === `payment.${name}`
/** Refuses an event because of what came before it. */
const rejecting = (status: number, isWrong: (event: Event, paid: ReadonlySet<string>) => boolean) => () => {
  const paid = new Set<string>()
  return {
    rejects(event: Event) {
      if (isWrong(event, paid)) return status
      if (is(event, 'completed')) paid.add(idOf(event))
      return undefined
    },
  }
}
const refusing = (status: number, isRefused: (event: Event) => boolean): Mutant['does'] => ({
  rejects: (event) => (isRefused(event) ? status : undefined),
})
const losing = (isLost: (event: Event) => boolean): Mutant['does'] => ({ keeps: (event) => !isLost(event) })
const keysOf = (event: Event) => Object.keys(event['metadata'] ?? {})
const METHODS_OF_THE_LIBRARY = new Set(['card', 'pix', 'crypto', 'gift_card', 'alipay', 'wxpay'])

/** Mistakes with valid events, each from the tracker of a shop, a service or a library (SPEC.md 6 to 9). */
export const OF_FIELD_EVENTS: Readonly<Record<string, Mutant>> = {
  // Acknowledgment
  'answers 404 to a refund of a payment that it does not know': {
    does: rejecting(404, (event, paid) => is(event, 'refunded') && !paid.has(idOf(event))),
    fails: ['events/refunded', 'events/chargeback', 'effects/refund-before-completion'],
    source: 'https://github.com/3scale/porta/pull/3086',
  },
  'answers 400 to a failure of a payment that was completed': {
    does: rejecting(400, (event, paid) => is(event, 'failed') && paid.has(idOf(event))),
    fails: ['effects/every-sequence-from-completed'],
    source: 'https://github.com/202-ecommerce/stripe_official/issues/79',
  },
  'answers 500 until the order is there': {
    does: rejecting(500, (event, paid) => !is(event, 'completed') && !paid.has(idOf(event))),
    fails: ['events/failed', 'events/partial', 'effects/completion-after-failure'],
    source: 'https://github.com/polarsource/polar/pull/10728',
  },
  'answers 200 although its column cannot hold the amount': {
    does: losing(({ amount }) => Number(amount) >= 1e10),
    fails: ['effects/large-amount-to-the-last-digit'],
    source: 'https://github.com/ecucondorSA/autorenta/issues/156',
  },
  'records the key, then fails on a mixed checkout': {
    does: () => {
      const seen = new Set<string>()
      return {
        rejects(event) {
          const key = `${idOf(event)} ${nameOf(event)}`
          if (event['settled_via'] === undefined || seen.has(key)) return undefined
          seen.add(key)
          return 500
        },
        keeps: (event) => event['settled_via'] === undefined,
      }
    },
    fails: ['events/mixed-checkout', 'effects/mixed-checkout-in-own-currency'],
    cause: 'event_refused',
    source: 'https://github.com/postel-sh/postel/issues/129',
  },

  // Duplicates
  'recognizes a redelivery by its timestamp': {
    does: { keyOf: (event) => JSON.stringify([idOf(event), nameOf(event), event['timestamp']]) },
    fails: ['duplicates/with-a-new-timestamp'],
    cause: 'deduplicated_by_timestamp',
    source: 'https://github.com/aashutoshkumarbhardwaj/CreatorOs/pull/732',
  },
  'forgets a payment when it is refunded': {
    does: () => {
      const rounds = new Map<string, number>()
      return {
        keyOf(event, body, header) {
          const round = rounds.get(idOf(event)) ?? 0
          if (is(event, 'refunded')) rounds.set(idOf(event), 1)
          return `${is(event, 'completed') ? round : 0} ${CORRECT.keyOf(event, body, header)}`
        },
        effectOf: (event, before) =>
          is(event, 'completed') ? effect(event, 'fulfilled') : CORRECT.effectOf(event, before),
      }
    },
    fails: ['effects/every-sequence-from-completed'],
    cause: 'refund_forgotten',
    source: 'https://github.com/mollie/WooCommerce/issues/1252',
  },

  // Events and forward compatibility
  'knows the methods of its library when a payment failed': {
    does: refusing(
      400,
      (event) => is(event, 'failed') && !METHODS_OF_THE_LIBRARY.has(text(event['payment_method'])),
    ),
    fails: ['events/unknown-payment-method'],
    source: 'https://github.com/arlyon/async-stripe/issues/430',
  },
  'requires a field that the service leaves out': {
    does: refusing(400, (event) => !('order_id' in event)),
    fails: ['events/simulated-and-sparse'],
    source: 'https://github.com/arlyon/async-stripe/issues/347',
  },
  'knows the events of its library': {
    does: refusing(400, (event) => !/^payment\.[a-z]+$/.test(nameOf(event))),
    fails: ['events/unknown-event-of-another-kind'],
    source: 'https://github.com/arlyon/async-stripe/issues/169',
  },
  'knows the states of its library': {
    does: refusing(400, (event) => !/^(?:completed|failed|refunded)$/.test(text(event['status']))),
    fails: ['events/unknown-event'],
    source: 'https://github.com/workos/workos-kotlin/issues/277',
  },
  'parses only timestamps with milliseconds and Z': {
    does: refusing(400, ({ timestamp }) => timestamp !== undefined && !/\.\d{3}Z$/.test(text(timestamp))),
    fails: ['events/timestamp-in-other-forms'],
    source: 'https://github.com/jointakahe/takahe/issues/187',
  },
  'parses no timestamp with Z': {
    does: refusing(500, ({ timestamp }) => text(timestamp).endsWith('Z')),
    fails: ['transport/posted-as-json'],
    cause: 'handler_throws',
    source: 'https://github.com/python/cpython/issues/90187',
  },
  'fails to store metadata with a dot in a key': {
    does: refusing(500, (event) => keysOf(event).some((key) => key.includes('.'))),
    fails: ['acknowledgement/punctuated-metadata-keys-accepted'],
    source: 'https://github.com/MAIF/otoroshi/issues/206',
  },
  'loses metadata whose key begins with a dollar sign': {
    does: losing((event) => keysOf(event).some((key) => key.startsWith('$'))),
    fails: ['acknowledgement/punctuated-metadata-keys-not-lost'],
    source: 'https://github.com/Open-EO/openeo-hub/issues/91',
  },
}
