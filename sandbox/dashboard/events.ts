import { type Request, Router } from 'express'
import type { Context } from '../context.ts'
import { EVENT_NAMES, type Mode } from '../model.ts'
import { eventIds } from '../store/dashboard-events.ts'
import { deskOf, type Show } from './desk.ts'
import { showEvent } from './event.ts'
import { eventViews } from './event-view.ts'
import { choice, text } from './query.ts'

const PAGE = 20
const STATES = ['waiting', 'delivered', 'failed', 'cancelled'] as const
const MODES = ['test', 'live'] as const satisfies readonly Mode[]

/** Events and their deliveries: the list with its filters, and one event. */
export function eventRoutes(context: Context, show: Show): Router {
  const { store } = context
  const router = Router()
  const list = eventIds(store.database)
  const viewOf = eventViews(context)

  router.get('/events', (request, response) => {
    const { organisation, base } = deskOf(response)
    const filter = filterOf(request)
    // One more than is shown tells whether there are more.
    const found = list({ ...filter, organisationId: organisation.id, limit: PAGE + 1 })
    const shown = found.slice(0, PAGE)
    const events = shown.map((id) => store.events.get(id)).filter((event) => event !== undefined)
    const { name, state, mode, paymentId } = filter
    const kept = { ...(name && { name }), ...(state && { state }), ...(mode && { mode }) }
    const older = new URLSearchParams({
      ...kept,
      ...(paymentId && { payment: paymentId }),
      before: shown.at(-1) ?? '',
    })
    show(response, {
      template: 'events',
      title: 'Events',
      entry: '/events',
      data: {
        events: events.map(viewOf),
        filter: { ...filter, payment: filter.paymentId },
        choices: { names: EVENT_NAMES, states: STATES, modes: MODES },
        older: found.length > PAGE ? `${base}/events?${older.toString()}` : undefined,
      },
    })
  })

  router.use(showEvent(context, show, viewOf))
  return router
}

const filterOf = ({ query }: Pick<Request, 'query'>) => ({
  name: choice(query['name'], EVENT_NAMES),
  state: choice(query['state'], STATES),
  mode: choice(query['mode'], MODES),
  paymentId: text(query['payment']),
  before: text(query['before']),
})
