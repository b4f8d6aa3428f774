import type { Server } from 'node:http'
import type { ClosedConnection } from '@hookproof/receiver'
import {
  type AttemptOutcome,
  type DeliveryOutcome,
  type Inbox,
  type Overload,
  type ProcessingState,
  refusals,
} from '@hookproof/receiver'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface MetricsOptions {
  inbox: Pick<Inbox, 'depth'>
  overload: Pick<Overload, 'waiting' | 'heldBytes'>
  connections: { readonly size: number }
  /** Undefined before the processing starts. */
  processing: () => ProcessingState | undefined
  /** The current Unix time in milliseconds. */
  clock?: () => number
  /** How many lines the log could not write. */
  droppedLogLines?: () => number
}

/** The metrics of a receiver, for Prometheus. Label values never come from request data. */
export interface Metrics {
  /** Starts to measure how long the server takes to acknowledge a delivery. */
  measure(server: Server): void
  delivery(result: DeliveryOutcome): void
  attempt(result: AttemptOutcome): void
  connectionClosed(reason: ClosedConnection): void
  readonly contentType: string
  /** All metrics in the text format of Prometheus. Queries the inbox; if that fails, the inbox metrics are omitted. */
  render(): Promise<string>
  close(): void
}

/** In seconds: from an in-memory store to the timeout of a sender. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates the metrics of one receiver, together with those of its process. */
export function createMetrics({
  inbox,
  overload,
  connections,
  processing,
  clock = Date.now,
  droppedLogLines = () => 0,
}: MetricsOptions): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const deliveries = new Counter({
    name: 'hookproof_deliveries_total',
    help: 'Deliveries answered, by outcome: stored, duplicate or refused.',
    labelNames: ['outcome'],
    registers,
  })
  const refused = new Counter({
    name: 'hookproof_refusals_total',
    help: 'Deliveries refused, by code.',
    labelNames: ['code'],
    registers,
  })
  const acknowledgement = new Histogram({
    name: 'hookproof_acknowledgement_seconds',
    help: 'Time from the request headers to the end of the response, for acknowledged deliveries.',
    buckets: BUCKETS,
    registers,
  })
  const attempts = new Counter({
    name: 'hookproof_attempts_total',
    help: 'Attempts to handle an event, by outcome: handled, retry, dead or lost.',
    labelNames: ['outcome'],
    registers,
  })
  const storeFailures = new Counter({
    name: 'hookproof_store_failures_total',
    help: 'Store failures during processing.',
    registers,
  })
  const droppedLines = new Counter({
    name: 'hookproof_log_lines_dropped_total',
    help: 'Log lines that could not be written, for example because the disk is full.',
    registers,
  })
  const waiting = new Gauge({
    name: 'hookproof_deliveries_waiting',
    help: 'Deliveries waiting for the store.',
    registers,
  })
  const heldBytes = new Gauge({
    name: 'hookproof_held_bytes',
    help: 'Bytes of request bodies in memory.',
    registers,
  })
  const processingActive = new Gauge({
    name: 'hookproof_processing_active',
    help: '1 if this process handles events, 0 if another process does or the store fails.',
    registers,
  })
  const open = new Gauge({ name: 'hookproof_connections', help: 'Open connections.', registers })
  const closed = new Counter({
    name: 'hookproof_connections_closed_total',
    help: 'Connections closed because of a limit, by reason: idle, incomplete, unread, new or pipelined.',
    labelNames: ['reason'],
    registers,
  })
  const entries = new Gauge({
    name: 'hookproof_inbox_entries',
    help: 'Unfinished inbox entries, by state: pending, processing or dead.',
    labelNames: ['state'],
    registers,
  })
  const oldest = new Gauge({
    name: 'hookproof_inbox_oldest_pending_seconds',
    help: 'Age of the oldest pending entry; 0 if there is none.',
    registers,
  })
  const up = new Gauge({
    name: 'hookproof_store_up',
    help: '1 if the store answered the query for its unfinished entries, otherwise 0.',
    registers,
  })

  // Looked up once, because a lookup by label costs more than counting.
  const deliveriesBy = {
    stored: deliveries.labels('stored'),
    duplicate: deliveries.labels('duplicate'),
    refused: deliveries.labels('refused'),
  }
  const attemptsBy = {
    handled: attempts.labels('handled'),
    retry: attempts.labels('retry'),
    dead: attempts.labels('dead'),
    lost: attempts.labels('lost'),
  }
  for (const reason of ['idle', 'incomplete', 'unread', 'new', 'pipelined']) closed.labels(reason).inc(0)
  // All start at 0, so that the first event of each kind shows as an increase.
  for (const counter of [...Object.values(deliveriesBy), ...Object.values(attemptsBy)]) counter.inc(0)

  async function queryInbox(): Promise<void> {
    try {
      const { oldestPendingMs = 0, ...depth } = await inbox.depth(clock())
      for (const [state, count] of Object.entries(depth)) entries.labels(state).set(count)
      oldest.set(Math.max(0, oldestPendingMs) / 1000)
      up.set(1)
    } catch {
      entries.reset()
      oldest.remove()
      up.set(0)
    }
  }

  return {
    measure(server) {
      server.prependListener('request', (request, response) => {
        if (request.method !== 'POST') return
        const start = performance.now()
        response.once('finish', () => {
          if (response.statusCode === 200) acknowledgement.observe((performance.now() - start) / 1000)
        })
      })
    },
    delivery(result) {
      deliveriesBy[result.outcome].inc()
      if (result.outcome !== 'refused') return
      const { code } = result.error
      refused.labels(Object.hasOwn(refusals, code) ? code : 'other').inc()
    },
    attempt(result) {
      if (result.outcome === 'store_failed') storeFailures.inc()
      else if (result.outcome !== 'another_process') attemptsBy[result.outcome].inc()
    },
    connectionClosed: (reason) => closed.labels(reason).inc(),
    contentType: registry.contentType,
    async render() {
      waiting.set(overload.waiting)
      heldBytes.set(overload.heldBytes)
      open.set(connections.size)
      droppedLines.reset()
      droppedLines.inc(droppedLogLines())
      processingActive.set(processing() === 'active' ? 1 : 0)
      await queryInbox()
      return registry.metrics()
    },
    close: () => registry.clear(),
  }
}
