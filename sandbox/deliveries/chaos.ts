/**
 * What is to go wrong on purpose with the deliveries of one event, or of the whole sandbox. What spoils the header is
 * done at each attempt ({@link signatureFor}), what spoils the queue or the body when the event is emitted
 * ({@link planCopies}).
 */
export interface Chaos {
  /** So many copies more, each a delivery of its own with the same bytes (interface 4.8: delivery may repeat). */
  readonly duplicate?: number
  /** The first attempt comes so many milliseconds after the event. */
  readonly delayMs?: number
  /** The first attempt comes at a random moment of so many milliseconds, so that events overtake one another. */
  readonly reorderWithinMs?: number
  /** So many attempts are lost before they get onto the wire, and are made up for by the schedule. */
  readonly dropFirst?: number
  /** `v1` is made with another secret. */
  readonly badSignature?: boolean
  /** `t` lies so many seconds back, and is signed so. */
  readonly staleBySeconds?: number
  /** The header has an entry `v2` after `t` and `v1` (interface 9). */
  readonly extraLabel?: boolean
  /** The body has a field that the interface does not know. */
  readonly unknownField?: boolean
  /** How many attempts `badSignature` and `staleBySeconds` spoil; all of them when absent. */
  readonly faultyAttempts?: number
}

/** A wish for chaos that can not be granted; the message names the option and what it takes. */
export class ChaosError extends Error {
  override readonly name = 'ChaosError'
  readonly code = 'BAD_CHAOS'
}

const DAY_MS = 86_400_000

/** The most that each number may be; its least is 1. */
const MOST = {
  duplicate: 10,
  delayMs: DAY_MS,
  reorderWithinMs: DAY_MS,
  dropFirst: 100,
  staleBySeconds: 31_536_000,
  faultyAttempts: 100,
} as const satisfies Partial<Record<keyof Chaos, number>>

const SWITCHES = ['badSignature', 'extraLabel', 'unknownField'] as const satisfies readonly (keyof Chaos)[]

/**
 * Reads chaos that came from outside: a form, a command line, a call.
 * @throws ChaosError for an option that is unknown, whose value is not what it takes, or that does nothing by itself
 */
export function readChaos(value: unknown): Chaos {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ChaosError('chaos: give an object of options.')
  }
  for (const [name, given] of Object.entries(value)) {
    const most = Object.hasOwn(MOST, name) ? MOST[name as keyof typeof MOST] : undefined
    if (most !== undefined) {
      if (Number.isInteger(given) && given >= 1 && given <= most) continue
      throw new ChaosError(`chaos: ${name} must be a whole number from 1 to ${most}.`)
    }
    if (!SWITCHES.some((known) => known === name)) {
      throw new ChaosError(
        `chaos: ${name} is unknown. Known: ${[...Object.keys(MOST), ...SWITCHES].join(', ')}.`,
      )
    }
    if (typeof given !== 'boolean') throw new ChaosError(`chaos: ${name} must be true or false.`)
  }
  const chaos: Chaos = value
  if (chaos.faultyAttempts !== undefined && !chaos.badSignature && chaos.staleBySeconds === undefined) {
    throw new ChaosError(
      'chaos: faultyAttempts spoils nothing by itself: add badSignature or staleBySeconds.',
    )
  }
  return chaos
}

/** One delivery to be made of an event for a recipient. */
export interface Copy {
  /** How long after the emission the first attempt is due, in milliseconds. */
  readonly delayMs: number
  /** Sent in place of the event's own bytes; null when those are sent. */
  readonly body: Uint8Array | null
}

/**
 * The deliveries to be made of an event for one recipient: one, unless chaos wants more.
 * @param eventBody the event's frozen bytes, a JSON object
 * @param random draws from 0 up to 1
 */
export function planCopies(chaos: Chaos | null, eventBody: Uint8Array, random: () => number): Copy[] {
  const { duplicate = 0, delayMs = 0, reorderWithinMs = 0, unknownField } = chaos ?? {}
  const body = unknownField === true ? withUnknownField(eventBody) : null
  return Array.from({ length: 1 + duplicate }, () => ({
    delayMs: delayMs + Math.floor(random() * reorderWithinMs),
    body,
  }))
}

/**
 * The event's bytes with a field that receivers do not know, as a later version of the service may send (interface 9).
 * The event keeps its own bytes; these are frozen with the delivery and differ from them by what is put in after the
 * first brace, so that each attempt and each redelivery of this delivery sends the same.
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
