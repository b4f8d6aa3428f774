import { type Response, Router } from 'express'
import { ApiError } from '../api/errors.ts'
import { paymentView } from '../api/views.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../model.ts'
import { deskOf, type Show } from './desk.ts'
import { eventViews } from './event-view.ts'
import { paymentMark } from './payment-mark.ts'
import { leadTo } from './said.ts'
import { timelineOf } from './timeline.ts'

/** One payment: what is known of it, and what happened to it. */
export function showPayment(context: Context, show: Show): Router {
  const { store, payments, origin } = context
  const viewOf = eventViews(context)
  const router = Router()

  /** A payment of this organization; any other is not told from one that never was. */
  function own(response: Response, id: unknown): Payment {
    const payment = store.payments.get(String(id))
    if (payment?.organizationId !== deskOf(response).organization.id) {
      throw new ApiError(404, 'There is no such payment.')
    }
    return payment
  }

  router.get('/payments/:id', ({ params }, response) => {
    const payment = own(response, params['id'])
    const events = store.events.ofPayment(payment.id).map(viewOf)
    const children = store.payments.children(payment.id)
    const { checkout_url: checkout, ...answer } = paymentView(payment, origin())
    show(response, {
      template: 'payment',
      title: `Payment of ${payment.amount} ${payment.currency}`,
      entry: '/payments',
      data: {
        payment,
        mark: paymentMark(payment),
        checkout,
        json: JSON.stringify({ ...answer, checkout_url: checkout }, null, 2),
        timeline: timelineOf(payment, children, events),
      },
    })
  })

  router.post('/payments/:id/resend', ({ params }, response) => {
    const { id } = own(response, params['id'])
    const { deliveries } = payments.resend(id)
    leadTo(response, `${deskOf(response).base}/payments/${id}`, 'resent', deliveries)
  })

  return router
}
