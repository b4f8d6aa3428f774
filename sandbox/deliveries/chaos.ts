import { createHash } from 'node:crypto'
import { sign } from '../../fixtures/index.ts'
import { Rejection } from '../errors.ts'

/**
 * Faults to inject into the deliveries of one event, or of the entire sandbox. Faults in the header apply at each attempt
 * (`signatureFor`); faults in the queue or the body apply when the event is created ({@link planCopies}).
 */
export interface Chaos {
  /** N extra copies, each a separate delivery with the same bytes (interface 4.8: delivery may repeat). */
  readonly duplicate?: number
  /** The first attempt is sent N milliseconds after the event. */
  readonly delayMs?: number
  /** The first attempt is sent at a random time within N milliseconds, so that events arrive out of order. */
  readonly reorderWithinMs?: number
  /** The first N attempts are dropped before they are sent; the retry schedule continues after them. */
  readonly dropFirst?: number
  /** `v1` is computed with a different secret. */
  readonly badSignature?: boolean
  /** `t` is N seconds old, with a valid signature. */
  readonly staleBySeconds?: number
  /** The header has an extra label `v2` after `t` and `v1` (interface 9). */
  readonly extraLabel?: boolean
  /** The body has a field that is not in the interface. */
  readonly unknownField?: boolean
}

/** Invalid chaos; the message names the fault and its valid values. */
export class ChaosError extends Rejection {
  readonly status = 400
  override readonly name = 'ChaosError'
  readonly code = 'BAD_CHAOS'
  /** The options of `createSandbox` that the message names. */
  readonly names = ['chaos'] as const
}

const DAY_MS = 86_400_000

const MAXIMUM = {
  duplicate: 10,
  delayMs: DAY_MS,
  reorderWithinMs: DAY_MS,
  dropFirst: 100,
  staleBySeconds: 31_536_000,
} as const satisfies Partial<Record<keyof Chaos, number>>

const SWITCHES = ['badSignature', 'extraLabel', 'unknownField'] as const satisfies readonly (keyof Chaos)[]

/**
 * Validates chaos from a form, a command line or an API call.
 * @throws ChaosError for a fault that is unknown or has an invalid value
 */
export function readChaos(value: unknown): Chaos {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ChaosError('chaos: must be an object.')
  }
  for (const [name, given] of Object.entries(value)) {
    const maximum = Object.hasOwn(MAXIMUM, name) ? MAXIMUM[name as keyof typeof MAXIMUM] : undefined
    if (maximum !== undefined) {
      if (Number.isInteger(given) && given >= 1 && given <= maximum) continue
      throw new ChaosError(`chaos: ${name} must be a whole number from 1 to ${maximum}.`)
    }
    if (!SWITCHES.some((known) => known === name)) {
      throw new ChaosError(
        `chaos: ${name} is unknown. Valid names: ${[...Object.keys(MAXIMUM), ...SWITCHES].join(', ')}.`,
      )
    }
    if (typeof given !== 'boolean') throw new ChaosError(`chaos: ${name} must be true or false.`)
  }
  return value
}

/**
 * Plans the deliveries of an event to one recipient: one, plus the copies that chaos adds.
 * @param eventBody the event's bytes, a JSON object
 * @param random random numbers from 0 to 1
 * @returns for each, how long after the event the first attempt is due, in milliseconds, and what is sent instead of the
 * event's bytes, if anything is
 */
export function planCopies(chaos: Chaos | null, eventBody: Uint8Array, random: () => number) {
  const { duplicate = 0, delayMs = 0, reorderWithinMs = 0, unknownField } = chaos ?? {}
  const body = unknownField === true ? withUnknownField(eventBody) : null
  return Array.from({ length: 1 + duplicate }, () => ({
    delayMs: delayMs + Math.floor(random() * reorderWithinMs),
    body,
  }))
}

/**
 * The event's bytes with an unknown field, as a later version of the service may send (interface 9), inserted after the
 * first brace. The event itself is unchanged. The delivery stores these bytes, so that each attempt and each resend of
 * it sends the same.
 */
function withUnknownField(eventBody: Uint8Array): Buffer {
  const body = Buffer.from(eventBody)
  const start = body.indexOf('{') + 1
  return Buffer.concat([
    body.subarray(0, start),
    Buffer.from('"x_unknown_field":"chaos",'),
    body.subarray(start),
  ])
}

/**
 * The value of X-Service-Signature for one attempt (interface 5.3): each attempt has a new `t` and the same body. `t` is
 * real time even if the sandbox's clock was advanced, because receivers compare it with their own clock; `timestamp` in
 * the body is the sandbox's time.
 * @param signing now: real time, in milliseconds since 1970
 */
export function signatureFor({
  secret,
  body,
  now,
  chaos,
}: {
  secret: string
  body: Uint8Array
  now: number
  chaos?: Chaos | null
}): string {
  const { badSignature, staleBySeconds = 0, extraLabel } = chaos ?? {}
  const t = Math.floor(now / 1000) - staleBySeconds
  // A different key produces a well-formed but invalid signature.
  const { header, v1 } = sign({ secret: badSignature ? `${secret}.wrong` : secret, t, body })
  // A later scheme may add labels (interface 9): receivers must read v1 by its label.
  return extraLabel ? `${header},v2=${v1.split('').toReversed().join('')}` : header
}

/**
 * A generator of random numbers from 0 to 1 that depends on the seed alone (mulberry32), so that jitter and chaos are
 * reproducible. Not for secrets.
 */
export function seededRandom(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32BE()
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
