import { seededRandom } from './deliveries/chaos.ts'
import { startDeliveries } from './deliveries/index.ts'
import { routeMap } from './deliveries/routes.ts'
import type { Recipient } from './domain/events.ts'
import type { OriginOf } from './http/guard.ts'
import { type ResolvedOptions, settingsOf } from './options.ts'
import { createFeed } from './ports.ts'
import { giftCardWindows, movableClock } from './service/clock.ts'
import { endpointService } from './service/endpoints.ts'
import { forwarding } from './service/forwarding.ts'
import { keyService, seedStore } from './service/keys.ts'
import { paymentService } from './service/payments.ts'
import { withFix } from './store/database.ts'
import { openStore, type Store } from './store/store.ts'

/** What the API, the checkout and the dashboard work with. */
export interface Context extends Omit<Composed, 'close'> {
  /** The sandbox's own origin, given a request's Host header; known once it listens. */
  origin: OriginOf
}

/** The running parts of a sandbox, without an HTTP server. */
export type Composed = ReturnType<typeof composed>

/**
 * Opens the store, wires the parts together, and starts the deliveries and the clock.
 * @throws StoreError, SandboxError or RouteError, after closing the file again
 */
export async function compose(options: ResolvedOptions): Promise<Composed> {
  const store = await openStore(options.file)
  try {
    return composed(options, store)
  } catch (error) {
    try {
      store.close()
    } catch {
      // A damaged file cannot be closed properly; the first error says more.
    }
    throw await withFix(error, options.file)
  }
}

function composed(options: ResolvedOptions, store: Store) {
  const { routes, schedule, ack, chaos, onFailure, botProtection, dashboardPassword, onNotice } = options
  const feed = createFeed(onFailure)
  const clock = movableClock(store.settings, options.clock)
  const keys = keyService({ store, clock, feed })
  let seed = seedStore(store, keys, options.seed)
  let isClosed = false

  // Separate generators: how often jitter is computed depends on how fast receivers answer, and chaos must not.
  const random = seededRandom(`${seed} chaos`)
  const jitter = seededRandom(`${seed} jitter`)
  const listeners = forwarding({ store, clock, feed })
  const { forwards, routeOf, isAway } = listeners
  const away = { forwards, isPaused: isAway }
  const how = { routes, schedule, ack, random: jitter, onFailure }
  const deliveries = startDeliveries({ store, clock, feed, ...away, ...how })
  const routed = routeMap(routes)
  const base = { store, clock, feed, deliverer: deliveries, random, chaos }
  const payments = paymentService(base)
  const windows = giftCardWindows({ ...base, payments, onFailure })
  const endpoints = endpointService(base)

  feed.subscribe(({ kind }) => {
    if (kind === 'payment') windows.arm()
    // Deliveries to it may have been paused.
    if (kind === 'endpoint') deliveries.wake()
  })
  windows.check()

  return {
    store,
    clock,
    feed,
    deliveries,
    payments,
    endpoints,
    keys,
    windows,
    /** The operator's routes from public URLs to local ones: `--route`. */
    routes,
    /** The temporary routes of running `hookproof listen` processes. */
    forwards: listeners,
    /** Where deliveries to a recipient are really sent; undefined when no route matches. */
    routeTo: ({ url, endpointId }: Recipient) => (routeOf(endpointId) ?? routed(new URL(url)))?.href,
    /** What differs from the defaults, in words. */
    settings: settingsOf(options),
    /** Whether the API blocks clients that look automated. Interface 5.2. */
    botProtection,
    /** Admits other machines to the dashboard and the control API. */
    dashboardPassword,
    /** Shows one line to the person who runs the sandbox. */
    notice: onNotice,
    /** The seed of the current organizations. */
    seed: () => seed,
    /** Empties the store, and recreates the organizations from the same seed. */
    reset: async (): Promise<void> => {
      await deliveries.drop()
      if (isClosed) return
      try {
        store.refill(() => {
          seed = seedStore(store, keys, seed)
        })
      } finally {
        clock.reload()
        deliveries.wake()
      }
      windows.check()
      feed.publish({ kind: 'reset' })
    },
    /** Stops the deliveries and closes the file. */
    close: async (): Promise<void> => {
      isClosed = true
      await deliveries.close()
      windows.stop()
      listeners.stop()
      store.close()
    },
  }
}
