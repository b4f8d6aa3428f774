import type { VerifiedDelivery } from './receive.ts'
import { isLive } from './shared/mode.ts'

/** The state of an entry: waiting, being handled, handled, or failed permanently. */
export type EntryState = 'pending' | 'processing' | 'done' | 'dead'

/** One acknowledged event, as stored in the inbox. */
export interface Entry {
  readonly id: string
  /** The same for every attempt and every redelivery: pass it to services that accept an idempotency key. */
  readonly idempotencyKey: string
  readonly paymentId: string
  /** The event's name. */
  readonly name: string
  /** The exact bytes of the first delivery. */
  readonly body: Buffer
  /** Unix time in seconds. */
  readonly signedAt: number
  /** Unix time in milliseconds. */
  readonly receivedAt: number
  readonly state: EntryState
  /** How many attempts have started, including the current one. */
  readonly attempts: number
  /** The Unix time in milliseconds before which the entry is not handled; 0 is at once. */
  readonly dueAt: number
  readonly lastError: string | undefined
}

/** The state after a failed attempt: due again at a Unix time in milliseconds, or dead until someone retries it. */
export type AfterFailure = { readonly state: 'pending'; readonly dueAt: number } | { readonly state: 'dead' }

/** The number of unfinished entries in an inbox. */
export interface Depth {
  readonly pending: number
  readonly processing: number
  readonly dead: number
  /** How long ago, in milliseconds, the oldest pending entry was accepted; undefined if none is pending. */
  readonly oldestPendingMs: number | undefined
}

/**
 * A store of acknowledged events. It guarantees that once `accept` has resolved, the event is stored durably, and that no
 * other delivery of the same event creates a second entry. Every method rejects when the store fails. SPEC.md 6 and 7.
 *
 * `Transaction` is what the store passes to work that must commit together with the completion of an entry.
 */
export interface Inbox<out Transaction = unknown> {
  /** Stores the event of a delivery, unless it is already stored. */
  accept(delivery: VerifiedDelivery): Promise<'stored' | 'duplicate'>
  /**
   * Requeues entries that an earlier process left in `processing`. Entries whose last attempt was interrupted become dead;
   * it resolves to these. The processing loop calls it when it starts.
   * @throws ProcessingLockedError, as `claim` does, if only one process may handle the events and another one does.
   */
  recover(): Promise<Entry[]>
  /**
   * Ends the attempts that any process has abandoned, and resolves to the entries that are dead because that was their last
   * attempt, each in one process only. The processing loop calls it often; it does nothing most of the time. Only an inbox
   * whose events several processes may handle at once has it.
   */
  expire?(): Promise<Entry[]>
  /**
   * Claims up to `limit` pending entries that are due at `now` (Unix time in milliseconds), earliest due first, exclusively.
   * Entries whose retry was scheduled by a wrong clock are due no later than the longest delay from `now`.
   */
  claim(limit: number, now: number): Promise<Entry[]>
  /**
   * Marks the entry as handled. `transact` runs inside the transaction that records this: both commit, or neither. Its
   * result is awaited; a store whose transactions are synchronous rejects a promise with a TypeError.
   * @throws what `transact` threw; LostAttemptError, before `transact` runs, if this attempt is no longer the current one.
   */
  complete(entry: Entry, transact?: (transaction: Transaction) => unknown): Promise<void>
  /**
   * Records a failed attempt with a one-line reason: the entry is due again later, or dead after its last attempt.
   * @throws LostAttemptError if this attempt is no longer the current one.
   */
  fail(entry: Entry, reason: string): Promise<AfterFailure>
  get(id: string): Promise<Entry | undefined>
  /** The entries in one state, oldest first. */
  list(filter: { state: EntryState; limit?: number }): Promise<Entry[]>
  /** Makes a dead entry pending again with its attempts reset. False if there is no dead entry with this id. */
  retry(id: string): Promise<boolean>
  /**
   * Deletes handled entries that were accepted before a Unix time in milliseconds; resolves to their number. A redelivery
   * of a deleted event would count as a new event. Dead entries stay.
   */
  purge(before: number): Promise<number>
  depth(now: number): Promise<Depth>
  /** Resolves if the store accepts writes right now. @throws InboxError if it does not. */
  check(): Promise<void>
  close(): Promise<void>
}

/** An inbox that is open for reading only. It never changes the store, and reads while receivers use it. */
export type InboxReader = Pick<Inbox, 'get' | 'list' | 'depth' | 'close'>

/** A store that cannot be used; the message names the store and the fix. */
export class InboxError extends Error {
  override readonly name: string = 'InboxError'
}

/** There is no inbox to read. */
export class NoInboxError extends InboxError {
  override readonly name = 'NoInboxError'
}

/** Another process handles the events of the inbox. This process may take over when that one ends. */
export class ProcessingLockedError extends InboxError {
  override readonly name = 'ProcessingLockedError'
}

/**
 * Another receiver took over or finished the entry during this attempt. Nothing was recorded for this attempt, and nothing
 * needs to be done.
 */
export class LostAttemptError extends InboxError {
  override readonly name = 'LostAttemptError'

  constructor({ id, attempts }: Pick<Entry, 'id' | 'attempts'>) {
    super(
      `inbox entry ${id}: attempt ${attempts} is no longer current. Another receiver has taken over the entry.`,
    )
  }
}

/**
 * The deduplication key, which is equal for deliveries of the same event: the payment and what happened to it. A payment
 * may be partly paid several times, and both refunded and charged back. A test event is none of a live payment, even with the
 * same id. The key contains nothing that a redelivery may change. SPEC.md 7 and 8.22.
 */
export function deduplicationKey({ paymentId, name, event }: VerifiedDelivery): string {
  // JSON separates the parts whatever they contain, and every store can hold it as plain text.
  const { livemode, test } = event
  const mode = isLive({ livemode, test }) ? [] : [{ livemode: false }]
  return JSON.stringify([paymentId, name, ...discriminator(name, event), ...mode])
}

function discriminator(name: string, event: VerifiedDelivery['event']): string[] {
  switch (name) {
    case 'payment.partial':
      return [scalarText(event.amount_received)]
    case 'payment.refunded':
      return [scalarText(event.type)]
    default:
      return []
  }
}

// Not JSON.stringify, which recurses: a sender may nest values arbitrarily deep.
function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
