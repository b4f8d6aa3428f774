import type { Context } from '../context.ts'
import type { Event } from '../model.ts'
import { attempts } from '../store/attempts.ts'
import { type DeliveryView, deliveryView } from './delivery-view.ts'

/** An event as lists show it, with its deliveries, oldest first. */
export interface EventView {
  readonly id: string
  readonly name: string
  readonly mode: string
  readonly paymentId: string
  readonly createdAt: number
  readonly deliveries: readonly DeliveryView[]
}

/** Makes the function that gathers what a list shows of an event. */
export function eventViews({ store }: Pick<Context, 'store'>): (event: Event) => EventView {
  const tried = attempts(store.database)
  return ({ id, name, mode, paymentId, createdAt }) => ({
    id,
    name,
    mode,
    paymentId,
    createdAt,
    deliveries: store.deliveries.ofEvent(id).map((delivery) => {
      const { endpointId } = delivery
      const endpoint = endpointId === null ? undefined : store.endpoints.get(endpointId)
      return deliveryView(delivery, { endpoint, last: tried.ofDelivery(delivery.id).at(-1) })
    }),
  })
}
