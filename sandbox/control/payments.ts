import { Router } from 'express'
import type { PaymentCreateRequest } from '../../schemas/types.ts'
import { jsonBody } from '../api/body.ts'
import { ApiError } from '../api/errors.ts'
import { requireLink, targetFirst } from '../api/targets.ts'
import { newPaymentView } from '../api/views.ts'
import type { Context } from '../context.ts'
import { compareAmounts } from '../domain/amounts.ts'
import { STRICT } from '../http/strict.ts'

/** Creates payments of the first organization without a key: for `hookproof trigger`. */
export function paymentRoutes({ payments, store, checkTarget, origin }: Context): Router {
  const router = Router(STRICT)
  const newPayment = jsonBody('api/payment-create-request', targetFirst(checkTarget, 'webhook_url'))
  router.post('/payments', ...newPayment, async ({ body, query }, response) => {
    const {
      amount,
      currency,
      return_url: returnUrl,
      webhook_url: webhookUrl,
      metadata,
    }: PaymentCreateRequest = body
    const mode = query['mode'] ?? 'test'
    if (mode !== 'test' && mode !== 'live') throw new ApiError(400, 'mode must be "test" or "live".')
    if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'amount must be greater than 0.')
    if (returnUrl !== undefined) requireLink(returnUrl)
    const [organization] = store.organizations.list()
    if (organization === undefined) throw new Error('the sandbox has no organization')
    const input = {
      organizationId: organization.id,
      mode,
      amount,
      currency,
      returnUrl,
      webhookUrl,
      metadata,
    } as const
    const payment = await store.write(() => payments.create(input))
    response.status(201).json(newPaymentView(payment, origin()))
  })
  return router
}
