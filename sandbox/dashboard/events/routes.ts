import { type Request, Router } from 'express'
import type { Context } from '../../context.ts'
import { EVENT_NAMES } from '../../model.ts'
import { eventCount, eventIds, eventsInState } from '../../store/queries/events.ts'
import { resentOf } from '../../store/resends/resent.ts'
import { pageOf } from '../lists/paging.ts'
import { DELIVERY_STATES, eventQueryOf, MODES, searchParamsFor, storeFilter } from '../shared/event-filter.ts'
import { eventViews } from '../shared/event-view.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { text } from '../shared/query.ts'
import type { Show } from '../shared/screen.ts'
import { type Progress, progressOf, resentIn } from './progress.ts'
import { MOST_COUNTED, tabsOf } from './tabs.ts'

const PAGE_SIZE = 20

/** The Events screen: the list of events with their deliveries, and its filter. */
export function eventListRoutes(context: Context, show: Show): Router {
  const { store } = context
  const router = Router()
  const listIds = eventIds(store.database)
  const count = eventCount(store.database)
  const countInState = eventsInState(store.database)
  const countResent = resentOf(store.database)
  const viewOf = eventViews(context)

  router.get('/events', (request, response) => {
    const { organization, base } = scopeOf(response)
    const filter = eventQueryOf(request)
    const position = { before: text(request.query['before']), after: text(request.query['after']) }
    const matching = { ...storeFilter(filter), organizationId: organization.id }
    const query = searchParamsFor(filter)
    // One more than a page shows whether there are more.
    const found = listIds({ ...matching, ...position, limit: PAGE_SIZE + 1 })
    const list = { path: `${base}/events`, query, size: PAGE_SIZE, idOf: (id: string) => id }
    const { page, newer, older } = pageOf(found, position, list)
    const events = page.map((id) => store.events.get(id)).filter((event) => event !== undefined)
    const total = count(matching)
    const tabs = tabsOf(filter, `${base}/events`, (state) =>
      countInState(organization.id, state, MOST_COUNTED + 1),
    )
    const needResend = tabs.filter(({ text }) => text === 'failing' || text === 'failed')
    show(response, {
      template: 'events/events',
      title: 'Events',
      entry: '/events',
      data: {
        events: events.map(viewOf),
        total,
        tabs,
        // With a filter they are not counted.
        hasFailed: total > 0 && needResend.some(({ count: found }) => found !== '0'),
        filter: { ...filter, payment: filter.paymentId, endpoint: filter.endpointId },
        query: query.toString(),
        choices: { names: EVENT_NAMES, states: DELIVERY_STATES, modes: MODES },
        newer,
        older,
        progress: progressIn(request, organization.id),
      },
    })
  })

  function progressIn({ query }: Request, organizationId: string): Progress | undefined {
    const resend = store.resends.get(resentIn(query) ?? 0)
    if (resend?.organizationId !== organizationId) return undefined
    return progressOf(resend, (range) => countResent(organizationId, range))
  }

  return router
}
