import { type Request, type Response, Router } from 'express'
import type { PaymentCreateRequest } from '../../schemas/types.ts'
import type { Context } from '../context.ts'
import { compareAmounts } from '../domain/amounts.ts'
import { STRICT } from '../http/strict.ts'
import type { ApiKey, Payment } from '../model.ts'
import { keyOf, requireKey } from './auth.ts'
import { ignoredBody, jsonBody } from './body.ts'
import { ApiError } from './errors.ts'
import { onceOnly } from './idempotency.ts'
import { pageOf } from './pages.ts'
import { respond } from './respond.ts'
import { requireLink, targetFirst } from './targets.ts'
import { newPaymentView, paymentView } from './views.ts'

/** The calls on payments. Interface 4.5 to 4.7. */
export function paymentRoutes(context: Context): Router {
  const { payments, keys, store, checkTarget, origin } = context
  const router = Router(STRICT)

  /** A payment of this key's organization and mode. Others get the same response as a payment that does not exist. */
  function own({ organizationId, mode }: ApiKey, id: unknown): Payment {
    const payment = store.payments.own(organizationId, mode, String(id))
    if (payment === undefined) throw new ApiError(404, 'Payment not found')
    return payment
  }

  async function create(request: Request, response: Response): Promise<void> {
    const body: PaymentCreateRequest = request.body
    const { amount, currency, return_url: returnUrl, webhook_url: webhookUrl, metadata } = body
    if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'amount must be greater than 0.')
    if (returnUrl !== undefined) requireLink(returnUrl)
    const key = keyOf(response)
    const { organizationId, mode } = key
    const input = { organizationId, mode, amount, currency, returnUrl, webhookUrl, metadata }
    const idempotency = { key: request.get('Idempotency-Key'), body }
    // Responds when the payment is on disk; concurrent requests share one commit.
    const { payment, replayed } = await store.write(() =>
      onceOnly(context, key, idempotency, () => payments.create(input)),
    )
    if (replayed) response.set('Idempotent-Replayed', 'true')
    respond(
      response,
      201,
      'api/payment-create-response',
      newPaymentView(payment, origin(request.get('Host'))),
    )
  }

  async function resend({ params }: Request, response: Response): Promise<void> {
    const key = keyOf(response)
    if (key.mode !== 'live') throw new ApiError(403, 'Resending requires a live API key.')
    const { id } = own(key, params['id'])
    const { event, deliveries } = await store.write(() => payments.resend(id))
    respond(response, 202, 'api/payment-resend-response', { payment_id: id, event: event.name, deliveries })
  }

  const mayWrite = requireKey(keys, 'payments:write')
  const newPayment = jsonBody('api/payment-create-request', targetFirst(checkTarget, 'webhook_url'))
  router.post('/payments', mayWrite, ...newPayment, (request, response) => create(request, response))
  router.post('/payments/:id/resend-webhook', mayWrite, ...ignoredBody, (request, response) =>
    resend(request, response),
  )

  router.get('/payments', requireKey(keys, 'payments:read'), (request, response) => {
    const page = pageOf(request)
    const key = keyOf(response)
    const { organizationId, mode } = key
    const { startingAfter, limit } = page
    if (startingAfter !== undefined && !store.payments.own(organizationId, mode, startingAfter)) {
      throw new ApiError(400, 'starting_after must be the id of one of your payments.')
    }
    // One more than shown, to find out whether there are more.
    const found = store.payments.list({ ...page, organizationId, mode, limit: limit + 1 })
    const here = origin(request.get('Host'))
    const data = found.slice(0, limit).map((payment) => paymentView(payment, here))
    respond(response, 200, 'api/payment-list', { data, has_more: found.length > limit })
  })

  router.get('/payments/:id', requireKey(keys, 'payments:read'), (request, response) => {
    const payment = own(keyOf(response), request.params['id'])
    respond(response, 200, 'api/payment', paymentView(payment, origin(request.get('Host'))))
  })

  return router
}
