import type { Clock, Feed } from '../ports.ts'
import type { Store } from '../store/store.ts'
import { createSender, type SenderOptions } from './attempt/sender.ts'
import type { Ack } from './queue/outcome.ts'
import { type Queue, startQueue } from './queue/queue.ts'
import { SCHEDULES, type ScheduleName } from './queue/schedule.ts'
import { type Redelivery, redelivery } from './redeliver.ts'
import { type Route, type Routes, routeMap } from './targets/routes.ts'

export { type Chaos, ChaosError, planCopies, readChaos } from './chaos.ts'
export type { Ack } from './queue/outcome.ts'
export { SCHEDULES, type ScheduleName } from './queue/schedule.ts'
export { seededRandom } from './random.ts'
export { RedeliveryError } from './redeliver.ts'
export { parseRoute, type Route, RouteError } from './targets/routes.ts'
export { checkTarget } from './targets/targets.ts'

export interface DeliveriesOptions extends Pick<SenderOptions, 'ca' | 'lookup' | 'timeoutMs'> {
  readonly store: Store
  readonly clock: Clock
  readonly feed?: Pick<Feed, 'publish'> | undefined
  /** The operator's routes, from {@link parseRoute}. */
  readonly routes?: readonly Route[] | undefined
  /** Ways that come and go while it runs; they go before the operator's routes. */
  readonly forwards?: Routes | undefined
  /** A name, or the waits themselves in milliseconds. */
  readonly schedule?: ScheduleName | readonly number[] | undefined
  readonly ack?: Ack | undefined
  /** How many attempts may be under way at once, by default 32; to one recipient it is half of them. */
  readonly concurrency?: number | undefined
  /** Draws from 0 up to 1, for the jitter. */
  readonly random?: (() => number) | undefined
  /** How long attempts under way may take to end when it is closed, in milliseconds. */
  readonly closeWithinMs?: number | undefined
  /** Told when the store can not be written; the queue tries again. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** Everything that the rest of the sandbox does with deliveries. */
export type Deliveries = Queue & Redelivery

/**
 * Starts the deliveries of a sandbox: the queue, its sender and redelivery by hand (interface 4.4, 4.7, 4.8 and 6).
 * @throws RouteError when two routes begin alike
 */
export function startDeliveries(options: DeliveriesOptions): Deliveries {
  const { store, clock, feed, routes = [], schedule = 'fast', ca, lookup, timeoutMs } = options
  const routed = routeMap(routes)
  const { forwards = () => undefined, ack, concurrency, random, closeWithinMs, onFailure } = options
  const sender = createSender({ routes: (url) => forwards(url) ?? routed(url), ca, lookup, timeoutMs })
  const waits = typeof schedule === 'string' ? SCHEDULES[schedule] : schedule
  const how = { waits, ack, concurrency, random, closeWithinMs, onFailure }
  const queue = startQueue({ store, clock, sender, feed, ...how })
  return {
    ...queue,
    ...redelivery(store, clock, queue),
    async close() {
      await queue.close()
      sender.close()
    },
  }
}
