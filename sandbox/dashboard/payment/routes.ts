import { type Response, Router } from 'express'
import { paymentView } from '../../api/responses.ts'
import { METHOD_NAMES, offersOf } from '../../checkout/view.ts'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field } from '../../http/bodies.ts'
import type { Payment } from '../../model.ts'
import { jsonMarkup } from '../shared/json.ts'
import { redirectTo, type Show, scopeOf } from '../shared/screen.ts'
import { type EventView, eventViews, paymentBadge } from '../shared/views.ts'

const REVERSALS = [
  { type: 'refund', text: 'Refund' },
  { type: 'chargeback', text: 'Chargeback' },
] as const

/** The screen of one payment: its state and its timeline. */
export function paymentRoutes(context: Context, show: Show): Router {
  const { store, payments, origin } = context
  const viewOf = eventViews(context)
  const router = Router()

  /** A payment of this organization. A payment of another one looks as if it did not exist. */
  function find(response: Response, id: unknown): Payment {
    const payment = store.payments.get(String(id))
    if (payment?.organizationId !== scopeOf(response).organization.id) {
      throw new ApiError(404, 'There is no payment with this id.')
    }
    return payment
  }

  router.get('/payments/:id', ({ params }, response) => {
    const payment = find(response, params['id'])
    const events = store.events.ofPayment(payment.id).map(viewOf)
    const children = store.payments.children(payment.id)
    const { checkout_url: checkout, ...rest } = paymentView(payment, origin())
    show(response, {
      template: 'payment/payment',
      title: `Payment of ${payment.amount} ${payment.currency}`,
      entry: '/payments',
      data: {
        payment,
        badge: paymentBadge(payment),
        checkout,
        json: jsonMarkup(Buffer.from(JSON.stringify({ ...rest, checkout_url: checkout }))),
        reversals: REVERSALS.filter(({ type }) => offersOf(payment).includes(type)),
        timeline: timelineOf(payment, children, events),
      },
    })
  })

  router.post('/payments/:id/resend', ({ params }, response) => {
    const { id } = find(response, params['id'])
    const { deliveries } = payments.resend(id)
    redirectTo(response, `${scopeOf(response).base}/payments/${id}`, 'payment_resent', { count: deliveries })
  })

  router.post('/payments/:id/reverse', (request, response) => {
    const { id } = find(response, request.params['id'])
    const reversal = REVERSALS.find(({ type }) => type === field(request, 'refund_type'))
    if (reversal === undefined) throw new ApiError(400, 'Choose a refund or a chargeback.')
    payments.act(id, { type: 'reverse', as: reversal.type })
    redirectTo(response, `${scopeOf(response).base}/payments/${id}`, 'payment_reversed')
  })

  return router
}

/** Something that happened to a payment or will happen to it. */
interface TimelineEntry {
  readonly at: number
  readonly text: string
  /** The event that the service sent for it, with its deliveries. */
  readonly event?: EventView
  readonly isUpcoming?: true
}

/**
 * The history of a payment, oldest first, followed by the end of its gift card window if that is still to come.
 * @param children the internal transactions created by method switches, oldest first
 */
function timelineOf(
  payment: Payment,
  children: readonly Payment[],
  events: readonly EventView[],
): TimelineEntry[] {
  const { windowEndsAt } = payment
  const past: TimelineEntry[] = [
    { at: payment.createdAt, text: 'Created' },
    ...children.map(({ createdAt, method, id }) => ({
      at: createdAt,
      text: `Customer switched to ${method === null ? 'no method' : METHOD_NAMES[method]} (internal transaction ${id}, never named in events)`,
    })),
    ...events.map((event) => ({ at: event.createdAt, text: event.name, event })),
  ]
  const upcoming: TimelineEntry[] =
    windowEndsAt === null
      ? []
      : [{ at: windowEndsAt, text: '24-hour gift card window ends', isUpcoming: true }]
  // The sort is stable: entries of the same millisecond keep this order.
  return [...past.toSorted((a, b) => a.at - b.at), ...upcoming]
}
