import { newId } from '../ids.ts'
import type { Delivery } from '../model.ts'
import type { Clock } from '../ports.ts'
import { outbox } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
import { inBatches } from './batches.ts'
import type { Queue } from './queue/queue.ts'

/** A delivery cannot be resent; the message says why. */
export class RedeliveryError extends Error {
  override readonly name = 'RedeliveryError'
  readonly code: 'no_such_delivery' | 'endpoint_deleted'

  constructor(code: RedeliveryError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Manual resends: each creates a new delivery, so that the old one keeps its record. */
export interface Redelivery {
  /**
   * Resends a delivery to the same recipient: the same bytes, or an edited body, with a new `t` and without chaos.
   * @throws RedeliveryError if the delivery does not exist, or its endpoint was deleted and has no secret to sign with
   */
  redeliver(deliveryId: string, editedBody?: Uint8Array): Delivery
  /**
   * Resends deliveries that failed and were not resent since, except to deleted endpoints, and attempts failing ones now.
   * The first are queued at once, and the others between other work. Stopped or killed, it has queued a part of them; if
   * it is repeated, it continues.
   * @returns a promise that resolves when all are queued, or when the queue is dropped or closed
   */
  redeliverFailed(ids: {
    failed: readonly Delivery['id'][]
    failing: readonly Delivery['id'][]
  }): Promise<void>
  /** Ends all {@link redeliverFailed}, before the store is emptied or closed. */
  stopRedelivering(): void
}

/** Creates the service for manual resends. */
export function redelivery(store: Store, clock: Clock, queue: Pick<Queue, 'wake' | 'retryNow'>): Redelivery {
  const box = outbox(store.database)
  let stop = new AbortController()

  const hasNoSecret = ({ endpointId }: Delivery): boolean =>
    endpointId !== null && store.endpoints.get(endpointId)?.secret == null

  function copy(old: Delivery, editedBody?: Uint8Array): string {
    const { eventId, organizationId, endpointId, url } = old
    const now = clock.now()
    const id = newId('dlv_')
    const cause = editedBody === undefined ? 'redelivery' : 'edited'
    const body = editedBody ?? old.body
    const made = { id, eventId, organizationId, endpointId, url, cause, body, chaos: null } as const
    store.deliveries.insert({ ...made, nextAttemptAt: now, createdAt: now })
    return id
  }

  return {
    redeliver(deliveryId, editedBody) {
      const old = store.deliveries.get(deliveryId)
      if (old === undefined) {
        throw new RedeliveryError('no_such_delivery', `delivery ${deliveryId} does not exist.`)
      }
      if (hasNoSecret(old)) {
        throw new RedeliveryError(
          'endpoint_deleted',
          `the endpoint of ${deliveryId} was deleted along with its secret. Create a new endpoint and send the event there.`,
        )
      }
      const made = store.deliveries.get(copy(old, editedBody))
      if (made === undefined) throw new Error('the new delivery is missing')
      queue.wake()
      return made
    },
    async redeliverFailed({ failed, failing }) {
      const { signal } = stop
      function resend(id: string): void {
        box.resend(id, { id: newId('dlv_'), now: clock.now() })
      }
      const retrying = inBatches(failing, store.transaction, (id) => void queue.retryNow(id), signal)
      const resending = inBatches(
        failed,
        (batch) => {
          store.transaction(batch)
          queue.wake()
        },
        resend,
        signal,
      )
      await Promise.all([retrying, resending])
    },
    stopRedelivering() {
      stop.abort()
      stop = new AbortController()
    },
  }
}
