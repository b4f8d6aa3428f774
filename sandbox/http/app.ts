import express, { type Express, type RequestHandler } from 'express'
import { errorResponses } from '../api/responses.ts'
import { apiRoutes } from '../api/routes.ts'
import { checkoutRoutes } from '../checkout/routes.ts'
import type { Context } from '../compose.ts'
import { controlRoutes } from '../control/routes.ts'
import { dashboardRoutes } from '../dashboard/index.ts'
import { ApiError } from '../errors.ts'
import { assetRoutes } from '../pages/render.ts'

/**
 * Reports errors that nothing else handles, such as a write to a response that has ended: Node.js would end the process.
 * Mount it in front of everything. A connection that a client breaks is no error of the sandbox.
 * @param onFailure receives them
 */
const lastResort =
  (onFailure: (error: unknown) => void): RequestHandler =>
  (request, response, next) => {
    request.on('error', () => undefined)
    response.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('ERR_') === true) onFailure(error)
    })
    next()
  }

/**
 * The HTTP application: the API under /v1 (interface 9), the control API under /sandbox, the checkout, the dashboard
 * and /healthz.
 * @param onFailure receives internal errors, which no request should be able to cause
 */
export function createApp(context: Context, onFailure: (error: unknown) => void): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.enable('case sensitive routing')
  app.use(lastResort(onFailure))

  app.use('/v1', apiRoutes(context, onFailure))
  app.use('/sandbox', controlRoutes(context, onFailure))
  app.use('/assets', assetRoutes())
  app.use(checkoutRoutes(context, onFailure))
  // The dashboard shows secrets, so its links and origin checks use this machine's own address only.
  app.use(dashboardRoutes({ ...context, origin: () => context.origin() }, onFailure))
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))

  app.use(() => {
    throw new ApiError(404, 'Not found. The API is under /v1.')
  })
  app.use(errorResponses(onFailure))
  return app
}
