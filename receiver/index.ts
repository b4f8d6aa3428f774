/**
 * The core and everything around it that needs no framework and no database. Adapters and stores have entry points of their
 * own: `@hookproof/receiver/express`, `/fastify`, `/fetch`, `/sqlite` and `/postgres`.
 */

export { type MemoryInboxOptions, memoryInbox } from './inbox/memory.ts'
export type { RetryPolicy } from './inbox/retries.ts'
export {
  type AfterFailure,
  type Depth,
  deduplicationKey,
  type Entry,
  type EntryState,
  type Inbox,
  InboxError,
  type InboxReader,
  LostAttemptError,
  NoInboxError,
  ProcessingLockedError,
} from './inbox.ts'
export { memoryLedger } from './ledger/memory.ts'
export type { HeldBody, HoldOptions } from './limits/body/held.ts'
export type { Connection, Connections } from './limits/connections.ts'
export { createOverload, type Overload, type OverloadLimits, type Waiting } from './limits/overload.ts'
export { type ClosedConnection, discard, type ProtectOptions, protect } from './limits/protect.ts'
export { type RefusalCode, refusal, refusals } from './limits/refusals.ts'
export {
  type Advice,
  createOrders,
  type Ledger,
  type LedgerLine,
  type Observation,
  type Orders,
  type OrdersOptions,
} from './orders.ts'
export type { AttemptOutcome } from './processing.ts'
export {
  type Handle,
  type Processing,
  type ProcessingOptions,
  type ProcessingState,
  startProcessing,
  type Transact,
} from './processing.ts'
export { createReadiness, type Readiness, type ReadinessOptions, type ReadinessProbe } from './readiness.ts'
export {
  type Answer,
  createReceiver,
  type DeliveryOutcome,
  type DeliveryStore,
  type EventFields,
  type Receive,
  type ReceivedDelivery,
  type ReceiverOptions,
  readDelivery,
  readEvent,
  refuse,
  type VerifiedDelivery,
} from './receive.ts'
export { type Retention, type RetentionOptions, startRetention } from './retention.ts'
export { inOneLine } from './shared/errors.ts'
export { short } from './shared/short.ts'
export {
  createVerifier,
  type SignatureHeader,
  type VerifierOptions,
  type Verify,
  WebhookError,
} from './verify.ts'
export type {
  FailureCode,
  PaymentCompletedEvent,
  PaymentExpiredEvent,
  PaymentFailedEvent,
  PaymentMethod,
  PaymentPartialEvent,
  PaymentRefundedEvent,
  PaymentStatus,
  RefundType,
  SettledVia,
  UnknownEvent,
  WebhookEvent,
} from './webhook-event.ts'
