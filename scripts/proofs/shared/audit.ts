import { formatCount } from '../../shared/numbers.ts'
import type { Receiver } from './receiver.ts'
import type { SentEvent } from './traffic.ts'

/** An event in the inbox. */
export interface StoredEvent {
  readonly paymentId: string
  readonly event: string
  readonly state: 'open' | 'done' | 'dead'
}

/** An entry of the ledger. */
export interface LedgerEntry {
  readonly paymentId: string
  readonly effect: string
  readonly amount: string
  readonly currency: string
}

/** What the database of a receiver contains; entries are in the order in which they were written. */
export interface StoredState {
  readonly events: readonly StoredEvent[]
  readonly entries: readonly LedgerEntry[]
}

/** Where receivers keep their events, as a proof reads it. */
export interface Store {
  storedState(): Promise<StoredState>
  /** Waits until every event is processed. @returns how many are still open after its time limit */
  waitUntilProcessed(): Promise<number>
  /** What the store itself finds wrong with its files. */
  problems(): string[]
}

export interface Audit {
  readonly acknowledged: number
  readonly stored: number
  readonly effects: number
  readonly lost: number
  readonly duplicated: number
  /** Everything that is wrong, one line each. */
  readonly violations: readonly string[]
}

/**
 * Compares what a receiver stored, after it has processed everything, with what was sent. Each acknowledged event must
 * be stored once and be processed; each payment must have the effects of its stored events, once and for the right
 * amount; and there must be nothing else.
 */
export function audit(sent: readonly SentEvent[], { events, entries }: StoredState): Audit {
  const lost: string[] = []
  const duplicated: string[] = []
  const unexpected: string[] = []
  const stored = groupBy(events, keyOf)
  const sentByKey = new Map(sent.map((event) => [keyOf(event), event]))

  for (const event of sent) {
    const key = keyOf(event)
    const copies = stored.get(key) ?? []
    if (event.acknowledged && copies.length === 0)
      lost.push(`lost: ${key} was acknowledged and is not in the inbox`)
    if (copies.length > 1) duplicated.push(`duplicated: ${key} is in the inbox ${copies.length} times`)
    for (const { state } of copies) {
      if (state !== 'done') lost.push(`lost: ${key} is in the inbox but was not processed (${state})`)
    }
  }
  for (const key of stored.keys())
    if (!sentByKey.has(key)) unexpected.push(`unexpected: ${key} was never sent`)

  const entriesByPayment = groupBy(entries, ({ paymentId }) => paymentId)
  for (const paymentId of new Set([...sentByKey.values()].map(({ paymentId }) => paymentId))) {
    const completed = storedEvent('payment.completed', paymentId)
    const refunded = storedEvent('payment.refunded', paymentId)
    const found = entriesByPayment.get(paymentId) ?? []
    const fulfilled = found.filter(({ effect }) => effect === 'fulfilled')
    const reversed = found.filter(({ effect }) => effect === 'reversed')
    if (fulfilled.length > 1)
      duplicated.push(`duplicated: ${paymentId} was fulfilled ${fulfilled.length} times`)
    if (reversed.length > 1) duplicated.push(`duplicated: ${paymentId} was reversed ${reversed.length} times`)
    if (completed && !refunded && fulfilled.length === 0) lost.push(`lost: ${paymentId} was not fulfilled`)
    if (refunded && reversed.length === 0) lost.push(`lost: ${paymentId} was not reversed`)
    if (!completed && fulfilled.length > 0)
      unexpected.push(`unexpected: ${paymentId} was fulfilled without an event`)
    if (!refunded && reversed.length > 0)
      unexpected.push(`unexpected: ${paymentId} was reversed without an event`)
    if (found.length > 1 && found.at(-1)?.effect === 'fulfilled') {
      unexpected.push(`unexpected: ${paymentId} was fulfilled after it was reversed`)
    }
    for (const entry of fulfilled)
      if (!hasAmountOf(completed, entry)) unexpected.push(`unexpected: ${paymentId} has a wrong amount`)
    for (const entry of reversed)
      if (!hasAmountOf(refunded, entry)) unexpected.push(`unexpected: ${paymentId} has a wrong amount`)
    entriesByPayment.delete(paymentId)
  }
  for (const paymentId of entriesByPayment.keys())
    unexpected.push(`unexpected: an effect of ${paymentId}, which was never sent`)

  /** The event as it was sent, if it was stored. */
  function storedEvent(event: string, paymentId: string): SentEvent | undefined {
    const key = keyOf({ event, paymentId })
    return stored.has(key) ? sentByKey.get(key) : undefined
  }

  return {
    acknowledged: sent.filter(({ acknowledged }) => acknowledged).length,
    stored: events.length,
    effects: entries.length,
    lost: lost.length,
    duplicated: duplicated.length,
    violations: [...lost, ...duplicated, ...unexpected],
  }
}

/** Stops receivers that have processed everything, and compares what they stored with what was sent. */
export async function stopAndAudit(
  receivers: readonly Pick<Receiver, 'stop' | 'stderr'>[],
  store: Store,
  sent: readonly SentEvent[],
): Promise<Audit> {
  const open = await store.waitUntilProcessed()
  const violations = open > 0 ? [`${open} events were still open long after the last delivery`] : []
  for (const receiver of receivers) {
    const code = await receiver.stop()
    if (code !== 0) violations.push(`the receiver exited with code ${code}: ${receiver.stderr().trim()}`)
  }
  const result = audit(sent, await store.storedState())
  return { ...result, violations: [...violations, ...result.violations, ...store.problems()] }
}

/** The rows of the page that say what became of the events. */
export const auditFigures = (name: string, result: Audit): [string, string][] => [
  [`${name}: events acknowledged`, formatCount(result.acknowledged)],
  [`${name}: events stored`, formatCount(result.stored)],
  [`${name}: effects`, formatCount(result.effects)],
  [`${name}: lost`, String(result.lost)],
  [`${name}: duplicated`, String(result.duplicated)],
]

/** A violation if too little was acknowledged between the kills: such a run proves nothing. */
export const tooFewAcknowledged = ({ acknowledged }: Audit, kills: number): string[] =>
  acknowledged >= 10 * kills
    ? []
    : [`only ${acknowledged} events were acknowledged over ${kills} kills: too few for a proof`]

const keyOf = ({ paymentId, event }: { paymentId: string; event: string }): string => `${paymentId} ${event}`

const hasAmountOf = (sent: SentEvent | undefined, { amount, currency }: LedgerEntry): boolean =>
  sent === undefined || (sent.amount === amount && sent.currency === currency)

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
