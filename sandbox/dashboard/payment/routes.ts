import { type Response, Router } from 'express'
import { paymentView } from '../../api/views.ts'
import { offersOf } from '../../checkout/offers.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import type { Payment } from '../../model.ts'
import { field } from '../../pages/index.ts'
import { paymentBadge } from '../shared/badge.ts'
import { eventViews } from '../shared/event-view.ts'
import { redirectTo } from '../shared/flash-message.ts'
import { jsonMarkup } from '../shared/json-markup.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import type { Show } from '../shared/screen.ts'
import { timelineOf } from './timeline.ts'

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
