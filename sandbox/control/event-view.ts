import type { Context } from '../context.ts'
import type { Event } from '../model.ts'
import { addressNames } from '../pages/address.ts'
import { attempts } from '../store/attempts.ts'

/** Creates a function that returns an event with its deliveries, as `hookproof events` and `trigger` read it. */
export function eventViews(context: Pick<Context, 'store' | 'forwards'>) {
  const { store } = context
  const nameOf = addressNames(context)
  const tried = attempts(store.database)
  return ({ id, name, paymentId, createdAt }: Event) => ({
    id,
    event: name,
    payment_id: paymentId,
    created_at: new Date(createdAt).toISOString(),
    deliveries: store.deliveries.ofEvent(id).map((delivery) => {
      const last = tried.ofDelivery(delivery.id).at(-1)
      const { state, url } = delivery
      return {
        id: delivery.id,
        url,
        shown_url: nameOf(delivery),
        // It failed, whatever happened afterwards: the resend is a delivery of its own.
        state: state === 'resent' ? 'failed' : state,
        attempts: delivery.attempts,
        status: last?.status ?? null,
        error: last?.error ?? null,
      }
    }),
  })
}
