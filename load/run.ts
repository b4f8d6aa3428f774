import { createHistogram, performance } from 'node:perf_hooks'
import type { Address } from './address.ts'
import { type Connection, openConnection } from './connection.ts'
import { type RenderedDelivery, renderPool } from './request.ts'

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
  readonly seed: string
  /** Ends the run early. */
  readonly signal?: AbortSignal
}

/** The result of a run. Latencies are in milliseconds. */
export interface LoadResult {
  readonly seconds: number
  readonly answered: number
  readonly perSecond: number
  /** How many deliveries repeated an event. */
  readonly repeated: number
  readonly latency: { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number }
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Number of deliveries without a response, by reason. */
  readonly errors: Readonly<Record<string, number>>
}

/** The pause before a connection sends again after a loss. */
const PAUSE_AFTER_LOSS_MS = 50

/**
 * Sends individually signed deliveries for the duration, then waits for outstanding responses. With a rate, latency
 * counts from when a delivery was due, so that a stalled receiver cannot hide it by receiving less.
 */
export function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { connections, durationMs, rate, signal } = options
  const tally = createTally()
  const started = performance.now()
  const end = started + durationMs
  const due = (now: number) => (rate === undefined ? now : started + (tally.sent() / rate) * 1000)
  const idle: Sender[] = []
  let timer: NodeJS.Timeout | undefined
  let open = connections

  return new Promise((resolve) => {
    /** An idle sender sends, waits for its turn, or is done. */
    function ready(sender: Sender): void {
      const now = performance.now()
      const at = due(now)
      if (at >= end || now >= end || signal?.aborted) {
        sender.close()
        open -= 1
        if (open === 0) finish(now)
      } else if (at <= now) sender.send(at)
      else {
        idle.push(sender)
        timer ??= setTimeout(wake, at - now)
      }
    }

    function wake(): void {
      timer = undefined
      for (const sender of idle.splice(0)) ready(sender)
    }

    function finish(now: number): void {
      signal?.removeEventListener('abort', wake)
      resolve(tally.result((now - started) / 1000))
    }

    signal?.addEventListener('abort', wake)
    for (let count = 0; count < connections; count += 1) ready(createSender(options, tally, ready))
  })
}

interface Sender {
  /** Sends a delivery that was due at this time of `performance.now()`. */
  send(dueAt: number): void
  close(): void
}

/** One connection with its own pool of deliveries, sent in turn. */
function createSender(options: LoadOptions, tally: Tally, ready: (sender: Sender) => void): Sender {
  const { url, address, timeoutMs, duplicates } = options
  const pool = renderPool(options)
  let turn = 0
  let dueAt = 0
  let last: RenderedDelivery | undefined

  const connection: Connection = openConnection({
    address,
    serverName: url.protocol === 'https:' ? url.hostname : undefined,
    timeoutMs,
    onResponse(status) {
      tally.answered(status, performance.now() - dueAt)
      ready(sender)
    },
    onLost(reason) {
      tally.lost(reason)
      setTimeout(ready, PAUSE_AFTER_LOSS_MS, sender)
    },
  })

  function next(): RenderedDelivery {
    const repeats = last !== undefined && Math.random() < duplicates
    tally.sending(repeats)
    if (last !== undefined && repeats) return last
    const [first] = pool
    const delivery = pool[turn++ % pool.length] ?? first
    if (delivery === undefined) throw new RangeError('the pool of deliveries is empty')
    delivery.renew()
    return delivery
  }

  const sender: Sender = {
    send(at) {
      dueAt = at
      last = next()
      last.sign(Math.floor(Date.now() / 1000))
      connection.send(last.bytes)
    },
    close: () => connection.close(),
  }
  return sender
}

type Tally = ReturnType<typeof createTally>

function createTally() {
  const latency = createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 3 })
  const statuses = new Map<string, number>()
  const errors = new Map<string, number>()
  let sent = 0
  let repeated = 0
  let answered = 0
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const milliseconds = (microseconds: number) => (answered === 0 ? 0 : microseconds / 1000)

  return {
    sent: () => sent,
    sending(repeats: boolean) {
      sent += 1
      if (repeats) repeated += 1
    },
    answered(status: number, ms: number) {
      answered += 1
      count(statuses, String(status))
      latency.record(Math.max(1, Math.round(ms * 1000)))
    },
    lost: (reason: string) => void count(errors, reason),
    result: (seconds: number): LoadResult => ({
      seconds,
      answered,
      perSecond: answered / seconds,
      repeated,
      latency: {
        p50: milliseconds(latency.percentile(50)),
        p90: milliseconds(latency.percentile(90)),
        p99: milliseconds(latency.percentile(99)),
        max: milliseconds(latency.max),
      },
      statuses: Object.fromEntries(statuses),
      errors: Object.fromEntries(errors),
    }),
  }
}
