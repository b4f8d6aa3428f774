import { setImmediate as nextTurn } from 'node:timers/promises'
import { seededRandom } from './deliveries/chaos.ts'
import { type Deliveries, startDeliveries } from './deliveries/index.ts'
import { type Route, routeMap } from './deliveries/routes.ts'
import { checkTarget } from './deliveries/targets.ts'
import { waitingDeliveries } from './deliveries/waiting.ts'
import type { Recipient } from './domain/events.ts'
import type { OriginOf } from './http/guard.ts'
import type { ResolvedOptions } from './options.ts'
import { type CheckTarget, createFeed, type Feed } from './ports.ts'
import { giftCardWindows, type MovableClock, movableClock, type Windows } from './service/clock.ts'
import { type EndpointService, endpointService } from './service/endpoints.ts'
import { type Forwarding, forwarding } from './service/forwarding.ts'
import { type KeyService, keyService, seedStore } from './service/keys.ts'
import { type PaymentService, paymentService } from './service/payments.ts'
import { withFix } from './store/database.ts'
import { openStore, type Store } from './store/store.ts'

/** What the API, the checkout and the dashboard work with. */
export interface Context {
  store: Store
  clock: MovableClock
  feed: Feed
  deliveries: Deliveries
  payments: PaymentService
  endpoints: EndpointService
  keys: KeyService
  windows: Windows
  checkTarget: CheckTarget
  /** The operator's routes from public URLs to local ones: `--route`. */
  routes: readonly Route[]
  /** The temporary routes of running `hookproof listen` processes. */
  forwards: Forwarding
  /** Where deliveries to a recipient are really sent; undefined when no route matches. */
  routeTo: (recipient: Recipient) => string | undefined
  /** How deliveries are made: the retry schedule, what acknowledges them, and the faults injected into each. */
  how: Pick<ResolvedOptions, 'schedule' | 'ack' | 'chaos'>
  /** Whether the API blocks clients that look automated. Interface 5.2. */
  botProtection: boolean
  /** Admits other machines to the dashboard and the control API. */
  dashboardPassword: string | undefined
  /** Shows one line to the person who runs the sandbox. */
  notice: (text: string) => void
  /** The seed of the current organizations. */
  seed: () => string
  /** The sandbox's own origin, given a request's Host header; known once it listens. */
  origin: OriginOf
  /** Empties the store, and recreates the organizations from the same seed. */
  reset: () => Promise<void>
}

/** The running parts of a sandbox, without an HTTP server. */
export interface Composed extends Omit<Context, 'origin'> {
  /** Stops the deliveries and closes the file. */
  close: () => Promise<void>
}

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

function composed(options: ResolvedOptions, store: Store): Composed {
  const { routes, schedule, ack, chaos, onFailure, botProtection, dashboardPassword, onNotice } = options
  const feed = createFeed(onFailure)
  const clock = movableClock(store.settings, options.clock)
  const keys = keyService({ store, clock, feed })
  let seed = seedStore(store, keys, options.seed)
  let isClosed = false

  /** Continues a reset. @returns whether there is more; the last time, it recreates the organizations */
  function emptySome(): boolean {
    return store.transaction(() => {
      const isMore = store.emptySome()
      if (isMore) store.settings.set('is_resetting', 'true')
      else {
        store.empty()
        seed = seedStore(store, keys, seed)
      }
      return isMore
    })
  }

  if (store.settings.get('is_resetting') !== undefined) {
    while (emptySome());
    clock.reload()
  }

  // Separate generators: how often jitter is computed depends on how fast receivers answer, and chaos must not.
  const random = seededRandom(`${seed} chaos`)
  const jitter = seededRandom(`${seed} jitter`)
  const waiting = waitingDeliveries({ store, clock, feed, onFailure })
  const forwards = forwarding({ store, clock, feed, waiting })
  const away = {
    forwards: forwards.routeOf,
    isPaused: forwards.isAway,
    skipsVerify: forwards.skipsVerify,
  }
  const how = { routes, ...away, schedule, ack, random: jitter, onFailure }
  const deliveries = startDeliveries({ store, clock, feed, ...how })
  const routed = routeMap(routes)
  const base = { store, clock, feed, deliverer: deliveries, random, chaos }
  const payments = paymentService(base)
  const windows = giftCardWindows({ ...base, payments, onFailure })
  const endpoints = endpointService({ ...base, waiting })

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
    checkTarget,
    routes,
    forwards,
    routeTo: ({ url, endpointId }) => (forwards.routeOf(endpointId) ?? routed(new URL(url)))?.href,
    how: { schedule, ack, chaos },
    botProtection,
    dashboardPassword,
    notice: onNotice,
    seed: () => seed,
    reset: async () => {
      try {
        do {
          await nextTurn()
          // Each time, since a change in between wakes it.
          await deliveries.drop()
          // The next start continues.
          if (isClosed) return
        } while (emptySome())
      } finally {
        if (!isClosed) {
          clock.reload()
          deliveries.wake()
        }
      }
      windows.check()
      feed.publish({ kind: 'reset' })
    },
    close: async () => {
      isClosed = true
      await deliveries.close()
      windows.stop()
      forwards.stop()
      waiting.stop()
      store.close()
    },
  }
}
