import { createHash, randomBytes } from 'node:crypto'
import { createGenerator, type Scenario, serialize } from '../../../fixtures/index.ts'
import type { Kit as AnyKit } from '../../engine/case.ts'
import { type About, type Delivery, validDelivery } from './delivery.ts'

/** Which events are sent: in `test` mode each event carries `livemode: false`. */
export type Mode = 'test' | 'live'

/** What a case builds its deliveries from. */
export interface Kit extends AnyKit {
  readonly secret: string
  /** When the events of the case happen, in Unix seconds: a delivery that is signed again later keeps this time. */
  readonly emittedAt: () => number
  /** A valid delivery of a generated event, with a payment id that no other case uses. */
  readonly delivery: (scenario: Scenario, overrides?: Readonly<Record<string, unknown>>) => Delivery
  /** A valid delivery of any text or bytes. */
  readonly body: (body: string | Buffer, about?: About) => Delivery
  /** A generated event, for a case that serializes it in an unusual way and passes it to `body`. */
  readonly event: (
    scenario: Scenario,
    overrides?: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
  /** The same event again, signed at `t`, with other bytes if given. */
  readonly redelivery: (
    delivery: Delivery,
    change?: { t?: number | string; body?: Buffer; secret?: string },
  ) => Delivery
}

/** The options of a kit. */
export interface KitOptions {
  readonly secret: string
  /** Seed of the events, with the nonce of a run if the payment ids of that run are to be repeated or kept unique. */
  readonly seed: string
  readonly mode: Mode
  readonly now: () => number
  /** When the events happen, in Unix seconds. Default: now. */
  readonly emittedAt?: number
}

/** How far a receiver's clock may be from a `t` that it accepts (SPEC.md 3). */
const WINDOW_SECONDS = 300
/** Separates a seed from the nonce of a run. */
const NONCE = '@'

/**
 * Adds a nonce to a seed: the events stay the same except for the payment ids, which no other run uses. A receiver that
 * has seen the seed may remember its payments. A seed that has a nonce is returned unchanged.
 */
export function withNonce(seed: string): string {
  return seed.includes(NONCE) ? seed : `${seed}${NONCE}${randomBytes(4).toString('hex')}`
}

/** Makes the kit of one case: the same seed and case give the same events. */
export function createKit(caseId: string, options: KitOptions): Kit {
  const { secret, mode, now } = options
  const emittedAt = () => options.emittedAt ?? now()
  const [, seed = options.seed, nonce] = new RegExp(`^(.*)${NONCE}(.*)$`, 's').exec(options.seed) ?? []
  const generator = createGenerator(`${seed}/${caseId}`, { livemode: mode === 'live' })
  const event: Kit['event'] = (scenario, overrides = {}) => {
    const made: Record<string, unknown> = { ...generator.event(scenario, { ...overrides }) }
    if (nonce !== undefined && !('id' in overrides)) {
      for (const name of IDS) {
        const id = made[name]
        if (typeof id === 'string' && !(name in overrides)) made[name] = uniqueId(id, nonce)
      }
    }
    // The generator has no clock; a delivery of today has today's time.
    if ('timestamp' in made && !('timestamp' in overrides)) {
      made['timestamp'] = new Date(emittedAt() * 1000).toISOString()
    }
    return made
  }

  const signed = (body: Buffer, about: About, change: { t?: number | string; secret?: string } = {}) => {
    const madeAt = now()
    return { ...validDelivery(body, change.secret ?? secret, change.t ?? madeAt, about), madeAt }
  }

  const delivery: Kit['delivery'] = (scenario, overrides) => {
    const made = event(scenario, overrides)
    return signed(serialize(made), aboutEvent(made))
  }
  const body: Kit['body'] = (text, about = {}) => signed(Buffer.from(text), about)

  return {
    secret,
    windowSeconds: WINDOW_SECONDS,
    now,
    emittedAt,
    event,
    delivery,
    body,
    valid: () => delivery('completed'),
    validAt: (t) => {
      const made = event('completed')
      return signed(serialize(made), aboutEvent(made), { t })
    },
    visit: () => ({ ...body(''), method: 'GET', change: 'the method GET', headers: [], signature: [] }),
    redelivery: (delivery, change = {}) => ({
      ...signed(change.body ?? delivery.body, delivery, change),
      role: delivery.role,
    }),
  }
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
    paymentId: text(event['payment_id']) ?? text(event['id']),
    amount: text(event['amount']),
    currency: text(event['currency']),
    livemode: typeof event['livemode'] === 'boolean' ? event['livemode'] : undefined,
  }
}
