import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, Deliverer, Feed } from '../../ports.ts'
import { type Claimed, outbox } from '../../store/outbox.ts'
import type { Store } from '../../store/store.ts'
import { sendClaimed } from '../attempt/send-claimed.ts'
import type { Exchange, Sender } from '../attempt/sender.ts'
import { claim } from './claim.ts'
import { type Ack, attemptOf, settlementOf } from './outcome.ts'
import { takeUp } from './recover.ts'
import { SCHEDULES } from './schedule.ts'

export interface QueueOptions {
  readonly store: Pick<Store, 'database' | 'transaction'>
  readonly clock: Clock
  readonly sender: Sender
  readonly feed?: Pick<Feed, 'publish'> | undefined
  readonly ack?: Ack | undefined
  /** The waits between attempts, in milliseconds. */
  readonly waits?: readonly number[] | undefined
  /** How many attempts may be under way at once; to one recipient it is half of them. */
  readonly concurrency?: number | undefined
  /** Draws from 0 up to 1. */
  readonly random?: (() => number) | undefined
  /** How long attempts under way may take to end when it is closed, in milliseconds. */
  readonly closeWithinMs?: number | undefined
  /** Told when the store can not be written; the queue tries again. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** The queue of deliveries at work. */
export interface Queue extends Deliverer {
  /** Tries one that waits at once. @returns false when it does not wait */
  retryNow(deliveryId: string): boolean
  /** Ends one that waits or is in flight. @returns false when it is neither */
  cancel(deliveryId: string): boolean
  /** Returns when nothing is in flight and nothing is due. */
  idle(): Promise<void>
}

/** An attempt under way, or ended and not yet written down. */
interface Running {
  readonly claimed: Claimed
  readonly startedAt: number
  readonly abort: AbortController
  broken: 'cancelled' | 'interrupted' | undefined
  exchange: Exchange | undefined
}

/** A laptop that slept has timers that are late: look again after so many milliseconds. */
const LONGEST_SLEEP = 30_000

/** When the store can not be written, in milliseconds. */
const STORE_AGAIN_AFTER = 1000

/**
 * Starts the queue over the store (interface 4.8): each delivery is sent at least once, whenever the process dies. What
 * was in flight when it died last is taken up again. Ends of attempts and the next claims share one transaction.
 */
export function startQueue(options: QueueOptions): Queue {
  const { store, clock, sender, feed, ack = '2xx', waits = SCHEDULES.fast, concurrency = 32 } = options
  const { random = Math.random, closeWithinMs = 2000, onFailure = () => {} } = options
  const box = outbox(store.database)
  const running = new Map<string, Running>()
  let state: 'open' | 'stopping' | 'paused' | 'closed' = 'open'
  let turnComes = false
  let timer: NodeJS.Timeout | undefined
  const waiting: (() => void)[] = []

  const changed = (id: string) => feed?.publish({ kind: 'delivery', id })

  /** Puts a turn after what is going on now, so that one turn serves many. */
  function soon(): void {
    if (turnComes) return
    turnComes = true
    setImmediate(turn)
  }

  function turn(): void {
    turnComes = false
    clearTimeout(timer)
    const ended = [...running.values()].filter(({ exchange }) => exchange !== undefined)
    const busy = [...running.values()].filter(({ exchange }) => exchange === undefined)
    const free = state === 'open' ? concurrency - busy.length : 0
    if (ended.length === 0 && free === 0) return
    let found: ReturnType<typeof claim>
    try {
      found = store.transaction(() => {
        for (const one of ended) settle(one)
        return claim(box, { now: clock.now(), free, busy: busy.map(({ claimed }) => claimed.recipient) })
      })
    } catch (error) {
      onFailure(error)
      if (state === 'open') timer = setTimeout(soon, STORE_AGAIN_AFTER)
      return
    }
    for (const { claimed } of ended) running.delete(claimed.delivery.id)
    found.claimed.forEach(begin)
    sleep(found.lookAgainAt)
    for (const { claimed } of ended) changed(claimed.delivery.id)
    for (const { delivery } of found.claimed) changed(delivery.id)
  }

  function settle({ claimed, startedAt, broken, exchange }: Running): void {
    if (exchange === undefined) return
    const { delivery, failures, secret } = claimed
    const [now, wall] = [clock.now(), clock.wall()]
    const why = secret === null ? 'cancelled' : broken
    const settlement = settlementOf({ exchange, ack, failures, waits, random, broken: why, now, wall })
    const attempt = { deliveryId: delivery.id, number: delivery.attempts, startedAt }
    box.settle(attemptOf(exchange, attempt), settlement, now)
  }

  function begin(claimed: Claimed): void {
    const abort = new AbortController()
    const one: Running = { claimed, startedAt: clock.now(), abort, broken: undefined, exchange: undefined }
    running.set(claimed.delivery.id, one)
    void carryOut(one)
  }

  async function carryOut(one: Running): Promise<void> {
    one.exchange = await sendClaimed(one.claimed, { sender, wall: clock.wall(), signal: one.abort.signal })
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

  function breakOff(one: Running, why: 'cancelled' | 'interrupted'): void {
    one.broken ??= why
    one.abort.abort()
  }

  /** Lets attempts under way end for so long, breaks off the rest, and writes down what became of them. */
  async function stop(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs
    const unended = () => [...running.values()].filter(({ exchange }) => exchange === undefined)
    while (unended().length > 0) {
      if (performance.now() >= deadline) for (const one of unended()) breakOff(one, 'interrupted')
      await pause(5)
    }
    turn()
    clearTimeout(timer)
    for (const wakeUp of waiting.splice(0)) wakeUp()
  }

  store.transaction(() => takeUp(box, clock.now()))
  soon()

  return {
    wake() {
      if (state === 'paused') state = 'open'
      if (state === 'open') soon()
    },
    endpointDeleted(endpointId) {
      for (const one of running.values()) {
        if (one.claimed.delivery.endpointId === endpointId) breakOff(one, 'cancelled')
      }
    },
    retryNow(id) {
      const waits = box.makeDue(id, clock.now())
      if (waits) soon()
      return waits
    },
    cancel(id) {
      const one = running.get(id)
      if (one !== undefined) breakOff(one, 'cancelled')
      const cancelled = box.cancel(id, clock.now())
      if (cancelled) changed(id)
      return cancelled || one !== undefined
    },
    idle: () =>
      new Promise((resolve) => {
        if (state === 'closed') return resolve()
        waiting.push(resolve)
        soon()
      }),
    async drop() {
      if (state === 'open') state = 'stopping'
      await stop(0)
      if (state === 'stopping') state = 'paused'
    },
    async close() {
      state = 'closed'
      await stop(closeWithinMs)
    },
  }
}
