import type { Request } from 'express'
import type { DeliveryCounts } from '../../store/queries/recipients.ts'
import type { ResentRange } from '../../store/queries/resent.ts'

/** How far a resend of several deliveries is. */
export interface Progress {
  readonly total: number
  /** How many ended: delivered, failed or canceled. */
  readonly ended: number
  /** The states in words: `3 delivered, 1 failing`. */
  readonly text: string
}

type Counts = DeliveryCounts & { readonly canceled: number }

/** The progress of the resend that the query of a page names as `resent=<after>-<total>`, if any. */
export function progressOf(
  { resent }: Request['query'],
  count: (range: ResentRange) => Counts,
): Progress | undefined {
  const [, after, total] = (typeof resent === 'string' && /^(\d{1,15})-(\d{1,9})$/.exec(resent)) || []
  if (after === undefined || total === undefined || Number(total) === 0) return undefined
  const range = { after: Number(after), total: Number(total) }
  const counts = count(range)
  const { delivered, failed, canceled } = counts
  const created = Object.values(counts).reduce((sum, number) => sum + number, 0)
  const waiting = { ...counts, pending: counts.pending + range.total - created }
  const text = ORDER.filter((state) => waiting[state] > 0)
    .map((state) => `${waiting[state]} ${state}`)
    .join(', ')
  return { total: range.total, ended: delivered + failed + canceled, text }
}

const ORDER = ['delivered', 'failed', 'failing', 'pending', 'paused', 'canceled'] as const
