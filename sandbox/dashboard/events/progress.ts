import type { Request } from 'express'
import type { DeliveryCounts } from '../../store/queries/recipients.ts'
import type { Resend } from '../../store/resends/resends.ts'
import type { ResentRange } from '../../store/resends/resent.ts'

/** How far a resend of several deliveries is. */
export interface Progress {
  readonly total: number
  /** How many ended: delivered, failed or canceled. */
  readonly ended: number
  /** The states in words: `3 delivered, 1 failing`. */
  readonly text: string
}

type Counts = DeliveryCounts & { readonly canceled: number }

/** The id of the resend that the query of a page names, if any. */
export const resentIn = ({ resent }: Request['query']): number | undefined =>
  typeof resent === 'string' && /^\d{1,15}$/.test(resent) ? Number(resent) : undefined

/** The progress of a resend; undefined if it resent nothing. */
export function progressOf(
  { total, after }: Resend,
  count: (range: ResentRange) => Counts,
): Progress | undefined {
  if (total === 0) return undefined
  const counts = count({ after, total })
  const { delivered, failed, canceled } = counts
  const created = Object.values(counts).reduce((sum, number) => sum + number, 0)
  // The others are queued between other work.
  const waiting = { ...counts, pending: counts.pending + total - created }
  const text = ORDER.filter((state) => waiting[state] > 0)
    .map((state) => `${waiting[state]} ${state}`)
    .join(', ')
  return { total, ended: delivered + failed + canceled, text }
}

const ORDER = ['delivered', 'failed', 'failing', 'pending', 'paused', 'canceled'] as const
