import type { RequestListener, ServerResponse } from 'node:http'
import type {
  DeliveryOutcome,
  DeliveryStore,
  Orders,
  ProcessingState,
  ReadinessProbe,
  Verify,
} from '@hookproof/receiver'
import { drainRequest, type LimitOptions, webhookHandler } from '@hookproof/receiver/express'
import express, { type ErrorRequestHandler } from 'express'
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

/** The target of a delivery, which Express would match the same way. */
const WEBHOOKS = /^\/webhooks\/?(?:[?#]|$)/i

/**
 * The routes of the receiver. Every answer is JSON and reveals neither a stack trace nor the software. Deliveries do not pass
 * through Express, which on Node.js 20 and 22 would take most of the time of each. SPEC.md 1 and 11.
 */
export function createApp(options: AppOptions): RequestListener {
  const { orders, readiness, processing = () => 'active', onError = () => {}, ...delivery } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  // The extended parser would create nested objects from a long query.
  app.set('query parser', 'simple')

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

  function answerFault(error: unknown, response: ServerResponse): void {
    onError(error)
    if (response.headersSent) response.destroy()
    else refuse(response, 'internal_error')
  }
  // Express recognizes it by its four parameters.
  const handleError: ErrorRequestHandler = (error, _request, response, _next) => answerFault(error, response)
  app.use(handleError)

  const handleDelivery = webhookHandler({ ...delivery, onFailure: () => {} })
  return (request, response) => {
    if (request.method !== 'POST' || !WEBHOOKS.test(request.url ?? '')) return app(request, response)
    void handleDelivery(request, response, (error) => answerFault(error, response))
  }
}
