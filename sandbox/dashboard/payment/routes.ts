import type { Response, Router } from 'express'
import { paymentView } from '../../api/responses.ts'
import { METHOD_NAMES, offersOf } from '../../checkout/view.ts'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field } from '../../http/bodies.ts'
import type { Payment } from '../../model.ts'
import { jsonMarkup } from '../shared/json.ts'
import { ownOf, redirectTo, type Show, scopeOf } from '../shared/screen.ts'
import { type EventView, eventViews, paymentBadge } from '../shared/views.ts'

const REVERSALS = [
  { type: 'refund', text: 'Refund' },
  { type: 'chargeback', text: 'Chargeback' },
] as const

/** The screen of one payment: its state and its timeline. */
export function paymentRoutes(router: Router, context: Context, show: Show): void {
  const { store, payments, origin } = context
  const viewOf = eventViews(context)

  const find = (response: Response, id: unknown): Payment =>
    ownOf(response, store.payments.get(String(id)), 'payment')

  router.get('/payments/:id', ({ params }, response) => {
    const payment = find(response, params['id'])
    const events = store.events.ofPayment(payment.id).map(viewOf)
    const children = store.payments.children(payment.id)
    const { checkout_url: checkout, ...rest } = paymentView(payment, origin())
    show(response, 'payment/payment', `Payment of ${payment.amount} ${payment.currency}`, {
      payment,
      badge: paymentBadge(payment),
      checkout,
      json: jsonMarkup(Buffer.from(JSON.stringify({ ...rest, checkout_url: checkout }))),
      reversals: REVERSALS.filter(({ type }) => offersOf(payment).includes(type)),
      timeline: timelineOf(payment, children, events),
    })
  })

  router.post('/payments/:id/resend', ({ params }, response) => {
    const { id } = find(response, params['id'])
    const { deliveries } = payments.resend(id)
    redirectTo(response, `${scopeOf(response).base}/payments/${id}`, 'payment_resent', { count: deliveries })
  })

  router.post('/payments/:id/end-window', ({ params }, response) => {
    const { id } = find(response, params['id'])
    payments.endWindow(id)
    redirectTo(response, `${scopeOf(response).base}/payments/${id}`, 'window_ended')
  })

  router.post('/payments/:id/reverse', (request, response) => {
    const { id } = find(response, request.params['id'])
    const reversal = REVERSALS.find(({ type }) => type === field(request, 'refund_type'))
    if (reversal === undefined) throw new ApiError(400, 'Choose a refund or a chargeback.')
    payments.act(id, { type: 'reverse', as: reversal.type })
    redirectTo(response, `${scopeOf(response).base}/payments/${id}`, 'payment_reversed')
  })
}

/**
 * The history of a payment, oldest first, followed by the end of its gift card window if that is still to come.
 * @param children the internal transactions created by method switches, oldest first
 * @param events those that the service sent, with their deliveries
 */
function timelineOf(
  { createdAt, windowEndsAt }: Payment,
  children: readonly Payment[],
  events: readonly EventView[],
) {
  const past: { at: number; text: string; event?: EventView }[] = [
    { at: createdAt, text: 'Created' },
    ...children.map(({ createdAt: at, method, id }) => ({
      at,
      text: `Customer switched to ${method === null ? 'no method' : METHOD_NAMES[method]} (internal transaction ${id}, never named in events)`,
    })),
    ...events.map((event) => ({ at: event.createdAt, text: event.name, event })),
  ]
  const end = { at: windowEndsAt ?? 0, text: '24-hour gift card window ends', isUpcoming: true }
  // The sort is stable: entries of the same millisecond keep this order.
  return [...past.toSorted((a, b) => a.at - b.at), ...(windowEndsAt === null ? [] : [end])]
}
