import { type Amount, compareAmounts } from './amounts.ts'

/** How long a part-paid gift-card order waits for the rest, in milliseconds. Interface 8. */
export const GIFT_CARD_WINDOW_MS = 24 * 60 * 60 * 1000

/** Part-paid orders of at least this complete by themselves when their window ends; smaller ones expire. Interface 8. */
const GIFT_CARD_THRESHOLD: Amount = '2'

/** What the end of the window makes of a part-paid order. Interface 2.2, amount_requested and amount_received. */
export function outcomeOfWindow(ordered: Amount): 'completed' | 'expired' {
  return compareAmounts(ordered, GIFT_CARD_THRESHOLD) >= 0 ? 'completed' : 'expired'
}
