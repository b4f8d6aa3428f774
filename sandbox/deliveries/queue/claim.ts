import type { Claimed, Outbox } from '../../store/outbox.ts'

/** What there is room for. */
interface Room {
  /** By the sandbox's clock, in milliseconds. */
  readonly now: number
  /** How many attempts may begin. */
  readonly free: number
  /** The recipient of each attempt under way, once for each. */
  readonly busy: readonly string[]
}

/**
 * Takes up deliveries that are due, the longest due first, and says when to look again; undefined when only the end of
 * an attempt can make room. A recipient gets another attempt only while more room than it already takes up would be left
 * for others: one that hangs holds half of the room at most, the next one half of the rest, and the others go on.
 */
export function claim(
  box: Outbox,
  { now, free, busy }: Room,
): { claimed: Claimed[]; lookAgainAt: number | undefined } {
  const taken = new Map<string, number>()
  const takenBy = (recipient: string) => taken.get(recipient) ?? 0
  const occupy = (recipient: string) => taken.set(recipient, takenBy(recipient) + 1)
  for (const recipient of busy) occupy(recipient)

  let left = free
  const hasRoom = (recipient: string) => takenBy(recipient) < left
  const claimed: Claimed[] = []
  const due = box
    .waiting()
    .filter(({ recipient, firstDueAt }) => firstDueAt <= now && hasRoom(recipient))
    // Each attempt takes one of what is left, too: so many reach the half.
    .flatMap(({ recipient }) => box.due(recipient, now, Math.ceil((left - takenBy(recipient)) / 2)))
    .toSorted((a, b) => a.delivery.nextAttemptAt - b.delivery.nextAttemptAt)
  for (const one of due) {
    if (!hasRoom(one.recipient)) continue
    claimed.push(box.take(one))
    occupy(one.recipient)
    left -= 1
  }
  const next = box.waiting().filter(({ recipient }) => hasRoom(recipient))
  return { claimed, lookAgainAt: next.map(({ firstDueAt }) => firstDueAt).toSorted((a, b) => a - b)[0] }
}
