import { Router } from 'express'
import type { Context } from '../context.ts'
import { EVENT_NAMES } from '../model.ts'
import { eventIds } from '../store/queries/events.ts'
import { deskOf, type Show } from './desk.ts'
import { showEvent } from './event.ts'
import { MODES, queryFor, STATES, wantedOf } from './event-filter.ts'
import { eventViews } from './event-view.ts'
import { text } from './query.ts'

const PAGE = 20

/** Events and their deliveries: the list with its filters, and one event. */
export function eventRoutes(context: Context, show: Show): Router {
  const { store } = context
  const router = Router()
  const list = eventIds(store.database)
  const viewOf = eventViews(context)

  router.get('/events', (request, response) => {
    const { organization, base } = deskOf(response)
    const wanted = wantedOf(request)
    const before = text(request.query['before'])
    // One more than is shown tells whether there are more.
    const found = list({ ...wanted, before, organizationId: organization.id, limit: PAGE + 1 })
    const shown = found.slice(0, PAGE)
    const events = shown.map((id) => store.events.get(id)).filter((event) => event !== undefined)
    const query = queryFor(wanted)
    const older = new URLSearchParams(query)
    older.set('before', shown.at(-1) ?? '')
    show(response, {
      template: 'events',
      title: 'Events',
      entry: '/events',
      data: {
        events: events.map(viewOf),
        filter: { ...wanted, payment: wanted.paymentId },
        query: query.toString(),
        choices: { names: EVENT_NAMES, states: STATES, modes: MODES },
        older: found.length > PAGE ? `${base}/events?${older.toString()}` : undefined,
      },
    })
  })

  router.use(showEvent(context, show, viewOf))
  return router
}
