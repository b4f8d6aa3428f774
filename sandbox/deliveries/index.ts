import type { Delivery } from '../model.ts'
import type { Clock, Feed } from '../ports.ts'
import type { Store } from '../store/store.ts'
import { type Queue, startQueue } from './queue.ts'
import { type Redelivery, redelivery } from './redeliver.ts'
import { type Forwards, type Route, routeMap } from './routes.ts'
import { type Ack, SCHEDULES, type ScheduleName } from './schedule.ts'
import { createSender, type SenderOptions } from './sender.ts'

export interface DeliveriesOptions
  extends Pick<SenderOptions, 'ca' | 'lookup' | 'timeoutMs' | 'skipsVerify'> {
  readonly store: Store
  readonly clock: Clock
  readonly feed?: Pick<Feed, 'publish'> | undefined
  /** The operator's routes, from {@link parseRoute}. */
  readonly routes?: readonly Route[] | undefined
  /** Routes of listeners, which take precedence over the operator's. */
  readonly forwards?: Forwards | undefined
  /** A name, or the waits in milliseconds. */
  readonly schedule?: ScheduleName | readonly number[] | undefined
  readonly ack?: Ack | undefined
  /** The most attempts at once, by default 32; a single recipient gets at most half of them. */
  readonly concurrency?: number | undefined
  /** Random numbers from 0 to 1, for the jitter. */
  readonly random?: (() => number) | undefined
  /** How long running attempts may take to finish on close, in milliseconds. */
  readonly closeWithinMs?: number | undefined
  /** How long to wait after the store could not be written, in milliseconds, by default 1000. */
  readonly storeRetryMs?: number | undefined
  /** Whether a delivery must wait until its recipient is back. */
  readonly isPaused?: ((delivery: Delivery) => boolean) | undefined
  /** Receives the error when the store cannot be written; the queue tries again. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** The delivery functions that the rest of the sandbox uses. */
export type Deliveries = Queue & Redelivery

/**
 * Starts the deliveries of a sandbox: the queue, its sender and manual resends (interface 4.4, 4.7, 4.8 and 6).
 * @throws RouteError if two routes have the same `from`
 */
export function startDeliveries(options: DeliveriesOptions): Deliveries {
  const { store, clock, feed, routes = [], schedule = 'fast', ca, lookup, timeoutMs } = options
  const routed = routeMap(routes)
  const { forwards, skipsVerify, isPaused, ack, concurrency, random } = options
  const { closeWithinMs, storeRetryMs, onFailure = () => {} } = options
  const sender = createSender({ routes: routed, forwards, skipsVerify, ca, lookup, timeoutMs })
  const waits = typeof schedule === 'string' ? SCHEDULES[schedule] : schedule
  const how = { waits, ack, concurrency, random, closeWithinMs, storeRetryMs, isPaused, onFailure }
  const queue = startQueue({ store, clock, sender, feed, ...how })
  const manual = redelivery({ store, clock, queue, onFailure })
  return {
    ...queue,
    ...manual,
    async close() {
      manual.stopRedelivering()
      await queue.close()
      sender.close()
    },
  }
}
