/**
 * The reference receiver as a library: verify, store, acknowledge, then process. The SQLite inbox has an entry of its
 * own, `hookproof/receiver/sqlite`, so that its driver is loaded only by those who use it.
 */
export { type RefusalCode, refusal, refusals } from './errors.ts'
export { type DeliveryOutcome, type HandlerOptions, webhookHandler } from './handler.ts'
export { memoryInbox } from './inbox/memory.ts'
export { deduplicationKey, type Entry, type EntryState, type Inbox, InboxError } from './inbox.ts'
export { memoryLedger } from './ledger/memory.ts'
export {
  type Advice,
  createOrders,
  type Ledger,
  type LedgerLine,
  type Orders,
  type OrdersOptions,
} from './orders.ts'
export {
  type AttemptOutcome,
  type Handle,
  type Processing,
  type ProcessingOptions,
  startProcessing,
} from './processing.ts'
export {
  createVerifier,
  readEvent,
  type VerifiedDelivery,
  type VerifierOptions,
  type Verify,
  WebhookError,
  type WebhookEvent,
} from './verify.ts'
