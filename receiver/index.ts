/**
 * The reference receiver as a library: verify, store, acknowledge, then process. The SQLite and Postgres inboxes have
 * separate entry points, `hookproof/receiver/sqlite` and `hookproof/receiver/postgres`, so their drivers load only when used.
 */
export type { AttemptOutcome } from './attempt-outcome.ts'
export type { HeldBody, HoldOptions } from './body/held.ts'
export { type RefusalCode, refusal, refusals } from './errors.ts'
export { type ExpressClasses, expressClasses } from './fast-server.ts'
export { type DeliveryOutcome, type HandlerOptions, webhookHandler } from './handler.ts'
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
export {
  type Advice,
  createOrders,
  type Ledger,
  type LedgerLine,
  type Orders,
  type OrdersOptions,
} from './orders.ts'
export { createOverload, type Overload, type OverloadLimits, type Waiting } from './overload.ts'
export {
  type Handle,
  type Processing,
  type ProcessingOptions,
  type ProcessingState,
  startProcessing,
  type Transact,
} from './processing.ts'
export { createReadiness, type Readiness, type ReadinessOptions, type ReadinessProbe } from './readiness.ts'
export { type Retention, type RetentionOptions, startRetention } from './retention.ts'
export {
  createSignatureCheck,
  createVerifier,
  readEvent,
  type VerifiedDelivery,
  type VerifierOptions,
  type Verify,
  WebhookError,
  type WebhookEvent,
} from './verify.ts'
