import type { Delivery } from '../../model.ts'
import type { Claimed, Outbox } from '../../store/outbox.ts'

/** The capacity for new attempts. */
interface Room {
  /** The sandbox's time, in milliseconds. */
  readonly now: number
  /** How many attempts may start. */
  readonly free: number
  /** The recipient of each running attempt, with repetitions. */
  readonly busy: readonly string[]
  /** Whether a delivery must wait until its recipient is back. */
  readonly isPaused: (delivery: Delivery) => boolean
}

/**
 * Claims due deliveries, earliest due first, and returns when to look again: undefined if only the end of an attempt can
 * free capacity. A recipient gets another attempt only while the free capacity exceeds what it already uses. So one that
 * hangs holds at most half of the capacity, a second one half of the rest, and the others continue. Due deliveries to a
 * recipient that is away are paused instead, and those to a deleted endpoint are canceled.
 */
export function claim(
  box: Outbox,
  { now, free, busy, isPaused }: Room,
): { claimed: Claimed[]; stopped: string[]; lookAgainAt: number | undefined } {
  const taken = new Map<string, number>()
  const takenBy = (recipient: string) => taken.get(recipient) ?? 0
  const occupy = (recipient: string) => taken.set(recipient, takenBy(recipient) + 1)
  for (const recipient of busy) occupy(recipient)

  let left = free
  const hasRoom = (recipient: string) => takenBy(recipient) < left
  const claimed: Claimed[] = []
  const stopped: string[] = []
  const waiting = box.waiting()
  const due = waiting
    .filter(({ recipient, firstDueAt }) => firstDueAt <= now && hasRoom(recipient))
    .toSorted((a, b) => a.firstDueAt - b.firstDueAt)
    // Each of them has a delivery that is due before those of any other recipient.
    .slice(0, free)
    // Each attempt also reduces the free capacity, so this many reach the limit.
    .flatMap(({ recipient }) => box.due(recipient, now, Math.ceil((left - takenBy(recipient)) / 2)))
    .toSorted((a, b) => a.delivery.nextAttemptAt - b.delivery.nextAttemptAt)
  for (const candidate of due) {
    const { id } = candidate.delivery
    // Its endpoint was deleted, and the others are canceled between other work.
    if (candidate.secret === null) {
      box.cancel(id, now)
      stopped.push(id)
      continue
    }
    if (isPaused(candidate.delivery)) {
      box.pause(id)
      stopped.push(id)
      continue
    }
    if (!hasRoom(candidate.recipient)) continue
    claimed.push(box.take(candidate))
    occupy(candidate.recipient)
    left -= 1
  }
  const seen = new Set(due.map(({ recipient }) => recipient))
  const next = waiting
    .filter(({ recipient }) => hasRoom(recipient))
    .map(({ recipient, firstDueAt }) => (seen.has(recipient) ? box.firstDueAt(recipient) : firstDueAt))
  return {
    claimed,
    stopped,
    lookAgainAt: earliest(next),
  }
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined
  for (const time of times) {
    if (time !== undefined && (first === undefined || time < first)) first = time
  }
  return first
}
