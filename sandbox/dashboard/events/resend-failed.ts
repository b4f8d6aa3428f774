import { Router } from 'express'
import type { Context } from '../../context.ts'
import { field, fields } from '../../pages/index.ts'
import { type EventFilter, failedIds, failingIds } from '../../store/queries/events.ts'
import { lastDelivery } from '../../store/queries/resent.ts'
import { eventQueryOf, searchParamsFor, storeFilter } from '../shared/event-filter.ts'
import { redirectTo, returnPath } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import type { Show } from '../shared/screen.ts'

/** The most deliveries that are resent without a confirmation. */
const UNCONFIRMED = 10

/** How many deliveries are resent in one transaction, between which other requests are answered. */
const AT_ONCE = 50

/** Resends several deliveries: the failed ones of a filter, or the selected events. */
export function resendRoutes(context: Context, show: Show): Router {
  const { store, deliveries, payments } = context
  const router = Router()
  const listFailed = failedIds(store.database)
  const listFailing = failingIds(store.database)
  const lastOf = lastDelivery(store.database)

  router.post('/deliveries/resend-failed', (request, response) => {
    const scope = scopeOf(response)
    const query = eventQueryOf(request)
    const filter: EventFilter = { organizationId: scope.organization.id, ...storeFilter(query) }
    const [failed, failing] = [listFailed(filter), listFailing(filter)]
    if (failed.length + failing.length > UNCONFIRMED && field(request, 'confirmed') !== 'yes') {
      return show(response, {
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
    }
    const after = lastOf()
    inBatches(failed, (id) => void deliveries.redeliver(id))
    for (const id of failing) deliveries.retryNow(id)
    redirectTo(response, returnPath(request, scope, '/events'), 'failed_resent', {
      count: failed.length,
      failing: failing.length,
      ...(failed.length > 1 && { resent: `${after}-${failed.length}` }),
    })
  })

  router.post('/events/resend-selected', (request, response) => {
    const scope = scopeOf(response)
    const events = fields(request, 'event')
      .map((id) => store.events.get(id))
      .filter((event) => event?.organizationId === scope.organization.id)
      .filter((event) => event !== undefined)
    const after = lastOf()
    const made = store.transaction(() =>
      events.map((event) => payments.resendEvent(event)).reduce((sum, number) => sum + number, 0),
    )
    redirectTo(response, returnPath(request, scope, '/events'), 'events_resent', {
      count: made,
      ...(made > 1 && { resent: `${after}-${made}` }),
    })
  })

  /** The first batch at once, and each of the others when the event loop has done everything else. */
  function inBatches(ids: readonly string[], work: (id: string) => void): void {
    if (ids.length === 0) return
    store.transaction(() => ids.slice(0, AT_ONCE).forEach(work))
    setImmediate(() => {
      try {
        inBatches(ids.slice(AT_ONCE), work)
      } catch {
        // The disk is full, or the sandbox was closed or reset: the deliveries are still failed, and can be resent.
      }
    })
  }

  return router
}
