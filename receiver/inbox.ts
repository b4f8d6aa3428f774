import type { VerifiedDelivery } from './verify.ts'

/** Where an entry stands: waiting, being handled, handled, or given up. */
export type EntryState = 'pending' | 'processing' | 'done' | 'dead'

/** One acknowledged event, as the inbox keeps it. */
export interface Entry {
  readonly id: string
  /** The same for each attempt and each redelivery: hand it on to outside services that take an idempotency key. */
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
  /** How often handling was begun, the present attempt included. */
  readonly attempts: number
  /** Not to be handled before this Unix time in milliseconds; 0 is at once. */
  readonly dueAt: number
  readonly lastError: string | undefined
}

/** What becomes of an entry whose attempt failed: due again at a Unix time in milliseconds, or waiting for a person. */
export type AfterFailure = { readonly state: 'pending'; readonly dueAt: number } | { readonly state: 'dead' }

/** How much waits in an inbox. */
export interface Depth {
  readonly pending: number
  readonly processing: number
  readonly dead: number
  /** How long ago, in milliseconds, the oldest pending entry was accepted; undefined if none is pending. */
  readonly oldestPendingMs: number | undefined
}

/**
 * A store of acknowledged events. Its promise: once `accept` has resolved, the event is kept, and no other delivery of
 * the same event becomes a second entry. Every method rejects when the store fails. SPEC.md 6 and 7.
 *
 * `Transaction` is what the store hands to work that must commit together with its completion. An inbox of any kind is
 * an `Inbox`.
 */
export interface Inbox<out Transaction = unknown> {
  /** Stores the event of a delivery, unless it is there already. */
  accept(delivery: VerifiedDelivery): Promise<'stored' | 'duplicate'>
  /**
   * Puts back to `pending` what an earlier process left in `processing`; what was in its last attempt is dead, and is
   * told in the answer. For the one loop that processes, at its start.
   */
  recover(): Promise<Entry[]>
  /** Takes up to `limit` pending entries that are due at `now` (milliseconds), first due first. Nobody else gets them. */
  claim(limit: number, now: number): Promise<Entry[]>
  /**
   * The entry was handled. `transact` runs inside the transaction that records this: both are kept, or neither. What it
   * returns is awaited; a store that can not wait inside a transaction refuses a promise with a TypeError.
   * @throws what `transact` threw; LostAttemptError, before `transact` runs, if the entry is no longer in this attempt.
   */
  complete(entry: Entry, transact?: (transaction: Transaction) => unknown): Promise<void>
  /**
   * The attempt failed, for a reason in one line: the entry is due again later, or dead if it had its last attempt.
   * @throws LostAttemptError if the entry is no longer in this attempt.
   */
  fail(entry: Entry, reason: string): Promise<AfterFailure>
  get(id: string): Promise<Entry | undefined>
  /** The entries in one state, oldest first. */
  list(filter: { state: EntryState; limit?: number }): Promise<Entry[]>
  /** Makes a dead entry pending again, with its attempts counted anew. False if there is no such dead entry. */
  retry(id: string): Promise<boolean>
  /**
   * Deletes what was handled and had been accepted before a Unix time in milliseconds; answers how many. A redelivery
   * of a deleted event would be taken for a new one. The dead stay.
   */
  purge(before: number): Promise<number>
  depth(now: number): Promise<Depth>
  /** Resolves if the store can take a write at this moment. @throws InboxError if it can not. */
  check(): Promise<void>
  close(): Promise<void>
}

/** A store that can not be used; the message names it and says how to mend that. */
export class InboxError extends Error {
  override readonly name: string = 'InboxError'
}

/**
 * The entry was given to somebody else while this attempt went on, or settled by them: nothing was recorded, and there
 * is nothing to do about it.
 */
export class LostAttemptError extends InboxError {
  override readonly name = 'LostAttemptError'

  constructor({ id, attempts }: Pick<Entry, 'id' | 'attempts'>) {
    super(
      `inbox entry ${id}: attempt ${attempts} is no longer the one under way. Another receiver has taken it.`,
    )
  }
}

/**
 * What makes two deliveries the same event: the payment and what happened to it. A payment may be part-paid several
 * times, and charged back as well as refunded; nothing that a redelivery may change has a part in it. SPEC.md 7.
 */
export function deduplicationKey({ paymentId, name, event }: VerifiedDelivery): string {
  // JSON keeps the parts apart whatever they contain, and is plain text in every store.
  return JSON.stringify([paymentId, name, ...discriminator(name, event)])
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

// Not JSON.stringify for these: it recurses, and a sender may nest without end.
function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
