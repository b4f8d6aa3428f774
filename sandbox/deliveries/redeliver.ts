import { setImmediate as nextTurn } from 'node:timers/promises'
import { inBatches, MOST_ITEMS } from '../batches.ts'
import { newId } from '../ids.ts'
import type { Clock } from '../ports.ts'
import { outbox } from '../store/deliveries.ts'
import { type Resendable, type ResendBatch } from '../store/resends.ts'
import type { Store } from '../store/store.ts'
import type { Queue } from './queue.ts'

/** A delivery cannot be resent; the message says why. */
export class RedeliveryError extends Error {
  override readonly name = 'RedeliveryError'
  readonly code: 'no_such_delivery' | 'endpoint_deleted'

  constructor(code: RedeliveryError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const LISTED = 5

function batchesOf(ids: readonly string[], isRetry: boolean): ResendBatch[] {
  return Array.from({ length: Math.ceil(ids.length / MOST_ITEMS) }, (_, index) => ({
    deliveries: ids.slice(index * MOST_ITEMS, (index + 1) * MOST_ITEMS),
    isRetry,
  }))
}

/**
 * Manual resends: each creates a new delivery, so that the old one keeps its record. It goes on with those that were not
 * finished.
 */
export function redelivery(parts: {
  store: Store
  clock: Clock
  queue: Pick<Queue, 'wake' | 'retryNow'>
  onFailure: (error: unknown) => void
}) {
  const { store, clock, queue, onFailure } = parts
  const box = outbox(store.database)
  const stop = new AbortController()
  let isRunning = false

  /** Queues one batch. @returns whether there may be more */
  function queueBatch(): boolean {
    const batch = store.resends.nextBatch(store.deliveries.last())
    if (batch === undefined) return false
    const { deliveries, isRetry } = batch
    const again = isRetry
      ? queue.retryNow
      : (id: string) => box.resend(id, { id: newId('dlv_'), now: clock.now() })
    const done = deliveries.filter((id) => again(id)).length
    store.resends.endBatch(batch, isRetry ? 0 : done)
    return true
  }

  async function goOn(): Promise<void> {
    if (isRunning) return
    isRunning = true
    await inBatches(
      () => {
        const isMore = store.transaction(queueBatch)
        queue.wake()
        return isMore
      },
      { signal: stop.signal, onFailure },
    )
    isRunning = false
  }

  store.resends.deleteUnlisted()
  void goOn()
  return {
    /**
     * Resends a delivery to the same recipient: the same bytes, or an edited body, with a new `t` and without chaos.
     * @throws RedeliveryError if the delivery does not exist, or its endpoint was deleted and has no secret to sign with
     */
    redeliver(deliveryId: string, editedBody?: Uint8Array) {
      const old = store.deliveries.get(deliveryId)
      if (old === undefined) {
        throw new RedeliveryError('no_such_delivery', `delivery ${deliveryId} does not exist.`)
      }
      const { eventId, organizationId, endpointId, url } = old
      if (endpointId !== null && store.endpoints.get(endpointId)?.secret == null) {
        throw new RedeliveryError(
          'endpoint_deleted',
          `the endpoint of ${deliveryId} was deleted along with its secret. Create a new endpoint and send the event there.`,
        )
      }
      const [id, now] = [newId('dlv_'), clock.now()]
      const cause = editedBody === undefined ? 'redelivery' : 'edited'
      const body = editedBody ?? old.body
      const made = { id, eventId, organizationId, endpointId, url, cause, body, chaos: null } as const
      store.deliveries.insert({ ...made, nextAttemptAt: now, createdAt: now })
      queue.wake()
      return made
    },
    /**
     * Resends deliveries that failed and were not resent since, except to deleted endpoints, and attempts failing ones now.
     * The first are queued when the promise resolves, and the others between other work. Stopped or killed after that, it
     * goes on at the next start.
     * @returns the id under which `store.resends` has its progress
     */
    async redeliverFailed(organizationId: string, { failed, failing }: Resendable): Promise<number> {
      const resend = {
        organizationId,
        after: store.deliveries.last(),
        total: failed.length,
        queued: 0,
        isListed: false,
      }
      const id = store.resends.insert(resend)
      const batches = [...batchesOf(failing, true), ...batchesOf(failed, false)]
      for (let next = 0; next < batches.length; next += LISTED) {
        if (next > 0) await nextTurn()
        if (stop.signal.aborted) return id
        store.transaction(() => {
          for (const batch of batches.slice(next, next + LISTED)) store.resends.add(id, batch)
        })
      }
      store.transaction(() => {
        store.resends.listed(id)
        queueBatch()
      })
      queue.wake()
      void goOn()
      return id
    },
    stopRedelivering: () => stop.abort(),
  }
}
