import type { Delivery } from './delivery.ts'

/** One step of a case. */
export type Step<D extends Delivery = Delivery> =
  | {
      /**
       * `in-turn` waits for each response, and `in-any-order` too, unless the receiver is so slow that time matters;
       * `one-connection` does so on a separate connection, and `separate-connections` on a new one for each delivery;
       * `few-at-once` waits for a response before it sends another; `pipelined` does not wait. `held`
       * keeps the connections of truncated deliveries open while it sends the others, each on a new one; `elsewhere` sends
       * in turn from another address of this machine, if the receiver can be reached from that.
       */
      readonly how:
        | 'in-turn'
        | 'in-any-order'
        | 'together'
        | 'few-at-once'
        | 'one-connection'
        | 'separate-connections'
        | 'pipelined'
        | 'held'
        | 'elsewhere'
      readonly deliveries: readonly D[]
      /** How long to wait between two deliveries that are sent in turn, in milliseconds. Other cases send in the meantime. */
      readonly gapMs?: number
      /** When each of several deliveries on their own connections is sent, in milliseconds after the first. */
      readonly afterMs?: readonly number[]
    }
  /** Sends deliveries about other keys until this many were acknowledged since the case began, or the time is up. */
  | {
      readonly how: 'until-acknowledged'
      readonly deliveries: readonly []
      readonly count: number
      readonly withinMs: number
      readonly make: (n: number) => D
      /** Whether only the deliveries of this step count. */
      readonly isOwn: boolean
    }
  /** Sends nothing, and waits until each key shows an effect. */
  | { readonly how: 'until-effect'; readonly deliveries: readonly []; readonly keys: readonly string[] }
  /** Sends nothing for a time, while the receiver works on what it acknowledged. */
  | { readonly how: 'pause'; readonly deliveries: readonly []; readonly ms: number }
  /** Sends nothing, and waits until all other cases have sent their deliveries, but at least for a time. */
  | { readonly how: 'later'; readonly deliveries: readonly []; readonly afterMs: number }

/** What a case sends, as data: only the runner sends. */
export type Plan<D extends Delivery = Delivery> = readonly Step<D>[]

/** Sends each delivery after the response to the previous one. */
export function inTurn<D extends Delivery>(...deliveries: D[]): Plan<D> {
  return [{ how: 'in-turn', deliveries }]
}

/** Sends deliveries that do not depend on one another. */
export function inAnyOrder<D extends Delivery>(...deliveries: D[]): Plan<D> {
  return [{ how: 'in-any-order', deliveries }]
}

/** Sends all deliveries at once, each on its own connection. */
export function together<D extends Delivery>(...deliveries: D[]): Plan<D> {
  return [{ how: 'together', deliveries }]
}

/**
 * Sends each delivery some milliseconds after the first, on its own connection, whether or not others are answered.
 *
 * @param at pairs of a time and a delivery
 */
export function staggered<D extends Delivery>(
  ...at: readonly (readonly [ms: number, delivery: D])[]
): Plan<D> {
  return [{ how: 'together', deliveries: at.map(([, delivery]) => delivery), afterMs: at.map(([ms]) => ms) }]
}

/** Sends a few deliveries at a time: faster than in turn, and less than a burst. */
export function fewAtOnce<D extends Delivery>(...deliveries: D[]): Plan<D> {
  return [{ how: 'few-at-once', deliveries }]
}

/**
 * Sends deliveries about other keys, a few at a time, until the receiver has acknowledged this many since the case began.
 * Those of other cases count, so a run of the entire catalogue sends few more.
 *
 * @param withinMs sends no more after this time, in milliseconds: the receiver may be slow
 * @param make makes the n-th delivery
 * @param isOwn whether only the deliveries of this step count
 */
export function untilAcknowledged<D extends Delivery>(
  count: number,
  withinMs: number,
  make: (n: number) => D,
  isOwn = false,
): Plan<D> {
  return [{ how: 'until-acknowledged', deliveries: [], count, withinMs, make, isOwn }]
}

/** Sends the deliveries one after another on one connection, as long as the receiver keeps it open. */
export function onOneConnection<D extends Delivery>(...deliveries: D[]): Plan<D> {
  return [{ how: 'one-connection', deliveries }]
}

/** The same with a pause before each delivery but the first, so that the connection gets older and is never idle for long. */
export function onOneConnectionEvery<D extends Delivery>(gapMs: number, ...deliveries: D[]): Plan<D> {
  return [{ how: 'one-connection', deliveries, gapMs }]
}

/** Sends each delivery after the response to the previous one, on a new connection that no other delivery uses. */
export function onSeparateConnections<D extends Delivery>(...deliveries: D[]): Plan<D> {
  return [{ how: 'separate-connections', deliveries }]
}

/** Sends the deliveries in turn as another client would, if the receiver can be reached from another address. */
export function fromElsewhere<D extends Delivery>(...deliveries: D[]): Plan<D> {
  return [{ how: 'elsewhere', deliveries }]
}

/** Sends all deliveries at once on one connection, before any response. */
export function pipelined<D extends Delivery>(...deliveries: D[]): Plan<D> {
  return [{ how: 'pipelined', deliveries }]
}

/** Sends the deliveries in turn while other senders have each sent only a part of their body. */
export function whileHeld<D extends Delivery>(held: readonly D[], ...deliveries: D[]): Plan<D> {
  return [{ how: 'held', deliveries: [...held, ...deliveries] }]
}

/**
 * Waits until each key shows an effect, for a next step that needs the effect of an earlier delivery: a receiver may
 * process what it acknowledged in any order. Does not wait without an observer, nor for a key that was not
 * acknowledged; after the time-out the plan continues, and the expectations judge.
 *
 * @param of deliveries, or their keys
 */
export function untilEffect(...of: (Delivery | string)[]): Plan<never> {
  const keys = of.flatMap((one) => (typeof one === 'string' ? one : (one.key ?? [])))
  return [{ how: 'until-effect', deliveries: [], keys }]
}

/**
 * Sends nothing for a time that is short enough to hold up no other case: other cases that send in the meantime would make
 * it longer.
 *
 * @param ms at most 100 milliseconds
 */
export function pauseFor(ms: number): Plan<never> {
  return [{ how: 'pause', deliveries: [], ms }]
}

/**
 * Continues after all other cases have sent their deliveries.
 *
 * @param afterMs the shortest time to wait, in milliseconds
 */
export function later(afterMs: number): Plan<never> {
  return [{ how: 'later', deliveries: [], afterMs }]
}

/** Runs plans one after another. */
export function inOrder<D extends Delivery>(...plans: Plan<D>[]): Plan<D> {
  return plans.flat()
}
