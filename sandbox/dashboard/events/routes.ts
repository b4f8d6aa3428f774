import { Router } from 'express'
import type { Context } from '../../context.ts'
import { EVENT_NAMES } from '../../model.ts'
import { eventIds } from '../../store/queries/events.ts'
import { DELIVERY_STATES, eventQueryOf, MODES, searchParamsFor, storeFilter } from '../shared/event-filter.ts'
import { eventViews } from '../shared/event-view.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { text } from '../shared/query.ts'
import type { Show } from '../shared/screen.ts'

const PAGE_SIZE = 20

/** The Events screen: the list of events with their deliveries, and its filter. */
export function eventListRoutes(context: Context, show: Show): Router {
  const { store } = context
  const router = Router()
  const listIds = eventIds(store.database)
  const viewOf = eventViews(context)

  router.get('/events', (request, response) => {
    const { organization, base } = scopeOf(response)
    const filter = eventQueryOf(request)
    const before = text(request.query['before'])
    // One more than a page shows whether there are more.
    const found = listIds({
      ...storeFilter(filter),
      before,
      organizationId: organization.id,
      limit: PAGE_SIZE + 1,
    })
    const page = found.slice(0, PAGE_SIZE)
    const events = page.map((id) => store.events.get(id)).filter((event) => event !== undefined)
    const query = searchParamsFor(filter)
    const older = new URLSearchParams(query)
    older.set('before', page.at(-1) ?? '')
    show(response, {
      template: 'events/events',
      title: 'Events',
      entry: '/events',
      data: {
        events: events.map(viewOf),
        filter: { ...filter, payment: filter.paymentId },
        query: query.toString(),
        choices: { names: EVENT_NAMES, states: DELIVERY_STATES, modes: MODES },
        older: found.length > PAGE_SIZE ? `${base}/events?${older.toString()}` : undefined,
      },
    })
  })

  return router
}
