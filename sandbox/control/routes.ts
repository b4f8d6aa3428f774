import { Router } from 'express'
import type { ClockMove, PaymentAction } from '../../schemas/types.ts'
import { newPayment, targetFirst } from '../api/inputs.ts'
import { errorResponses, newPaymentView, paymentView } from '../api/responses.ts'
import type { Context } from '../compose.ts'
import { readAction } from '../domain/actions.ts'
import { ApiError } from '../errors.ts'
import { jsonBody } from '../http/bodies.ts'
import { ownerOnly } from '../http/guard.ts'
import { knownMethodsOnly, STRICT } from '../http/routing.ts'
import { chaosOf, eventRoutes } from './events.ts'
import { listenRoutes } from './listen.ts'
import { triggerRoutes } from './trigger.ts'

const METHODS_OF: Readonly<Record<string, readonly string[]>> = {
  '/clock': ['GET', 'HEAD', 'POST'],
  '/payments': ['POST'],
  '/payments/:id/actions': ['POST'],
  '/events': ['GET', 'HEAD', 'POST'],
  '/events/:id/resend': ['POST'],
  '/listen': ['POST'],
  '/reset': ['POST'],
}

/**
 * The control API, to mount under /sandbox: the clock, payment actions, events, reset. It requires no API key, so only
 * this machine may use it, or who has the dashboard password. It is not part of the service's interface.
 */
export function controlRoutes(context: Context, onFailure: (error: unknown) => void): Router {
  const { store, clock, windows, payments, origin } = context
  const router = Router(STRICT)
  router.use(ownerOnly(() => origin(), context.dashboardPassword))

  router.use(knownMethodsOnly(METHODS_OF))

  const time = () => ({ now: new Date(clock.now()).toISOString(), offset_ms: clock.offset() })

  router.get('/clock', (_request, response) => void response.json(time()))

  router.post('/clock', ...jsonBody('api/clock-move'), async ({ body }, response) => {
    const { advance_ms: ms }: ClockMove = body
    windows.advance(ms)
    response.json(time())
  })

  router.post(
    '/payments/:id/actions',
    ...jsonBody('api/payment-action'),
    async ({ body, params }, response) => {
      const request: PaymentAction = body
      const id = String(params['id'])
      const action = readAction(request)
      if (action.type === 'switch_method') {
        if (action.method === undefined) throw new ApiError(400, 'switch_method requires a method.')
        const { method } = action
        const payment = store.transaction(() => payments.switchMethod(id, method))
        return void response.json({ payment: paymentView(payment, origin()), event_id: null })
      }
      const chaos = chaosOf(request)
      const { payment, event } = store.transaction(() => payments.act(id, action, chaos))
      response.json({ payment: paymentView(payment, origin()), event_id: event.id })
    },
  )

  const validBody = jsonBody('api/payment-create-request', targetFirst('webhook_url'))
  router.post('/payments', ...validBody, async ({ body, query }, response) => {
    const payment = newPayment(context, query['mode'] ?? 'test', body)()
    response.status(201).json(newPaymentView(payment, origin()))
  })

  eventRoutes(router, context)
  triggerRoutes(router, context)
  listenRoutes(router, context)

  router.post('/reset', async (_request, response) => {
    await context.reset()
    response.status(204).end()
  })

  router.use(() => {
    throw new ApiError(404, 'Not found.')
  })
  router.use(errorResponses(onFailure))
  return router
}
