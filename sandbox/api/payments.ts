import { type Request, type Response, Router } from 'express'
import type { PaymentCreateRequest } from '../../schemas/types.ts'
import type { Context } from '../context.ts'
import { compareAmounts } from '../domain/amounts.ts'
import type { ApiKey, Payment } from '../model.ts'
import { answer } from './answer.ts'
import { keyOf, requireKey } from './auth.ts'
import { ignoredBody, jsonBody } from './body.ts'
import { ApiError } from './errors.ts'
import { onceOnly } from './idempotency.ts'
import { pageOf } from './pages.ts'
import { targetFirst } from './targets.ts'
import { newPaymentView, paymentView } from './views.ts'

/** The calls on payments. Interface 4.5 to 4.7. */
export function paymentRoutes(context: Context): Router {
  const { payments, keys, store, checkTarget, origin } = context
  const router = Router()

  /** A payment of this key's organisation and mode; any other is not told from one that never was. */
  function own({ organisationId, mode }: ApiKey, id: unknown): Payment {
    const payment = store.payments.own(organisationId, mode, String(id))
    if (payment === undefined) throw new ApiError(404, 'Payment not found')
    return payment
  }

  async function create(request: Request, response: Response): Promise<void> {
    const body: PaymentCreateRequest = request.body
    const { amount, currency, return_url: returnUrl, webhook_url: webhookUrl, metadata } = body
    if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'amount must be more than zero.')
    if (returnUrl !== undefined) requireLink(returnUrl)
    const key = keyOf(response)
    const { organisationId, mode } = key
    const given = { organisationId, mode, amount, currency, returnUrl, webhookUrl, metadata }
    const sent = { key: request.get('Idempotency-Key'), body }
    // Answered when it is on the disk, with whatever else was written at the same time.
    const { payment, replayed } = await store.write(() =>
      onceOnly(context, key, sent, () => payments.create(given)),
    )
    if (replayed) response.set('Idempotent-Replayed', 'true')
    answer(response, 201, 'api/payment-create-response', newPaymentView(payment, origin(request.get('Host'))))
  }

  async function resend({ params }: Request, response: Response): Promise<void> {
    const key = keyOf(response)
    if (key.mode !== 'live') throw new ApiError(403, 'Resending needs a live API key.')
    const { id } = own(key, params['id'])
    const { event, deliveries } = await store.write(() => payments.resend(id))
    answer(response, 202, 'api/payment-resend-response', { payment_id: id, event: event.name, deliveries })
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
    const { organisationId, mode } = key
    const { startingAfter, limit } = page
    if (startingAfter !== undefined && !store.payments.own(organisationId, mode, startingAfter)) {
      throw new ApiError(400, 'starting_after is not the id of a payment.')
    }
    // One more than is shown tells whether there are more.
    const found = store.payments.list({ ...page, organisationId, mode, limit: limit + 1 })
    const here = origin(request.get('Host'))
    const data = found.slice(0, limit).map((payment) => paymentView(payment, here))
    answer(response, 200, 'api/payment-list', { data, has_more: found.length > limit })
  })

  router.get('/payments/:id', requireKey(keys, 'payments:read'), (request, response) => {
    const payment = own(keyOf(response), request.params['id'])
    answer(response, 200, 'api/payment', paymentView(payment, origin(request.get('Host'))))
  })

  return router
}

/** The checkout makes a link of it, and so it must not be a script. */
function requireLink(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new ApiError(400, 'return_url must begin with https:// or http://.')
}
