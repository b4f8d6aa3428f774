import { newId } from '../ids.ts'
import type { Delivery } from '../model.ts'
import type { Clock } from '../ports.ts'
import { outbox } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
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
   * Resends failed deliveries that were not resent since, except to deleted endpoints.
   * @param organisationId all organisations when absent
   * @returns the number of new deliveries
   */
  redeliverFailed(organisationId?: string): number
}

/** Creates the service for manual resends. */
export function redelivery(store: Store, clock: Clock, queue: Pick<Queue, 'wake'>): Redelivery {
  const box = outbox(store.database)

  const hasNoSecret = ({ endpointId }: Delivery): boolean =>
    endpointId !== null && store.endpoints.get(endpointId)?.secret == null

  function copy(old: Delivery, editedBody?: Uint8Array): string {
    const { eventId, organisationId, endpointId, url } = old
    const now = clock.now()
    const id = newId('dlv_')
    const cause = editedBody === undefined ? 'redelivery' : 'edited'
    const body = editedBody ?? old.body
    const made = { id, eventId, organisationId, endpointId, url, cause, body, chaos: null } as const
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
    redeliverFailed(organisationId) {
      const made = store.transaction(() =>
        box
          .failed(organisationId)
          .filter((old) => !hasNoSecret(old))
          .map((old) => copy(old)),
      )
      queue.wake()
      return made.length
    },
  }
}
