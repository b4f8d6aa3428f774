import { Router } from 'express'
import { ApiError } from '../api/errors.ts'
import type { Context } from '../context.ts'
import { answerPageErrors, deskPath, formBody, ownPagesOnly, pageHeaders } from '../pages/index.ts'
import { clockRoutes } from './clock.ts'
import { deliveryRoutes } from './deliveries.ts'
import { findDesk, screens } from './desk.ts'
import { endpointRoutes } from './endpoints.ts'
import { eventRoutes } from './events.ts'
import { keyRoutes } from './keys.ts'
import { liveChanges } from './live.ts'
import { logRoutes } from './log.ts'
import { paymentRoutes } from './payments.ts'
import { startRoutes } from './start.ts'

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
    const [first] = store.organizations.list()
    if (first === undefined) throw new ApiError(404, 'The sandbox has no organization.')
    response.redirect(302, deskPath(first))
  })
  router.get('/dashboard/live', liveChanges(feed))

  const desk = Router({ mergeParams: true })
  desk.use(findDesk(context), formBody)
  for (const routes of [startRoutes, paymentRoutes, clockRoutes, eventRoutes, deliveryRoutes]) {
    desk.use(routes(context, show))
  }
  for (const routes of [endpointRoutes, keyRoutes, logRoutes]) desk.use(routes(context, show))
  router.use('/dashboard/:organization', desk)

  router.use('/dashboard', () => {
    throw new ApiError(404, 'There is no such screen.')
  })
  router.use(['/dashboard', /^\/$/], answerPageErrors(onFailure))
  return router
}
