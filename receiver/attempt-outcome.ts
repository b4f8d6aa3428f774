import type { Entry } from './inbox.ts'

/**
 * The outcome of one attempt, or a failure of the store. `retry` and `dead` carry the error that was thrown. `lost` is an
 * attempt whose entry another receiver took over; nothing was recorded for it. `another_process` means that another process
 * handles the events, which is normal while two processes have a SQLite file open. It and `store_failed` are reported when
 * they start, and again every minute while the cause stays the same.
 */
export type AttemptOutcome =
  | { outcome: 'handled' | 'lost'; entry: Entry }
  | { outcome: 'retry'; entry: Entry; error: unknown; dueAt: number }
  | { outcome: 'dead'; entry: Entry; error: unknown }
  | { outcome: 'store_failed'; error: unknown }
  | { outcome: 'another_process'; error: unknown }
