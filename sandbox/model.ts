import type { FailureCode, PaymentMethod, RefundType, SettledVia } from '../schemas/types.ts'

/** Test keys move no money, live keys do. Interface 1 and 5.1. */
export type Mode = 'test' | 'live'

/** Interface 2.3. */
export type EndpointMode = Mode | 'both'

/** The names of the service's events. Interface 6. */
export const EVENT_NAMES = [
  'payment.completed',
  'payment.failed',
  'payment.partial',
  'payment.refunded',
  'payment.expired',
] as const

export type EventName = (typeof EVENT_NAMES)[number]

/** The scopes of a key. Interface 5.4 names only `webhooks:write`; the others are a convention. */
export const SCOPES = ['webhooks:read', 'webhooks:write', 'payments:read', 'payments:write'] as const

export type Scope = (typeof SCOPES)[number]

/** The statuses of a payment. Interface 3 names them; domain/transitions.ts has the transitions. */
export const PAYMENT_STATUSES = ['pending', 'partial', 'completed', 'failed', 'expired', 'refunded'] as const

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

// Every time in this file is in milliseconds since 1970, by the sandbox's clock.

export interface Organization {
  id: string
  name: string
  /** Signs deliveries to a payment's webhook_url, which has no endpoint and so no secret. */
  webhookUrlSecret: string
}

/** A stored API key. The key itself is shown once; only its hash is stored. Interface 5.1. */
export interface ApiKey {
  id: string
  organizationId: string
  mode: Mode
  /** The first characters, to recognize the key. */
  shown: string
  scopes: Scope[]
  createdAt: number
  revokedAt: number | null
}

/** A registered endpoint. Interface 2.1. */
export interface Endpoint {
  id: string
  organizationId: string
  url: string
  /** Null after the endpoint is deleted, which destroys the secret. */
  secret: string | null
  events: EventName[]
  mode: EndpointMode
  isEnabled: boolean
  description: string | null
  createdAt: number
  deletedAt: number | null
}

/** A payment, or the child transaction of a method switch. Interface 2.4 and 2.2 rule 1. */
export interface Payment {
  id: string
  /** The root payment of a child transaction, otherwise null. Only root payments appear in responses and events. */
  parentId: string | null
  organizationId: string
  mode: Mode
  status: PaymentStatus
  /** The amount ordered, a decimal string in `currency`. */
  amount: string
  /** The amount received so far, in the same currency; null before the first payment. */
  amountReceived: string | null
  currency: string
  method: PaymentMethod | null
  returnUrl: string | null
  webhookUrl: string | null
  metadata: Record<string, string>
  settledVia: SettledVia | null
  failureCode: FailureCode | null
  failureReason: string | null
  refundType: RefundType | null
  createdAt: number
  updatedAt: number
  /** When the 24-hour window of a partly paid gift-card order ends. Interface 8. */
  windowEndsAt: number | null
}

/** An event of a payment. The bytes of its body never change. Interface 2.2. */
export interface Event {
  id: string
  paymentId: string
  organizationId: string
  name: EventName
  mode: Mode
  body: Uint8Array
  createdAt: number
}

/**
 * `paused`: its recipient is a `hookproof listen` that is not running. `resent`: it failed, and a later resend to the same
 * recipient was delivered.
 */
type DeliveryState = 'pending' | 'paused' | 'in_flight' | 'delivered' | 'failed' | 'resent' | 'cancelled'

/** Why a delivery exists: the event itself, the API's resend-webhook, a manual resend, or a manual resend with an edited body. */
export type DeliveryCause = 'event' | 'resend' | 'redelivery' | 'edited'

/** One event to one recipient, in one or more attempts. Interface 4.8 and 6 rule 1. */
export interface Delivery {
  id: string
  eventId: string
  organizationId: string
  /** The endpoint whose secret signs it; null for the payment's webhook_url, which the organization's secret signs. */
  endpointId: string | null
  url: string
  cause: DeliveryCause
  /** Sent instead of the event's body if chaos or a person changed it. */
  body: Uint8Array | null
  state: DeliveryState
  attempts: number
  nextAttemptAt: number
  /** Acknowledged, but with a 2xx status other than the 200 of interface 4.8. */
  flagged: boolean
  /** Injected faults; deliveries/chaos.ts has their type. */
  chaos: Record<string, unknown> | null
  /** How many of its first attempts are wrong on purpose, because of chaos: they are no failures of the receiver. */
  faultyAttempts: number
  createdAt: number
  endedAt: number | null
}

export type AttemptError =
  | 'dns'
  | 'refused'
  | 'timeout'
  | 'tls'
  | 'certificate'
  | 'reset'
  | 'blocked'
  | 'aborted'

export interface Attempt {
  deliveryId: string
  number: number
  startedAt: number
  durationMs: number
  status: number | null
  error: AttemptError | null
  detail: string | null
  /** As sent, including the signature; shown only in the dashboard. */
  requestHeaders: Record<string, string>
  responseHeaders: Record<string, string | string[]> | null
  /** At most 64 KiB. */
  responseBody: Uint8Array | null
}

/** One API request, for the dashboard's log. It never contains keys or signing secrets. */
export interface ApiCall {
  id: number
  at: number
  method: string
  path: string
  status: number
  durationMs: number
  organizationId: string | null
  keyId: string | null
  requestBody: string | null
  responseBody: string | null
}

/** A change, for everything that shows it live. */
export interface Change {
  kind: 'payment' | 'event' | 'delivery' | 'endpoint' | 'key' | 'call' | 'clock' | 'reset'
  /** The id of what changed; absent for the clock and a reset. */
  id?: string
}
