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

/**
 * A store of acknowledged events. Its promise: once `accept` has resolved, the event is kept, and no other delivery of
 * the same event becomes a second entry. Every method rejects when the store fails. SPEC.md 6 and 7.
 */
export interface Inbox {
  /** Stores the event of a delivery, unless it is there already. */
  accept(delivery: VerifiedDelivery): Promise<'stored' | 'duplicate'>
  /** Puts back to `pending` what an earlier process left in `processing`. For the one loop that processes, at its start. */
  recover(): Promise<void>
  /** Takes up to `limit` pending entries that are due at `now` (milliseconds), first due first. Nobody else gets them. */
  claim(limit: number, now: number): Promise<Entry[]>
  /** The entry was handled. */
  complete(id: string): Promise<void>
  /** The attempt failed; the entry is due again at `dueAt` (milliseconds). */
  retryLater(id: string, dueAt: number, error: string): Promise<void>
  /** The entry failed for good and waits for a person. */
  giveUp(id: string, error: string): Promise<void>
  /** The entries in one state, oldest first. */
  list(filter: { state: EntryState; limit?: number }): Promise<Entry[]>
  /** Makes a dead entry pending again, with its attempts counted anew. False if there is no such dead entry. */
  retry(id: string): Promise<boolean>
  close(): Promise<void>
}

/** A store that can not be used; the message names it and says how to mend that. */
export class InboxError extends Error {
  override readonly name = 'InboxError'
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
