import type { Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AttemptOutcome } from '../receiver/attempt-outcome.ts'
import { refusals } from '../receiver/errors.ts'
import type { DeliveryOutcome } from '../receiver/handler.ts'
import type { Inbox } from '../receiver/inbox.ts'
import type { Overload } from '../receiver/overload.ts'

export interface MetricsOptions {
  inbox: Pick<Inbox, 'depth'>
  overload: Pick<Overload, 'waiting' | 'heldBytes'>
  /** Now, in milliseconds. */
  clock?: () => number
}

/** What a receiver counts, for Prometheus. No label has a value that a sender chose. */
export interface Metrics {
  /** Measures, from now on, how long the server takes to acknowledge. */
  measure(server: Server): void
  delivery(told: DeliveryOutcome): void
  attempt(told: AttemptOutcome): void
  readonly contentType: string
  /** All of it, as Prometheus reads it. The inbox is asked at this moment; its figures are absent if it fails. */
  render(): Promise<string>
  close(): void
}

/** In seconds: from a store in memory to a sender that gives up. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of one receiver, beside those of its process. */
export function createMetrics({ inbox, overload, clock = Date.now }: MetricsOptions): Metrics {
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
    help: 'From the head of a request to the end of its answer, for deliveries that were acknowledged.',
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
    help: 'How often the store failed while events were processed.',
    registers,
  })
  const waiting = new Gauge({
    name: 'hookproof_deliveries_waiting',
    help: 'Deliveries that wait for the store.',
    registers,
  })
  const heldBytes = new Gauge({
    name: 'hookproof_held_bytes',
    help: 'Bytes of bodies held by requests under way.',
    registers,
  })
  const entries = new Gauge({
    name: 'hookproof_inbox_entries',
    help: 'Entries of the inbox that are not done, by state: pending, processing or dead.',
    labelNames: ['state'],
    registers,
  })
  const oldest = new Gauge({
    name: 'hookproof_inbox_oldest_pending_seconds',
    help: 'Age of the oldest pending entry, 0 if there is none.',
    registers,
  })
  const up = new Gauge({
    name: 'hookproof_store_up',
    help: '1 if the store told how much waits in it, else 0.',
    registers,
  })

  // Looked up once: a look by label costs more than the counting.
  const answered = {
    stored: deliveries.labels('stored'),
    duplicate: deliveries.labels('duplicate'),
    refused: deliveries.labels('refused'),
  }
  const attempted = {
    handled: attempts.labels('handled'),
    retry: attempts.labels('retry'),
    dead: attempts.labels('dead'),
    lost: attempts.labels('lost'),
  }
  // All from 0, so that the first of a kind shows as an increase.
  for (const counter of [...Object.values(answered), ...Object.values(attempted)]) counter.inc(0)

  async function askInbox(): Promise<void> {
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
        const begun = performance.now()
        response.once('finish', () => {
          if (response.statusCode === 200) acknowledgement.observe((performance.now() - begun) / 1000)
        })
      })
    },
    delivery(told) {
      answered[told.outcome].inc()
      if (told.outcome !== 'refused') return
      const { code } = told.error
      refused.labels(Object.hasOwn(refusals, code) ? code : 'other').inc()
    },
    attempt(told) {
      if (told.outcome === 'store_failed') storeFailures.inc()
      else attempted[told.outcome].inc()
    },
    contentType: registry.contentType,
    async render() {
      waiting.set(overload.waiting)
      heldBytes.set(overload.heldBytes)
      await askInbox()
      return registry.metrics()
    },
    close: () => registry.clear(),
  }
}
