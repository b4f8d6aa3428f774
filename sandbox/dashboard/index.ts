import { Router } from 'express'
import { ApiError } from '../api/errors.ts'
import type { Context } from '../context.ts'
import { answerPageErrors, deskPath, formBody, ownPagesOnly, pageHeaders } from '../pages/index.ts'
import { endpointRoutes } from './endpoints/routes.ts'
import { deliveryRoutes } from './event/delivery-actions.ts'
import { eventRoutes } from './events/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { logRoutes } from './log/routes.ts'
import { clockRoutes } from './payments/clock.ts'
import { paymentRoutes } from './payments/routes.ts'
import { liveChanges } from './shared/live.ts'
import { findDesk, screens } from './shared/organization-scope.ts'
import { startRoutes } from './start/routes.ts'

/**
 * The screens of the sandbox, for the person who works with it; to be mounted at the root, where it answers `/` and
 * what is under /dashboard. No part of the service's interface.
 * @param onFailure told of what no request should be able to cause
 */
export function dashboardRoutes(context: Context, onFailure: (error: unknown) => void): Router {
  const { store, feed } = context
  const router = Router()
  const show = screens(context)

  router.use(['/dashboard', /^\/$/], ownPagesOnly(context.origin), pageHeaders)
  router.get(['/', '/dashboard'], (_request, response) => {
    const [first] = store.organisations.list()
    if (first === undefined) throw new ApiError(404, 'The sandbox has no organisation.')
    response.redirect(302, deskPath(first))
  })
  router.get('/dashboard/live', liveChanges(feed))

  const desk = Router({ mergeParams: true })
  desk.use(findDesk(context), formBody)
  for (const routes of [startRoutes, paymentRoutes, clockRoutes, eventRoutes, deliveryRoutes]) {
    desk.use(routes(context, show))
  }
  for (const routes of [endpointRoutes, keyRoutes, logRoutes]) desk.use(routes(context, show))
  router.use('/dashboard/:organisation', desk)

  router.use('/dashboard', () => {
    throw new ApiError(404, 'There is no such screen.')
  })
  router.use(['/dashboard', /^\/$/], answerPageErrors(onFailure))
  return router
}
