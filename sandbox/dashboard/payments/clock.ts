import { type Request, type Response, Router } from 'express'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import { field } from '../../pages/index.ts'
import { redirectTo, returnPath } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'

const UNITS: Readonly<Record<string, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

/** Advances the sandbox clock, which ends gift card windows and triggers due retries. Interface 8. */
export function clockRoutes({ windows }: Pick<Context, 'windows'>): Router {
  const router = Router()

  router.post('/clock', (request, response) => advance(request, response))

  async function advance(request: Request, response: Response): Promise<void> {
    const count = field(request, 'count')
    const unit = UNITS[field(request, 'unit')]
    if (!/^[1-9][0-9]{0,5}$/.test(count) || unit === undefined) {
      throw new ApiError(
        400,
        'Advance the clock by a whole number of minutes, hours or days, from 1 to 999999.',
      )
    }
    await windows.advanceInBatches(Number(count) * unit)
    redirectTo(response, returnPath(request, scopeOf(response), '/payments'), 'clock_advanced')
  }

  return router
}
