import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Request, Response, Router } from 'express'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field, fields } from '../../http/bodies.ts'
import { EVENT_NAMES } from '../../model.ts'
import {
  COUNTED_STATES,
  type CountedState,
  type EventFilter,
  eventCount,
  eventIds,
  eventsInState,
} from '../../store/events.ts'
import { type Resendable, type ResentCounts, resendableIn } from '../../store/resends.ts'
import {
  DELIVERY_STATES,
  type EventQuery,
  eventQueryOf,
  MODES,
  pageOf,
  positionOf,
  searchParamsFor,
  storeFilter,
} from '../shared/filters.ts'
import { redirectTo, returnPath, type Show, scopeOf } from '../shared/screen.ts'
import { eventViews } from '../shared/views.ts'

const PAGE_SIZE = 20

const UNCONFIRMED = 10
const PART = 250
/** The most events that are resent together: more than a page has. */
const MOST_SELECTED = 100

/** The Events screen: the list of events with their deliveries, its filter, and forms that resend several deliveries. */
export function eventListRoutes(router: Router, context: Context, show: Show): void {
  const { store, deliveries, payments } = context
  const viewOf = eventViews(context)
  const views = savedViews(store.settings)

  router.get('/events', (request, response) => {
    const { organization, base } = scopeOf(response)
    const filter = eventQueryOf(request)
    const position = positionOf(request)
    const matching = { ...storeFilter(filter), organizationId: organization.id }
    const query = searchParamsFor(filter)
    // One more than a page shows whether there are more.
    const found = eventIds(store.database, { ...matching, ...position, limit: PAGE_SIZE + 1 })
    const list = { path: `${base}/events`, query, size: PAGE_SIZE, idOf: (id: string) => id }
    const { page, newer, older } = pageOf(found, position, list)
    const events = page.map((id) => store.events.get(id)).filter((event) => event !== undefined)
    const total = eventCount(store.database, matching)
    const tabs = tabsOf(filter, `${base}/events`, (state) =>
      eventsInState(store.database, organization.id, state, MOST_COUNTED + 1),
    )
    const needResend = tabs.filter(({ text }) => text === 'failing' || text === 'failed')
    show(response, 'events/events', 'Events', {
      events: events.map(viewOf),
      total,
      tabs,
      // With a filter they are not counted.
      hasFailed: total > 0 && needResend.some(({ count: found }) => found !== '0'),
      filter: { ...filter, payment: filter.paymentId, endpoint: filter.endpointId },
      query: query.toString(),
      views: views.list(organization.id),
      choices: { names: EVENT_NAMES, states: DELIVERY_STATES, modes: MODES },
      newer,
      older,
      progress: progressIn(request, organization.id),
    })
  })

  function progressIn({ query }: Request, organizationId: string) {
    const progress = deliveries.progressOf(resentIn(query) ?? 0, organizationId)
    return progress && progressText(progress.total, progress.counts)
  }

  router.post('/events/views', (request, response) => {
    const { organization, base } = scopeOf(response)
    const query = searchParamsFor(eventQueryOf(request)).toString()
    const name = field(request, 'name').trim().slice(0, LONGEST_NAME)
    if (name === '' || query === '') throw new ApiError(400, 'A view needs a name and a filter.')
    views.save(organization.id, { name, query })
    redirectTo(response, `${base}/events?${query}`, 'view_saved')
  })

  router.post('/events/views/delete', (request, response) => {
    const { organization, base } = scopeOf(response)
    views.delete(organization.id, field(request, 'name'))
    redirectTo(response, `${base}/events`, 'view_deleted')
  })

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
      const after = store.deliveries.last()
      const total = events
        .map((event) => payments.resendEvent(event))
        .reduce((sum, number) => sum + number, 0)
      return {
        total,
        resent: deliveries.noteResent({ organizationId, after, total }),
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
      show(response, 'events/confirm', 'Resend failed deliveries', {
        failed: failed.length,
        failing: failing.length,
        query: searchParamsFor(query).toString(),
        back: returnPath(request, scope, '/events'),
      })
      return
    }
    const resent = deliveries.redeliverFailed(scope.organization.id, { failed, failing })
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
    const last = store.deliveries.last()
    for (let after = 0; after < last && !response.closed; after += PART) {
      const { failed, failing } = resendableIn(store.database, filter, { after, until: after + PART })
      found.failed.push(...failed)
      found.failing.push(...failing)
      await nextTurn()
    }
    return found
  }
}

/** In characters. */
const LONGEST_NAME = 40
const MOST_VIEWS = 20

interface SavedView {
  readonly name: string
  /** The filter as the query of a URL. */
  readonly query: string
}

/** Filters that an organization keeps under a name, by name. */
function savedViews(settings: Context['store']['settings']) {
  const keyOf = (organizationId: string) => `views:${organizationId}` as const
  const list = (organizationId: string): readonly SavedView[] =>
    JSON.parse(settings.get(keyOf(organizationId)) ?? '[]') as SavedView[]
  const write = (organizationId: string, views: readonly SavedView[]) =>
    settings.set(keyOf(organizationId), JSON.stringify(views))
  return {
    list,
    /** It replaces one of the same name; above the most, the oldest goes. */
    save: (organizationId: string, view: SavedView): void =>
      write(
        organizationId,
        [...list(organizationId).filter(({ name }) => name !== view.name), view].slice(-MOST_VIEWS),
      ),
    delete: (organizationId: string, name: string): void =>
      write(
        organizationId,
        list(organizationId).filter((view) => view.name !== name),
      ),
  }
}

/** More than this are not counted, so that the page stays fast. */
const MOST_COUNTED = 100

/**
 * The tabs above the events. They keep the rest of the filter; if there is any filter, they have no counts.
 * @param path of the list
 * @param count counts the events in a state, up to one more than {@link MOST_COUNTED}
 */
function tabsOf(filter: EventQuery, path: string, count: (state: CountedState) => number) {
  const isWhole = searchParamsFor(filter).toString() === ''
  const countOf = (state: CountedState) => (isWhole ? shown(count(state)) : undefined)
  const tab = (state: EventQuery['state'], counted?: string) => {
    const query = searchParamsFor({ ...filter, state }).toString()
    return {
      text: state ?? 'all',
      href: query === '' ? path : `${path}?${query}`,
      count: counted,
      isCurrent: filter.state === state,
    }
  }
  return [tab(undefined), ...COUNTED_STATES.map((state) => tab(state, countOf(state)))]
}

const shown = (count: number): string => (count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count))

/** The id of the resend that the query of a page names, if any. */
const resentIn = ({ resent }: Request['query']): number | undefined =>
  typeof resent === 'string' && /^\d{1,15}$/.test(resent) ? Number(resent) : undefined

/** How far a resend of several deliveries is: how many ended, and their states in words: `3 delivered, 1 failing`. */
function progressText(total: number, counts: ResentCounts) {
  const { delivered, failed, canceled } = counts
  const created = Object.values(counts).reduce((sum, number) => sum + number, 0)
  // The others are queued between other work.
  const waiting = { ...counts, pending: counts.pending + total - created }
  const text = ORDER.filter((state) => waiting[state] > 0)
    .map((state) => `${waiting[state]} ${state}`)
    .join(', ')
  return { total, ended: delivered + failed + canceled, text }
}

const ORDER = ['delivered', 'failed', 'failing', 'pending', 'paused', 'canceled'] as const
