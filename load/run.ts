import { type Address, connectTo, openConnection, type TlsOptions } from './connection.ts'
import { type RenderedDelivery, renderPool, type Template } from './request.ts'
import { createSchedule } from './schedule.ts'
import { createTally, type LoadResult, type Tally } from './tally.ts'

export type { LoadResult } from './tally.ts'

export interface LoadOptions {
  readonly url: URL
  readonly address: Address
  readonly secret: string
  readonly signatureHeader: string
  readonly headers: readonly (readonly [string, string])[]
  readonly connections: number
  readonly durationMs: number
  /** Deliveries per second over all connections; without it, each connection sends the next one after a response. */
  readonly rate?: number | undefined
  /** The share of deliveries that repeat an event with a new signature, from 0 to 1. */
  readonly duplicates: number
  /** How long a response may take, in milliseconds. */
  readonly timeoutMs: number
  /** Which certificates to trust. */
  readonly tls?: TlsOptions
  readonly seed: string
  /** The deliveries of another service than the payment service. */
  readonly templates?: readonly Template[] | undefined
  /** Ends the run early. */
  readonly signal?: AbortSignal
}

/** No receiver needs as much to acknowledge a delivery. */
const MOST_BODY_BYTES = 1024 * 1024

/** The pause before a connection sends again after a loss. */
const PAUSE_AFTER_LOSS_MS = 50

/**
 * Sends individually signed deliveries for the duration, then waits for outstanding responses.
 *
 * With a rate, latency counts from when a delivery was due, so that a stalled receiver cannot hide it by receiving less
 * (coordinated omission); while a connection was free, it counts from when the delivery was sent, because only the timer of
 * this process was late. Deliveries that are late at the end are still sent, for as long as a response may take. Without a
 * rate, no delivery is due at any time: latency counts from when it is sent, without a correction.
 */
export function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { connections, durationMs, rate, timeoutMs, signal } = options
  const tally = createTally()
  const idle: Sender[] = []
  let open = connections
  let timer: NodeJS.Timeout | undefined
  /** Since when a connection has been free, unless none is. */
  let freeSince = 0

  return new Promise((resolve) => {
    // Before the start, because rendering the deliveries takes time.
    const senders = Array.from({ length: connections }, () => createSender(options, tally, ready))
    const startedAt = new Date()
    const started = performance.now()
    const schedule = createSchedule({ started, durationMs, rate, graceMs: timeoutMs })

    /** Sends what is due over idle connections, and waits for what is due next. */
    function proceed(): void {
      clearTimeout(timer)
      for (let sender = idle.shift(); sender !== undefined; sender = idle.shift()) {
        const now = performance.now()
        const dueAt = schedule.next(now)
        if (dueAt === undefined) {
          sender.close()
          open -= 1
          if (open === 0) finish(now)
        } else if (dueAt <= now) {
          schedule.sent()
          sender.send(freeSince > dueAt ? dueAt : now)
        } else {
          idle.unshift(sender)
          timer = setTimeout(proceed, dueAt - now)
          return
        }
      }
    }

    function ready(sender: Sender): void {
      if (idle.length === 0) freeSince = performance.now()
      idle.push(sender)
      proceed()
    }

    function stop(): void {
      // If a connection is free, no delivery is late.
      if (idle.length > 0) schedule.stop()
      else schedule.stop(performance.now())
      proceed()
    }

    function finish(now: number): void {
      signal?.removeEventListener('abort', stop)
      resolve(tally.result(startedAt, (now - started) / 1000, schedule.unsent()))
    }

    signal?.addEventListener('abort', stop)
    if (signal?.aborted) schedule.stop()
    for (const sender of senders) ready(sender)
  })
}

interface Sender {
  /** Sends a delivery whose latency counts from this time of `performance.now()`. */
  send(since: number): void
  close(): void
}

/** One connection with its own pool of deliveries, sent in turn. */
function createSender(options: LoadOptions, tally: Tally, ready: (sender: Sender) => void): Sender {
  const { url, address, timeoutMs, duplicates } = options
  const pool = renderPool(options)
  let turn = 0
  let since = 0
  let last: RenderedDelivery | undefined

  const connection = openConnection({
    connect: () => connectTo(address, url.protocol === 'https:' ? url.hostname : undefined, options.tls),
    timeoutMs,
    mostBytes: MOST_BODY_BYTES,
    onResponse({ status }) {
      tally.answered(status, performance.now() - since)
      ready(sender)
    },
    onLost(reason) {
      tally.lost(reason)
      setTimeout(ready, PAUSE_AFTER_LOSS_MS, sender)
    },
  })

  function next(): RenderedDelivery {
    const repeats = last !== undefined && Math.random() < duplicates
    if (last !== undefined && repeats) {
      tally.repeats()
      return last
    }
    const [first] = pool
    const delivery = pool[turn++ % pool.length] ?? first
    if (delivery === undefined) throw new RangeError('the pool of deliveries is empty')
    delivery.renew()
    return delivery
  }

  const sender: Sender = {
    send(from) {
      since = from
      last = next()
      last.sign(Math.floor(Date.now() / 1000))
      connection.send(last.bytes)
    },
    close: () => connection.close(),
  }
  return sender
}
