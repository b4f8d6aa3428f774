import { randomBytes } from 'node:crypto'
import type { Kit as AnyKit } from '../../engine/case.ts'
import { type About, type Delivery, type HeaderLine, validDelivery } from './delivery.ts'
import type { Scheme } from './scheme.ts'

/** Which events are sent: in `test` mode each event of a service that distinguishes them says so. */
export type Mode = 'test' | 'live'

/** The kit of the first delivery of a run, which finds out whether there is a receiver. */
export const FIRST_OF_RUN = 'preflight'

/** What a case builds its deliveries from, whatever the service. */
export interface Kit extends AnyKit {
  readonly secret: string
  /** What the service calls itself in the header User-Agent, which anyone can write. */
  readonly userAgent: string
  /** When the events of the case happen, in Unix seconds: a delivery that is signed again later keeps this time. */
  readonly emittedAt: () => number
  /** After what time the run delivers again, in milliseconds. */
  readonly redeliverAfterMs: number
  /** A valid delivery of a new event. */
  readonly valid: () => Delivery
  /** A valid delivery of a new event that differs from the others by its ids alone: a receiver takes all of them, or none. */
  readonly plain: () => Delivery
  /** A valid delivery of a new event, signed at another time. */
  readonly validAt: (t: number) => Delivery
  /** A valid delivery of any text or bytes. */
  readonly body: (body: string | Buffer, about?: About) => Delivery
  /** The same event again, signed at `t`, with other bytes if given. */
  readonly redelivery: (
    delivery: Delivery,
    change?: { t?: number | string; body?: Buffer; secret?: string },
  ) => Delivery
  /** A valid delivery of an event that a receiver acts on, with this text where users of the service may write one. */
  readonly noted: (text: string) => Delivery
  /** Events that tell apart why acknowledged ones are lost, where their effects can be observed. */
  readonly related?: {
    /** Events at which a worker may fail. */
    readonly odd: readonly (readonly [what: OddEvent, make: () => Delivery])[]
    /** An event that takes back what a payment caused. */
    readonly refundOf: (paid: Delivery) => Delivery
    /** A later event of the same payment that changes nothing. */
    readonly failureOf: (paid: Delivery) => Delivery
  }
}

/** An event at which a worker may fail. */
export type OddEvent =
  | 'unknown-failure'
  | 'unknown-event'
  | 'failed'
  | 'partial'
  | 'refund'
  | 'nul'
  | 'emoji'
  | 'long-amount'
  | 'unknown-method'
  | 'unknown-currency'
  | 'odd-amount'

/** The options of a kit. */
export interface KitOptions {
  readonly secret: string
  /** Seed of the events, with the nonce of a run if the ids of that run are to be repeated or kept unique. */
  readonly seed: string
  readonly mode: Mode
  readonly now: () => number
  /** When the events happen, in Unix seconds. Default: now. */
  readonly emittedAt?: number
  /** After what time a run delivers again, in milliseconds. Default: 0. */
  readonly redeliverAfterMs?: number
}

/** What differs between the kits of services. */
export interface Making {
  readonly scheme: Scheme
  readonly windowSeconds: number
  /** The body of a new event that a receiver acts on, and what it is about. */
  readonly event: () => { readonly body: Buffer; readonly about: About }
  /**
   * The header lines that a service sends beside those of the signature, which does not cover them.
   * @param at when the event happened, in Unix seconds
   */
  readonly headers?: (about: About, at: number) => readonly HeaderLine[]
  /** A new id of a delivery; empty where the service has none. */
  readonly id: () => string
  /** What the service calls itself in the header User-Agent. */
  readonly userAgent: string
  /** Whether a receiver that acknowledges such a delivery has to show an effect. */
  readonly isEffective: (about: About) => boolean
  /** The statuses by which a receiver acknowledges, where that is not 200 alone. */
  readonly acknowledgedBy?: Delivery['acknowledgedBy']
}

/** Makes a kit. */
export function kitWith(
  making: Making,
  { secret, now, ...options }: KitOptions,
): Omit<Kit, 'noted' | 'plain'> {
  const { scheme, windowSeconds, event, isEffective, acknowledgedBy, userAgent } = making
  const signed = (
    body: Buffer,
    about: About & Pick<Delivery, 'madeAt'>,
    change: { t?: number | string | undefined; secret?: string | undefined; id?: string } = {},
  ): Delivery => {
    const madeAt = now()
    const id = change.id ?? (scheme.stamps === undefined ? undefined : about.key) ?? making.id()
    const signing = { id, t: String(change.t ?? madeAt), body }
    // A signed id is what a receiver recognizes a redelivery by.
    const key = about.key ?? (id === '' ? undefined : id)
    const delivery = validDelivery(scheme, signing, change.secret ?? secret, { ...about, key })
    return {
      ...delivery,
      headers: [
        ...delivery.headers,
        ...(making.headers?.(about, options.emittedAt ?? about.madeAt ?? madeAt) ?? []),
      ],
      isEffective: isEffective(about),
      madeAt,
      ...(acknowledgedBy !== undefined && { acknowledgedBy }),
    }
  }
  const valid = (t?: number) => {
    const { body, about } = event()
    return signed(body, about, { t })
  }
  const body: Kit['body'] = (text, about = {}) => signed(Buffer.from(text), about)
  return {
    secret,
    userAgent,
    windowSeconds,
    now,
    emittedAt: () => options.emittedAt ?? now(),
    redeliverAfterMs: options.redeliverAfterMs ?? 0,
    valid: () => valid(),
    validAt: valid,
    body,
    visit: () => ({
      ...body(''),
      method: 'GET',
      change: 'the method GET',
      headers: [],
      signature: [],
      olderSignature: [],
      stamps: [],
    }),
    redelivery: (delivery, { body: bytes = delivery.body, t, secret: other } = {}) => ({
      ...signed(bytes, delivery, { t, secret: other, id: delivery.signed.id }),
      role: delivery.role,
    }),
  }
}

/** Separates a seed from the nonce of a run. */
const NONCE = '@'

/**
 * Adds a nonce to a seed: the events stay the same except for their ids, which no other run uses. A receiver that has
 * seen the seed may remember them. A seed that has a nonce is returned unchanged.
 */
export function withNonce(seed: string): string {
  return seed.includes(NONCE) ? seed : `${seed}${NONCE}${randomBytes(4).toString('hex')}`
}

/** A seed without its nonce, and the nonce, if it has one. */
export function partsOfSeed(given: string): { readonly seed: string; readonly nonce: string | undefined } {
  const [, seed = given, nonce] = new RegExp(`^(.*)${NONCE}(.*)$`, 's').exec(given) ?? []
  return { seed, nonce }
}
