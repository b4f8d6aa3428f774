import type { Deliveries, Route } from './deliveries/index.ts'
import type { Settled } from './options.ts'
import type { OriginOf } from './origin.ts'
import type { CheckTarget, Feed } from './ports.ts'
import type { MovableClock } from './service/clock.ts'
import type { EndpointService } from './service/endpoints.ts'
import type { Forwarding } from './service/forwarding.ts'
import type { KeyService } from './service/keys.ts'
import type { PaymentService } from './service/payments.ts'
import type { Windows } from './service/windows.ts'
import type { Store } from './store/store.ts'

/** Everything that the API, the checkout and the dashboard are made over. */
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
  /** Where the operator sends what is meant for public addresses: `--route`. */
  routes: readonly Route[]
  /** Where `hookproof listen` sends them, for as long as it runs. */
  forwards: Forwarding
  /** Where a URL is really sent; undefined when no route covers it. */
  routeTo: (url: string) => string | undefined
  /** How deliveries are made: when they are tried again, what acknowledges them, and what goes wrong with each. */
  how: Pick<Settled, 'schedule' | 'ack' | 'chaos'>
  /** Whether the API turns away what looks automated. Interface 5.2. */
  botProtection: boolean
  /** The seed of the organisations of now. */
  seed: () => string
  /** Where the sandbox is reached, by this machine or by who sent a header `Host`; known once it listens. */
  origin: OriginOf
  /** Empties the store, and makes the organisations anew from the same seed. */
  reset: () => Promise<void>
}
