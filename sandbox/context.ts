import type { Deliveries, Route } from './deliveries/index.ts'
import type { Recipient } from './domain/recipients.ts'
import type { OriginOf } from './http/origin.ts'
import type { ResolvedOptions } from './options/options.ts'
import type { CheckTarget, Feed } from './ports.ts'
import type { MovableClock } from './service/clock.ts'
import type { EndpointService } from './service/endpoints.ts'
import type { Forwarding } from './service/forwarding.ts'
import type { KeyService } from './service/keys.ts'
import type { PaymentService } from './service/payments.ts'
import type { Windows } from './service/windows.ts'
import type { Store } from './store/store.ts'

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
  /** Tells the person who runs the sandbox something in one line. */
  notice: (text: string) => void
  /** The seed of the current organizations. */
  seed: () => string
  /** The sandbox's own origin, given a request's Host header; known once it listens. */
  origin: OriginOf
  /** Empties the store, and recreates the organizations from the same seed. */
  reset: () => Promise<void>
}
