import type { Sent } from './traffic.ts'

/** An event as the store has it. */
export interface StoredEvent {
  readonly paymentId: string
  readonly event: string
  readonly state: 'open' | 'done' | 'dead'
}

/** A line of the ledger, in the order in which they were booked. */
export interface BookedLine {
  readonly paymentId: string
  readonly effect: string
  readonly amount: string
  readonly currency: string
}

export interface Stored {
  readonly events: readonly StoredEvent[]
  readonly lines: readonly BookedLine[]
}

export interface Audit {
  readonly acknowledged: number
  readonly stored: number
  readonly effects: number
  readonly lost: number
  readonly doubled: number
  /** Each thing that is not as it must be, in a line. */
  readonly broken: readonly string[]
}

/**
 * Compares what a store holds, after everything was handled, with what was sent. Each acknowledged event must be there
 * once and be handled; each payment must have the effects of its stored events, once and for the right amount; and there
 * must be nothing else.
 */
export function audit(sent: readonly Sent[], { events, lines }: Stored): Audit {
  const lost: string[] = []
  const doubled: string[] = []
  const wrong: string[] = []
  const stored = grouped(events, keyOf)
  const known = new Map(sent.map((one) => [keyOf(one), one]))

  for (const one of sent) {
    const key = keyOf(one)
    const found = stored.get(key) ?? []
    if (one.acknowledged && found.length === 0)
      lost.push(`lost: ${key} was acknowledged and is not in the inbox`)
    if (found.length > 1) doubled.push(`doubled: ${key} is in the inbox ${found.length} times`)
    for (const { state } of found) {
      if (state !== 'done') lost.push(`lost: ${key} is in the inbox and was not handled (${state})`)
    }
  }
  for (const key of stored.keys()) if (!known.has(key)) wrong.push(`strange: ${key} was never sent`)

  const booked = grouped(lines, ({ paymentId }) => paymentId)
  for (const paymentId of new Set([...known.values()].map(({ paymentId }) => paymentId))) {
    const completed = storedEvent('payment.completed', paymentId)
    const refunded = storedEvent('payment.refunded', paymentId)
    const found = booked.get(paymentId) ?? []
    const fulfilled = found.filter(({ effect }) => effect === 'fulfilled')
    const reversed = found.filter(({ effect }) => effect === 'reversed')
    if (fulfilled.length > 1) doubled.push(`doubled: ${paymentId} was fulfilled ${fulfilled.length} times`)
    if (reversed.length > 1) doubled.push(`doubled: ${paymentId} was reversed ${reversed.length} times`)
    if (completed && !refunded && fulfilled.length === 0) lost.push(`lost: ${paymentId} was not fulfilled`)
    if (refunded && reversed.length === 0) lost.push(`lost: ${paymentId} was not reversed`)
    if (!completed && fulfilled.length > 0) wrong.push(`strange: ${paymentId} was fulfilled for no event`)
    if (!refunded && reversed.length > 0) wrong.push(`strange: ${paymentId} was reversed for no event`)
    if (found.length > 1 && found.at(-1)?.effect === 'fulfilled') {
      wrong.push(`strange: ${paymentId} was fulfilled after it was reversed`)
    }
    for (const line of fulfilled)
      if (!isFor(completed, line)) wrong.push(`strange: ${paymentId} for another amount`)
    for (const line of reversed)
      if (!isFor(refunded, line)) wrong.push(`strange: ${paymentId} for another amount`)
    booked.delete(paymentId)
  }
  for (const paymentId of booked.keys())
    wrong.push(`strange: an effect of ${paymentId}, which was never sent`)

  /** The event as it was sent, if it was stored. */
  function storedEvent(event: string, paymentId: string): Sent | undefined {
    const key = keyOf({ event, paymentId })
    return stored.has(key) ? known.get(key) : undefined
  }

  return {
    acknowledged: sent.filter(({ acknowledged }) => acknowledged).length,
    stored: events.length,
    effects: lines.length,
    lost: lost.length,
    doubled: doubled.length,
    broken: [...lost, ...doubled, ...wrong],
  }
}

/** A proof in which hardly anything was acknowledged between the kills proves nothing. */
export const tooFew = ({ acknowledged }: Audit, kills: number): string[] =>
  acknowledged >= 10 * kills
    ? []
    : [`only ${acknowledged} events were acknowledged over ${kills} kills: too few to tell`]

const keyOf = ({ paymentId, event }: { paymentId: string; event: string }): string => `${paymentId} ${event}`

const isFor = (sent: Sent | undefined, { amount, currency }: BookedLine): boolean =>
  sent === undefined || (sent.amount === amount && sent.currency === currency)

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
