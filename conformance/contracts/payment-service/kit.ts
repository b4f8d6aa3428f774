import { createHash } from 'node:crypto'
import { createGenerator, type Scenario, serialize } from '../../../fixtures/index.ts'
import type { About, Delivery } from '../webhook/delivery.ts'
import {
  FIRST_OF_RUN,
  type KitOptions,
  kitWith,
  partsOfSeed,
  type Kit as WebhookKit,
} from '../webhook/kit.ts'
import { SCHEME, WINDOW_SECONDS } from './scheme.ts'

/** What a case of the payment service builds its deliveries from. */
export interface Kit extends WebhookKit {
  /** A valid delivery of a generated event, with a payment id that no other case uses. */
  readonly delivery: (scenario: Scenario, overrides?: Readonly<Record<string, unknown>>) => Delivery
  /** A generated event, for a case that serializes it in an unusual way and passes it to `body`. */
  readonly event: (
    scenario: Scenario,
    overrides?: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
  /** The event that was delivered before all cases. */
  readonly first: () => Delivery
}

/** Makes the kit of one case: the same seed and case give the same events. */
export function createKit(caseId: string, options: KitOptions): Kit {
  const { seed, nonce } = partsOfSeed(options.seed)
  const generator = createGenerator(`${seed}/${caseId}`, { livemode: options.mode === 'live' })
  const emittedAt = () => options.emittedAt ?? options.now()
  const event: Kit['event'] = (scenario, overrides = {}) => {
    const made: Record<string, unknown> = { ...generator.event(scenario, { ...overrides }) }
    if (nonce !== undefined && !('id' in overrides)) {
      const unique = new Map<unknown, string>()
      for (const name of IDS) {
        const id = made[name]
        if (typeof id !== 'string' || name in overrides) continue
        // They are the same id, as a rule.
        const known = unique.get(id) ?? uniqueId(id, nonce)
        unique.set(id, known)
        made[name] = known
      }
    }
    // The generator has no clock; a delivery of today has today's time.
    if ('timestamp' in made && !('timestamp' in overrides)) {
      made['timestamp'] = new Date(emittedAt() * 1000).toISOString()
    }
    return made
  }
  const kit = kitWith(
    {
      scheme: SCHEME,
      windowSeconds: WINDOW_SECONDS,
      event() {
        const made = event('completed')
        return { body: serialize(made), about: aboutEvent(made) }
      },
      id: () => '',
      userAgent: 'PaymentService/1.0 (webhooks)',
      isEffective: (about) => about.event === 'payment.completed',
    },
    options,
  )
  const delivery: Kit['delivery'] = (scenario, overrides) => {
    const made = event(scenario, overrides)
    return kit.body(serialize(made), aboutEvent(made))
  }
  return {
    ...kit,
    event,
    delivery,
    first: () => createKit(FIRST_OF_RUN, options).valid(),
    plain: () => delivery('completed', PLAIN),
    noted: (note) => delivery('completed', { metadata: { note } }),
    related: {
      odd: [
        ['unknown-failure', () => delivery('failed-provider_error', { failure_code: 'code_of_tomorrow' })],
        ['unknown-event', () => delivery('failed-provider_error', { event: 'payment.disputed' })],
        ['failed', () => delivery('failed-provider_error')],
        ['partial', () => delivery('partial-crypto')],
        ['refund', () => delivery('refund')],
        ['nul', () => delivery('completed', { metadata: { note: 'a\u0000b' } })],
        ['emoji', () => delivery('completed', { metadata: { note: '\u{1f600}' } })],
        ['long-amount', () => delivery('completed', { amount: '123456789012345678901234567890.12' })],
        ['unknown-currency', () => delivery('completed', { currency: 'QQX' })],
        ['odd-amount', () => delivery('completed', { amount: '12,50' })],
        ['unknown-method', () => delivery('completed', { payment_method: 'method_of_tomorrow' })],
      ],
      refundOf: (paid) => delivery('refund', paymentOf(paid)),
      failureOf: (paid) => delivery('failed-provider_error', paymentOf(paid)),
    },
  }
}

/** What most payments are like. */
const PLAIN = {
  amount: '25.00',
  currency: 'USD',
  payment_method: 'card',
  processor: 'crypto_onramp',
  metadata: { order: 'SO-1' },
}

/** The fields that hold the payment id. */
const IDS = ['id', 'payment_id', 'order_id']
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A payment id of the same length for each nonce. */
function uniqueId(id: string, nonce: string): string {
  const digest = createHash('sha256').update(`${nonce}/${id}`).digest()
  const letters = Array.from(id.slice(3), (_, n) => ALPHANUMERIC[(digest[n] ?? 0) % ALPHANUMERIC.length])
  return `${id.slice(0, 3)}${letters.join('')}`
}

/**
 * What all events of one payment have in common, to be used as overrides: the metadata of its creation (Interface 2.2,
 * rule 2), and the method that it was paid with.
 */
export function paymentOf({ body }: Delivery): Readonly<Record<string, unknown>> {
  const { id, amount, currency, payment_method, processor, metadata } = JSON.parse(body.toString()) as Record<
    string,
    unknown
  >
  return { id, amount, currency, payment_method, processor, metadata }
}

/** Reads what a delivery is about from the event that it carries. */
export function aboutEvent(event: Readonly<Record<string, unknown>>): About {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    event: text(event['event']),
    key: text(event['payment_id']) ?? text(event['id']),
    amount: text(event['amount']),
    currency: text(event['currency']),
    livemode: typeof event['livemode'] === 'boolean' ? event['livemode'] : undefined,
  }
}
