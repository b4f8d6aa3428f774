import { type Amount, compareAmounts } from './amounts.ts'

/** How long a partly paid gift-card order waits for the remaining amount, in milliseconds. Interface 8. */
export const GIFT_CARD_WINDOW_MS = 24 * 60 * 60 * 1000

/** Partly paid orders of at least this amount complete when their window ends; smaller ones expire. Interface 8. */
const GIFT_CARD_THRESHOLD: Amount = '2'

/** The status of a partly paid order after its window ends. Interface 2.2, amount_requested and amount_received. */
export function outcomeOfWindow(ordered: Amount): 'completed' | 'expired' {
  return compareAmounts(ordered, GIFT_CARD_THRESHOLD) >= 0 ? 'completed' : 'expired'
}
