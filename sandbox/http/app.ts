import express, { type Express } from 'express'
import { ApiError, errorResponses } from '../api/errors.ts'
import { apiRoutes } from '../api/routes.ts'
import { checkoutRoutes } from '../checkout/routes.ts'
import type { Context } from '../context.ts'
import { controlRoutes } from '../control/routes.ts'
import { dashboardRoutes } from '../dashboard/index.ts'
import { assetRoutes } from '../pages/index.ts'
import { lastResort } from './last-resort.ts'

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
