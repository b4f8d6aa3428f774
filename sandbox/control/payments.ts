import { Router } from 'express'
import { jsonBody } from '../api/body.ts'
import { targetFirst } from '../api/targets.ts'
import { newPaymentView } from '../api/views.ts'
import type { Context } from '../context.ts'
import { STRICT } from '../http/strict.ts'
import { newPayment } from './new-payment.ts'

/** Creates payments of the first organization without a key: for `hookproof trigger`. */
export function paymentRoutes({ payments, store, checkTarget, origin }: Context): Router {
  const router = Router(STRICT)
  const validBody = jsonBody('api/payment-create-request', targetFirst(checkTarget, 'webhook_url'))
  router.post('/payments', ...validBody, async ({ body, query }, response) => {
    const create = newPayment({ payments, store }, query['mode'] ?? 'test', body)
    const payment = await store.write(create)
    response.status(201).json(newPaymentView(payment, origin()))
  })
  return router
}
