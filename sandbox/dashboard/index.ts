import { Router } from 'express'
import type { Context } from '../compose.ts'
import { ApiError } from '../errors.ts'
import { formBody } from '../http/bodies.ts'
import { ownerOnly } from '../http/guard.ts'
import { liveChanges } from '../http/streams.ts'
import { dashboardPath } from '../pages/addresses.ts'
import { answerPageErrors } from '../pages/errors.ts'
import { pageHeaders } from '../pages/render.ts'
import { catalogRoutes } from './catalog/routes.ts'
import { endpointRoutes } from './endpoints/routes.ts'
import { compareRoutes } from './event/compare.ts'
import { eventRoutes } from './event/routes.ts'
import { eventListRoutes } from './events/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { logRoutes } from './log/routes.ts'
import { paymentRoutes } from './payment/routes.ts'
import { paymentListRoutes } from './payments/routes.ts'
import { findOrganization, screens } from './shared/screen.ts'
import { startRoutes } from './start/routes.ts'

/**
 * The dashboard of the sandbox; mount it at the root, where it serves `/` and everything under /dashboard. It is not part
 * of the service's interface.
 * @param onFailure receives unexpected errors
 */
export function dashboardRoutes(context: Context, onFailure: (error: unknown) => void): Router {
  const { store, feed } = context
  const router = Router()
  const show = screens(context)

  const owner = ownerOnly(context.origin, context.dashboardPassword)
  router.use(['/dashboard', /^\/$/], pageHeaders, owner)
  router.get(['/', '/dashboard'], (_request, response) => {
    response.redirect(302, dashboardPath(store.organizations.first()))
  })
  router.get('/dashboard/live', liveChanges(feed))

  const dashboard = Router({ mergeParams: true })
  dashboard.use(findOrganization(context), ...formBody)
  startRoutes(dashboard, context, show)
  paymentListRoutes(dashboard, context, show)
  paymentRoutes(dashboard, context, show)
  eventListRoutes(dashboard, context, show)
  eventRoutes(dashboard, context, show)
  compareRoutes(dashboard, context, show)
  endpointRoutes(dashboard, context, show)
  catalogRoutes(dashboard, context, show)
  keyRoutes(dashboard, context, show)
  logRoutes(dashboard, context, show)
  router.use('/dashboard/:organization', dashboard)

  router.use('/dashboard', () => {
    throw new ApiError(404, 'The dashboard has no page at this address.')
  })
  router.use(['/dashboard', /^\/$/], answerPageErrors(onFailure))
  return router
}
