import express, { type ErrorRequestHandler, type Express, type Response } from 'express'
import { type RefusalCode, refusal } from '../receiver/errors.ts'
import { type HandlerOptions, webhookHandler } from '../receiver/handler.ts'
import type { Orders } from '../receiver/orders.ts'
import type { ReadinessProbe } from '../receiver/readiness.ts'

export interface AppOptions extends HandlerOptions {
  /** Served at GET /observe when given. */
  orders?: Orders
  /** Served at GET /readyz when given. */
  readiness?: Pick<ReadinessProbe, 'look'>
  /** Told of an error that no delivery should be able to cause. */
  onFailure?: (error: unknown) => void
}

/** The receiver's routes. Every answer is JSON, and none shows a stack or what the server runs on. SPEC.md 1 and 11. */
export function createApp(options: AppOptions): Express {
  const { orders, readiness, onFailure = () => {}, ...delivery } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')

  app.post('/webhooks', webhookHandler(delivery))
  app.all('/webhooks', (_request, response) => {
    refuse(response.set('Allow', 'POST'), 'method_not_allowed')
  })

  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })

  if (readiness) {
    app.get('/readyz', async (_request, response) => {
      const found = await readiness.look()
      if (found.ready) response.json({ status: 'ready' })
      else response.status(503).set('Retry-After', '5').json({ status: 'not ready', reason: found.reason })
    })
  }

  if (orders) {
    app.get('/observe', async ({ query: { payment_id: paymentId } }, response) => {
      if (typeof paymentId === 'string' && paymentId !== '') response.json(await orders.observe(paymentId))
      else refuse(response, 'payment_id_missing')
    })
  }

  app.use((_request, response) => {
    refuse(response, 'not_found')
  })

  const lastResort: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    onFailure(error)
    if (response.headersSent) next(error)
    else refuse(response, 'internal_error')
  }
  app.use(lastResort)
  return app
}

function refuse(response: Response, code: RefusalCode): void {
  const { status, message } = refusal(code)
  response.status(status).json({ error: message, code })
}
