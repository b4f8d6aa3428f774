import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Request, type Response, Router } from 'express'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import { field, fields } from '../../pages/index.ts'
import type { EventFilter } from '../../store/queries/events.ts'
import { type Resendable, resendableIn } from '../../store/resends/resendable.ts'
import { lastDelivery } from '../../store/resends/resent.ts'
import { eventQueryOf, searchParamsFor, storeFilter } from '../shared/event-filter.ts'
import { redirectTo, returnPath } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import type { Show } from '../shared/screen.ts'

/** The most deliveries that are resent without a confirmation. */
const UNCONFIRMED = 10

/** How many deliveries are read at once. */
const PART = 250

/** The most events that are resent together: more than a page has. */
const MOST_SELECTED = 100

/** Resends several deliveries: the failed ones of a filter, or the selected events. */
export function resendRoutes(context: Context, show: Show): Router {
  const { store, deliveries, payments } = context
  const router = Router()
  const list = resendableIn(store.database)
  const lastOf = lastDelivery(store.database)

  router.post('/deliveries/resend-failed', (request, response) => resendFailed(request, response))

  router.post('/events/resend-selected', (request, response) => {
    const scope = scopeOf(response)
    const selected = fields(request, 'event')
    if (selected.length > MOST_SELECTED) throw new ApiError(400, `Select at most ${MOST_SELECTED} events.`)
    const events = selected
      .map((id) => store.events.get(id))
      .filter((event) => event?.organizationId === scope.organization.id)
      .filter((event) => event !== undefined)
    const { total, resent } = store.transaction(() => {
      const organizationId = scope.organization.id
      const after = lastOf()
      const total = events
        .map((event) => payments.resendEvent(event))
        .reduce((sum, number) => sum + number, 0)
      return {
        total,
        resent: store.resends.insert({ organizationId, after, total, queued: total, isListed: true }),
      }
    })
    redirectTo(response, returnPath(request, scope, '/events'), 'events_resent', {
      count: total,
      ...(total > 1 && { resent }),
    })
  })

  async function resendFailed(request: Request, response: Response): Promise<void> {
    const scope = scopeOf(response)
    const query = eventQueryOf(request)
    const filter: EventFilter = { organizationId: scope.organization.id, ...storeFilter(query) }
    const { failed, failing } = await resendable(filter, response)
    if (response.closed) return
    if (failed.length + failing.length > UNCONFIRMED && field(request, 'confirmed') !== 'yes') {
      show(response, {
        template: 'events/confirm',
        title: 'Resend failed deliveries',
        entry: '/events',
        data: {
          failed: failed.length,
          failing: failing.length,
          query: searchParamsFor(query).toString(),
          back: returnPath(request, scope, '/events'),
        },
      })
      return
    }
    const resent = await deliveries.redeliverFailed(scope.organization.id, { failed, failing })
    redirectTo(response, returnPath(request, scope, '/events'), 'failed_resent', {
      count: failed.length,
      failing: failing.length,
      ...(failed.length > 1 && { resent }),
    })
  }

  /**
   * All deliveries that match the filter. It reads them in parts, between which other requests are answered, and stops
   * when the response is closed.
   */
  async function resendable(filter: EventFilter, response: Response): Promise<Resendable> {
    const found: Resendable = { failed: [], failing: [] }
    const last = lastOf()
    for (let after = 0; after < last && !response.closed; after += PART) {
      const { failed, failing } = list(filter, { after, until: after + PART })
      found.failed.push(...failed)
      found.failing.push(...failing)
      await nextTurn()
    }
    return found
  }

  return router
}
