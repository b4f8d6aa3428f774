import { Router } from 'express'
import type { PaymentCreateRequest } from '../../schemas/types.ts'
import { jsonBody } from '../api/body.ts'
import { ApiError } from '../api/errors.ts'
import { targetFirst } from '../api/targets.ts'
import { newPaymentView } from '../api/views.ts'
import type { Context } from '../context.ts'
import { compareAmounts } from '../domain/amounts.ts'

/** Creates payments of the first organisation without a key: for `hookproof trigger`. */
export function paymentRoutes({ payments, store, checkTarget, origin }: Context): Router {
  const router = Router()
  const newPayment = jsonBody('api/payment-create-request', targetFirst(checkTarget, 'webhook_url'))
  router.post('/payments', ...newPayment, async ({ body, query }, response) => {
    const { amount, currency, webhook_url: webhookUrl, metadata }: PaymentCreateRequest = body
    const mode = query['mode'] ?? 'test'
    if (mode !== 'test' && mode !== 'live') throw new ApiError(400, 'mode must be "test" or "live".')
    if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'amount must be greater than 0.')
    const [organisation] = store.organisations.list()
    if (organisation === undefined) throw new Error('the sandbox has no organisation')
    const input = { organisationId: organisation.id, mode, amount, currency, webhookUrl, metadata } as const
    const payment = await store.write(() => payments.create(input))
    response.status(201).json(newPaymentView(payment, origin()))
  })
  return router
}
