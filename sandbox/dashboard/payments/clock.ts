import { type Request, type Response, Router } from 'express'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import { field, problemOf } from '../../pages/index.ts'
import { redirectTo, returnPath } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'

const UNITS: Readonly<Record<string, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

/** What the page of the form shows about a rejected one. */
interface ClockProblem {
  readonly clockProblem: string
  readonly status: number
}

/**
 * Advances the sandbox clock, which ends gift card windows and triggers due retries. Interface 8.
 * @param show renders the page of the form again
 */
export function clockRoutes(
  { windows }: Pick<Context, 'windows'>,
  show: (request: Request, response: Response, problem: ClockProblem) => void,
): Router {
  const router = Router()

  router.post('/clock', (request, response) => advance(request, response))

  // A rejected form is shown at this address, and may be loaded again.
  router.get('/clock', (_request, response) =>
    response.redirect(302, `${scopeOf(response).base}/payments#clock`),
  )

  async function advance(request: Request, response: Response): Promise<void> {
    try {
      await windows.advanceInBatches(timeIn(request))
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return show(request, response, { clockProblem: problem.message, status: problem.status })
    }
    redirectTo(response, returnPath(request, scopeOf(response), '/payments'), 'clock_advanced')
  }

  return router
}

/** The time in the form, in milliseconds. */
function timeIn(request: Request): number {
  const count = field(request, 'count')
  const unit = UNITS[field(request, 'unit')]
  if (/^[1-9][0-9]{0,5}$/.test(count) && unit !== undefined) return Number(count) * unit
  throw new ApiError(
    400,
    'Advance the clock by a whole number of minutes, hours or days, from 1 to 999999. It cannot be turned back.',
  )
}
