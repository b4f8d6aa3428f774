import type { Context } from '../../context.ts'
import type { Event } from '../../model.ts'
import { addressNames } from '../../pages/index.ts'
import { attempts } from '../../store/attempts.ts'
import { type DeliveryView, deliveryView } from './delivery-view.ts'

/** An event as lists show it, with its deliveries, oldest first. */
export interface EventView {
  readonly id: string
  readonly name: string
  readonly mode: string
  readonly paymentId: string
  /** Such as `25.00 USD`. */
  readonly amount: string
  readonly createdAt: number
  readonly deliveries: readonly DeliveryView[]
}

/** Returns the function that loads what a list shows of an event. */
export function eventViews(context: Pick<Context, 'store' | 'forwards'>): (event: Event) => EventView {
  const { store } = context
  const nameOf = addressNames(context)
  const ended = attempts(store.database)
  return ({ id, name, mode, paymentId, createdAt, body }) => ({
    id,
    amount: amountIn(body),
    name,
    mode,
    paymentId,
    createdAt,
    deliveries: store.deliveries.ofEvent(id).map((delivery) => {
      const { endpointId } = delivery
      const endpoint = endpointId === null ? undefined : store.endpoints.get(endpointId)
      const last = ended.ofDelivery(delivery.id).at(-1)
      const isCustomUrl = endpointId === null && delivery.url !== store.payments.get(paymentId)?.webhookUrl
      return deliveryView(delivery, { endpoint, last, isCustomUrl, url: nameOf(delivery) })
    }),
  })
}

function amountIn(body: Uint8Array): string {
  const { amount, currency } = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>
  return `${String(amount)} ${String(currency)}`
}
