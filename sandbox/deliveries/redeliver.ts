import { newId } from '../ids.ts'
import type { Delivery } from '../model.ts'
import type { Clock } from '../ports.ts'
import { outbox } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
import type { Queue } from './queue/queue.ts'

/** A delivery can not be made again; the message says why. */
export class RedeliveryError extends Error {
  override readonly name = 'RedeliveryError'
  readonly code: 'no_such_delivery' | 'endpoint_deleted'

  constructor(code: RedeliveryError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Sends again by hand: a new delivery each time, so that the old one keeps its record. */
export interface Redelivery {
  /**
   * Sends a delivery again to the same recipient: the same bytes, or those of a person who edited them, with a fresh
   * `t` and without chaos.
   * @throws RedeliveryError if there is no such delivery, or its endpoint was deleted and has no secret to sign with
   */
  redeliver(deliveryId: string, editedBody?: Uint8Array): Delivery
  /**
   * Sends again what failed and was not sent again since, except to endpoints that were deleted.
   * @param organisationId all organisations when absent
   * @returns how many
   */
  redeliverFailed(organisationId?: string): number
}

/** Makes what sends again by hand. */
export function redelivery(store: Store, clock: Clock, queue: Pick<Queue, 'wake'>): Redelivery {
  const box = outbox(store.database)

  const isGone = ({ endpointId }: Delivery): boolean =>
    endpointId !== null && store.endpoints.get(endpointId)?.secret == null

  function again(old: Delivery, editedBody?: Uint8Array): string {
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
        throw new RedeliveryError('no_such_delivery', `there is no delivery ${deliveryId}.`)
      }
      if (isGone(old)) {
        throw new RedeliveryError(
          'endpoint_deleted',
          `the endpoint of ${deliveryId} was deleted, and its secret with it: make a new one and send the event there.`,
        )
      }
      const made = store.deliveries.get(again(old, editedBody))
      if (made === undefined) throw new Error('a delivery that was just made is missing')
      queue.wake()
      return made
    },
    redeliverFailed(organisationId) {
      const made = store.transaction(() =>
        box
          .failed(organisationId)
          .filter((old) => !isGone(old))
          .map((old) => again(old)),
      )
      queue.wake()
      return made.length
    },
  }
}
