import type { Entry } from './inbox.ts'

/**
 * What became of one attempt, or of the store. `retry` and `dead` carry what was thrown; `lost` is an attempt whose
 * entry another receiver took over, and nothing was recorded of it. `store_failed` is told when it begins, and
 * again each minute for as long as its cause stays the same.
 */
export type AttemptOutcome =
  | { outcome: 'handled' | 'lost'; entry: Entry }
  | { outcome: 'retry'; entry: Entry; error: unknown; dueAt: number }
  | { outcome: 'dead'; entry: Entry; error: unknown }
  | { outcome: 'store_failed'; error: unknown }
