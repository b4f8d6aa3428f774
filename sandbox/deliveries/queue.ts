import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '../model.ts'
import type { Clock, Feed } from '../ports.ts'
import { type Claimed, type Outbox, outbox } from '../store/deliveries.ts'
import type { Store } from '../store/store.ts'
import { type Ack, attemptOf, SCHEDULES, settlementOf } from './schedule.ts'
import { type Exchange, type Sender, sendClaimed, unsent } from './sender.ts'

export interface QueueOptions {
  readonly store: Pick<Store, 'database' | 'transaction'>
  readonly clock: Clock
  readonly sender: Sender
  readonly feed?: Pick<Feed, 'publish'> | undefined
  readonly ack?: Ack | undefined
  readonly schedule?: readonly number[] | undefined
  /** The most attempts at once, by default 32; a single recipient gets at most half of them. */
  readonly concurrency?: number | undefined
  readonly random?: (() => number) | undefined
  /** How long running attempts may take to finish when the queue closes, in milliseconds. */
  readonly closeWithinMs?: number | undefined
  /** How long to wait after the store could not be written, in milliseconds, by default 1000. */
  readonly storeRetryMs?: number | undefined
  readonly isPaused?: ((delivery: Delivery) => boolean) | undefined
  /** Receives the error when the store cannot be written; the queue tries again. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

export type Queue = ReturnType<typeof startQueue>

interface Running {
  readonly claimed: Claimed
  readonly startedAt: number
  readonly abort: AbortController
  aborted: 'cancelled' | 'interrupted' | undefined
  exchange: Exchange | undefined
}

/** Timers are late after a laptop sleeps, so the queue looks again at least this often, in milliseconds. */
const LONGEST_SLEEP = 30_000

/**
 * Starts the queue (interface 4.8): each delivery is sent at least once, even if the process dies at any moment.
 * Deliveries that were in flight then are sent again. Recording attempts and claiming the next share one transaction.
 */
export function startQueue(options: QueueOptions) {
  const { store, clock, sender, feed, ack = '2xx', schedule = SCHEDULES.fast, concurrency = 32 } = options
  const { random = Math.random, closeWithinMs = 2000, storeRetryMs = 1000, onFailure = () => {} } = options
  const { isPaused = () => false } = options
  const box = outbox(store.database)
  const running = new Map<string, Running>()
  let state: 'open' | 'stopping' | 'paused' | 'closed' = 'open'
  let scheduled = false
  let timer: NodeJS.Timeout | undefined
  const waiting: (() => void)[] = []

  const changed = (id: string) => feed?.publish({ kind: 'delivery', id })

  /** Schedules one turn for everything that happens in the current one. */
  function soon(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(turn)
  }

  function turn(): void {
    scheduled = false
    clearTimeout(timer)
    const ended = [...running.values()].filter(({ exchange }) => exchange !== undefined)
    const busy = [...running.values()].filter(({ exchange }) => exchange === undefined)
    const free = state === 'open' ? concurrency - busy.length : 0
    if (ended.length === 0 && free === 0) return
    let next: ReturnType<typeof claim>
    try {
      next = store.transaction(() => {
        for (const attempt of ended) settle(attempt)
        const recipients = busy.map(({ claimed }) => claimed.recipient)
        return claim(box, { now: clock.now(), free, busy: recipients, isPaused })
      })
    } catch (error) {
      onFailure(error)
      if (state === 'open') timer = setTimeout(soon, storeRetryMs)
      return
    }
    for (const { claimed } of ended) running.delete(claimed.delivery.id)
    next.claimed.forEach(start)
    sleep(next.lookAgainAt)
    for (const { claimed } of ended) changed(claimed.delivery.id)
    for (const { delivery } of next.claimed) changed(delivery.id)
    next.stopped.forEach(changed)
  }

  function settle({ claimed, startedAt, aborted: requested, exchange }: Running): void {
    if (exchange === undefined) return
    const { delivery, failures, secret } = claimed
    const [now, wall] = [clock.now(), clock.wall()]
    const aborted = secret === null ? 'cancelled' : requested
    const settlement = settlementOf({ exchange, ack, failures, schedule, random, aborted, now, wall })
    const attempt = { deliveryId: delivery.id, number: delivery.attempts, startedAt }
    box.settle(attemptOf(exchange, attempt), settlement, now)
  }

  function start(claimed: Claimed): void {
    const abort = new AbortController()
    const attempt = { claimed, startedAt: clock.now(), abort, aborted: undefined, exchange: undefined }
    running.set(claimed.delivery.id, attempt)
    void carryOut(attempt)
  }

  async function carryOut(attempt: Running): Promise<void> {
    const { claimed, abort } = attempt
    attempt.exchange = await sendClaimed(claimed, { sender, wall: clock.wall(), signal: abort.signal })
    soon()
  }

  function sleep(next: number | undefined): void {
    if (state !== 'open') return
    const now = clock.now()
    if (running.size === 0 && (next === undefined || next > now)) {
      for (const wakeUp of waiting.splice(0)) wakeUp()
    }
    if (next === undefined) return
    timer = setTimeout(soon, Math.min(Math.max(0, next - now), LONGEST_SLEEP))
  }

  function abortAttempt(attempt: Running, why: 'cancelled' | 'interrupted'): void {
    attempt.aborted ??= why
    attempt.abort.abort()
  }

  /** Waits for running attempts, aborts those that take too long, and records all of them. */
  async function stop(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs
    const unfinished = () => [...running.values()].filter(({ exchange }) => exchange === undefined)
    while (unfinished().length > 0) {
      if (performance.now() >= deadline)
        for (const attempt of unfinished()) abortAttempt(attempt, 'interrupted')
      await pause(5)
    }
    turn()
    clearTimeout(timer)
    for (const wakeUp of waiting.splice(0)) wakeUp()
  }

  store.transaction(() => recover(box, clock.now()))
  soon()

  return {
    /** Call it after queuing deliveries or advancing the clock. */
    wake() {
      if (state === 'paused') state = 'open'
      if (state === 'open') soon()
    },
    /** Aborts deliveries in flight to a deleted endpoint. Interface 4.4. */
    endpointDeleted(endpointId: string) {
      for (const attempt of running.values()) {
        if (attempt.claimed.delivery.endpointId === endpointId) abortAttempt(attempt, 'cancelled')
      }
    },
    /** Attempts a pending delivery now. @returns false if it is not pending */
    retryNow(id: string) {
      const isPending = box.makeDue(id, clock.now())
      if (isPending) soon()
      return isPending
    },
    /** Cancels a delivery that is pending, paused or in flight. @returns false if it is none of them */
    cancel(id: string) {
      const attempt = running.get(id)
      if (attempt !== undefined) abortAttempt(attempt, 'cancelled')
      const cancelled = box.cancel(id, clock.now())
      if (cancelled) changed(id)
      return cancelled || attempt !== undefined
    },
    /** Resolves when nothing is in flight or due. */
    idle: () =>
      new Promise<void>((resolve) => {
        if (state === 'closed') return resolve()
        waiting.push(resolve)
        soon()
      }),
    /** Aborts everything before a reset; resolves when nothing uses the store. */
    async drop() {
      if (state === 'open') state = 'stopping'
      await stop(0)
      if (state === 'stopping') state = 'paused'
    },
    /** Stops permanently; resolves when nothing uses the store. */
    async close() {
      state = 'closed'
      await stop(closeWithinMs)
    },
  }
}

/**
 * Claims due deliveries, earliest due first, and returns when to look again: undefined if only the end of an attempt can
 * free capacity. A recipient gets another attempt only while the free capacity exceeds what it already uses. So one that
 * hangs holds at most half of the capacity, a second one half of the rest, and the others continue. Due deliveries to a
 * recipient that is away are paused instead, and those to a deleted endpoint are canceled.
 * @param room free: how many attempts may start; busy: the recipient of each running attempt, with repetitions
 */
export function claim(
  box: Outbox,
  {
    now,
    free,
    busy,
    isPaused,
  }: { now: number; free: number; busy: readonly string[]; isPaused: (delivery: Delivery) => boolean },
) {
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
    // Its endpoint was deleted while it was in flight, before the sandbox was killed.
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
    .filter((time) => time !== undefined)
  const first = next.reduce((earliest, time) => Math.min(earliest, time), Infinity)
  return { claimed, stopped, lookAgainAt: first === Infinity ? undefined : first }
}

/** Requeues deliveries that were in flight when the process died: they may or may not have arrived, so they are sent again. */
function recover(box: Outbox, now: number): void {
  for (const delivery of box.inFlight()) {
    const { id, attempts, nextAttemptAt } = delivery
    const stopped = unsent('aborted', 'the sandbox stopped before a response arrived')
    const attempt = attemptOf(stopped, { deliveryId: id, number: attempts, startedAt: nextAttemptAt })
    box.settle(attempt, { state: 'pending', nextAttemptAt: now }, now)
  }
}
