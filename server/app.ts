import type {
  DeliveryOutcome,
  DeliveryStore,
  Orders,
  ProcessingState,
  ReadinessProbe,
  Verify,
} from '@hookproof/receiver'
import { drainRequest, type LimitOptions, webhookHandler } from '@hookproof/receiver/express'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { refuse } from './http/refuse.ts'

export interface AppOptions extends LimitOptions {
  verify: Verify
  inbox: DeliveryStore
  /** Called with each delivery after the answer. */
  onOutcome?: (outcome: DeliveryOutcome) => void
  /** Served at GET /observe when given. */
  orders?: Orders
  /** Served at GET /readyz when given. */
  readiness?: Pick<ReadinessProbe, 'check'>
  /** Reported at GET /readyz unless it is `active`. */
  processing?: () => ProcessingState
  /** Called with an error that no delivery should be able to cause. */
  onError?: (error: unknown) => void
}

/** The routes of the receiver. Every answer is JSON and reveals neither a stack trace nor the software. SPEC.md 1 and 11. */
export function createApp(options: AppOptions): Express {
  const { orders, readiness, processing = () => 'active', onError = () => {}, ...delivery } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  // The extended parser would create nested objects from a long query.
  app.set('query parser', 'simple')

  app.post('/webhooks', webhookHandler({ ...delivery, onFailure: () => {} }))
  // No other route reads a body, and Node.js would read an endless one until the request times out.
  app.use((request, _response, next) => {
    drainRequest(request)
    next()
  })
  app.all('/webhooks', (_request, response) => {
    refuse(response, 'method_not_allowed')
  })

  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })

  if (readiness) {
    app.get('/readyz', async (_request, response) => {
      const result = await readiness.check()
      const state = processing()
      // Also when the events are handled elsewhere, because deliveries are stored.
      if (result.ready)
        response.json({ status: 'ready', ...(state === 'active' ? {} : { processing: state }) })
      else response.status(503).set('Retry-After', '5').json({ status: 'not ready', reason: result.reason })
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

  const handleError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    onError(error)
    if (response.headersSent) next(error)
    else refuse(response, 'internal_error')
  }
  app.use(handleError)
  return app
}
