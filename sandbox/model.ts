import type { FailureCode, PaymentMethod, RefundType, SettledVia } from '../schemas/types.ts'

/** Whose money moves: none with a test key, the customer's with a live one. Interface 1 and 5.1. */
export type Mode = 'test' | 'live'

/** Interface 2.3. */
export type EndpointMode = Mode | 'both'

/** The names of the events that the service sends. Interface 6. */
export const EVENT_NAMES = [
  'payment.completed',
  'payment.failed',
  'payment.partial',
  'payment.refunded',
  'payment.expired',
] as const

export type EventName = (typeof EVENT_NAMES)[number]

/** What a key may do. Interface 5.4 names `webhooks:write` only; the others are a convention. */
export const SCOPES = ['webhooks:read', 'webhooks:write', 'payments:read', 'payments:write'] as const

export type Scope = (typeof SCOPES)[number]

/** States of a payment; interface 3 names them, the moves between them are in domain/transitions.ts. */
export const PAYMENT_STATUSES = ['pending', 'partial', 'completed', 'failed', 'expired', 'refunded'] as const

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** Every time in this file is a number of milliseconds since 1970, by the sandbox's own clock. */
export interface Organisation {
  id: string
  name: string
  /** Signs what goes to the webhook_url of a payment, which has no endpoint and so no secret of its own. */
  webhookUrlSecret: string
}

/** An API key as it is kept: the key itself is shown once, and only its hash stays. Interface 5.1. */
export interface ApiKey {
  id: string
  organisationId: string
  mode: Mode
  /** The first letters, to tell keys apart by. */
  shown: string
  scopes: Scope[]
  createdAt: number
  revokedAt: number | null
}

/** A registered endpoint. Interface 2.1. */
export interface Endpoint {
  id: string
  organisationId: string
  url: string
  /** Null once the endpoint is deleted: the secret is then destroyed. */
  secret: string | null
  events: EventName[]
  mode: EndpointMode
  isEnabled: boolean
  description: string | null
  createdAt: number
  deletedAt: number | null
}

/** A payment, or a child transaction that a switch of method made. Interface 2.4 and 2.2 rule 1. */
export interface Payment {
  id: string
  /** The root payment of a child transaction, else null. Only root payments are ever shown or told of. */
  parentId: string | null
  organisationId: string
  mode: Mode
  status: PaymentStatus
  /** What was ordered, decimal text in `currency`. */
  amount: string
  /** What has come in, in the same currency; null while nothing has. */
  amountReceived: string | null
  currency: string
  /** Null until the customer has chosen one. */
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
  /** When the 24 hours of a part-paid gift-card order end. Interface 8. */
  windowEndsAt: number | null
}

/** Something that happened to a payment, as it was told: the body's bytes never change again. Interface 2.2. */
export interface Event {
  id: string
  paymentId: string
  organisationId: string
  name: EventName
  mode: Mode
  body: Uint8Array
  createdAt: number
}

type DeliveryState = 'pending' | 'in_flight' | 'delivered' | 'failed' | 'cancelled'

/** Why a delivery exists: the event itself, the API's resend-webhook, a redelivery by hand, or one edited by hand. */
export type DeliveryCause = 'event' | 'resend' | 'redelivery' | 'edited'

/** One event on its way to one recipient, over as many attempts as it takes. Interface 4.8 and 6 rule 1. */
export interface Delivery {
  id: string
  eventId: string
  organisationId: string
  /** The endpoint whose secret signs it; null for the payment's webhook_url, signed with the organisation's. */
  endpointId: string | null
  url: string
  cause: DeliveryCause
  /** Sent in place of the event's body, when chaos or a person changed it. */
  body: Uint8Array | null
  state: DeliveryState
  /** How many attempts have begun. */
  attempts: number
  nextAttemptAt: number
  /** Acknowledged, but with another 2xx than the 200 of interface 4.8. */
  flagged: boolean
  /** What is to go wrong on purpose; the deliveries folder knows its shape. */
  chaos: Record<string, unknown> | null
  createdAt: number
  /** When it was delivered, given up or cancelled. */
  endedAt: number | null
}

export type AttemptError = 'dns' | 'refused' | 'timeout' | 'tls' | 'reset' | 'blocked' | 'aborted'

/** One try at a delivery. */
export interface Attempt {
  deliveryId: string
  /** 1 for the first. */
  number: number
  startedAt: number
  durationMs: number
  /** The status that came back, null when none did. */
  status: number | null
  error: AttemptError | null
  /** One plain line for people about the error. */
  detail: string | null
  /** As sent, signature and all: it is shown in the dashboard only. */
  requestHeaders: Record<string, string>
  responseHeaders: Record<string, string | string[]> | null
  /** 64 KiB at most. */
  responseBody: Uint8Array | null
}

/** One request to the API, for the dashboard's log. Keys and signing secrets never stand in it. */
export interface ApiCall {
  id: number
  at: number
  method: string
  /** Path and query. */
  path: string
  status: number
  durationMs: number
  organisationId: string | null
  keyId: string | null
  requestBody: string | null
  responseBody: string | null
}

/** Says that something changed, to whoever shows it live. */
export interface Change {
  kind: 'payment' | 'event' | 'delivery' | 'endpoint' | 'key' | 'call' | 'clock' | 'reset'
  /** Of the thing that changed; absent for the clock and a reset. */
  id?: string
}
