import { Router } from 'express'
import { ApiError } from '../../api/errors.ts'
import type { Context } from '../../context.ts'
import { field } from '../../pages/index.ts'
import { backTo, leadTo } from '../shared/flash-message.ts'
import { deskOf } from '../shared/organization-scope.ts'

const UNITS: Readonly<Record<string, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

/** Moves the sandbox's clock on: gift-card windows end and retries come due. Interface 8. */
export function clockRoutes({ windows }: Pick<Context, 'windows'>): Router {
  const router = Router()
  router.post('/clock', (request, response) => {
    const count = field(request, 'count')
    const unit = UNITS[field(request, 'unit')]
    if (!/^[1-9][0-9]{0,5}$/.test(count) || unit === undefined) {
      throw new ApiError(400, 'The clock moves on by a whole number of minutes, hours or days, from 1.')
    }
    windows.advance(Number(count) * unit)
    leadTo(response, backTo(request, deskOf(response), '/payments'), 'clock_moved')
  })
  return router
}
