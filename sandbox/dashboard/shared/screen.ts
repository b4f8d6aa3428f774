import type { Request, RequestHandler, Response } from 'express'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field } from '../../http/bodies.ts'
import type { Organization } from '../../model.ts'
import { dashboardPath, slugOf } from '../../pages/addresses.ts'
import { HELPERS, relativeTimes, sendPage } from '../../pages/render.ts'
import { eventsInState } from '../../store/events.ts'

/** The entries of the navigation: the path of each below the base. */
const ENTRIES = [
  { path: '', text: 'Start', key: 's' },
  { path: '/payments', text: 'Payments', key: 'p' },
  { path: '/events', text: 'Events', key: 'e' },
  { path: '/endpoints', text: 'Endpoints', key: 'w' },
  { path: '/catalog', text: 'Catalog', key: 'c' },
  { path: '/keys', text: 'API keys', key: 'k' },
  { path: '/log', text: 'API log', key: 'l' },
] as const

/**
 * Returns the function that renders screens with the bar, the navigation and the flash message.
 * The status is that of the response. `template`: its path in the folder `dashboard`, without the extension: `keys/keys`. Its folder names the entry of
 * the navigation to highlight
 */
export function screens({ store, clock }: Pick<Context, 'store' | 'clock'>) {
  /** How many events were not delivered although they were tried; undefined if none. */
  function alertOf(organizationId: string): string | undefined {
    const counts = (['failing', 'failed'] as const).map((state) =>
      eventsInState(store.database, organizationId, state, MOST_ALERTS + 1),
    )
    const count = counts.reduce((sum, number) => sum + number, 0)
    return count === 0 ? undefined : count > MOST_ALERTS ? `${MOST_ALERTS}+` : String(count)
  }

  return (response: Response, template: string, title: string, data: object): void => {
    const [folder = ''] = template.split('/')
    const entry = ENTRIES.find(({ path }) => path.startsWith(`/${folder}`))?.path ?? ''
    const scope = scopeOf(response)
    const { organization, base } = scope
    const others = store.organizations.list().filter(({ id }) => id !== organization.id)
    const now = clock.now()
    const aheadMs = toMinute(clock.offset())
    const ahead = aheadMs === 0 ? undefined : `${HELPERS.durationInWords(aheadMs)} ahead`
    sendPage(response, {
      template: `/dashboard/${template}`,
      status: response.statusCode,
      data: {
        title: `${title} · ${organization.name} · hookproof sandbox`,
        heading: title,
        bar: { kind: 'sandbox', text: 'No money moves.', more: ahead && `Clock is ${ahead}.` },
        home: {
          href: base,
          text: organization.name,
          others: others.map((other) => ({ href: dashboardPath(other), text: other.name })),
        },
        nav: ENTRIES.map(({ path, ...more }) => ({
          href: base + path,
          current: path === entry,
          alert: path === '/events' ? alertOf(organization.id) : undefined,
          ...more,
        })),
        styles: ['dashboard.css', 'lists.css', 'data.css', 'charts.css'],
        scripts: ['live.js', 'copy.js', 'times.js', 'keys.js', 'select.js', 'place.js'],
        wide: true,
        now,
        time: relativeTimes(now),
        ahead,
        flash: flashMessage(response.req.query),
        scope,
        ...data,
      },
    })
  }
}

/** More are not counted, so that every page stays fast. */
const MOST_ALERTS = 100

/** Advancing the clock takes a few milliseconds, which would otherwise show. */
const toMinute = (ms: number): number => Math.round(ms / 60_000) * 60_000

export type Show = ReturnType<typeof screens>

/** The organization that a screen shows, and the paths around it. */
interface OrganizationScope {
  readonly organization: Organization
  /** Path of the organization's dashboard without a trailing slash: `/dashboard/tea-house`. */
  readonly base: string
  /** Path and query of the current request; forms redirect back to it. */
  readonly here: string
}

/** Looks up the organization in the path; mount it at `/dashboard/:organization`. */
export function findOrganization({ store }: Pick<Context, 'store'>): RequestHandler {
  return (request, response, next) => {
    const slug = request.params['organization']
    const organization = store.organizations.list().find((candidate) => slugOf(candidate) === slug)
    if (organization === undefined) return next('router')
    const scope: OrganizationScope = {
      organization,
      base: dashboardPath(organization),
      here: request.originalUrl,
    }
    response.locals['scope'] = scope
    next()
  }
}

/** The scope that {@link findOrganization} stored for this request. */
export function scopeOf(response: Response): OrganizationScope {
  const scope = response.locals['scope'] as OrganizationScope | undefined
  if (scope === undefined) throw new Error('the route is not mounted under findOrganization')
  return scope
}

/** A record of the organization that a screen shows. One of another organization looks as if it did not exist. */
export function ownOf<Found extends { organizationId: string }>(
  response: Response,
  found: Found | undefined,
  noun: string,
): Found {
  if (found?.organizationId === scopeOf(response).organization.id) return found
  throw new ApiError(404, `There is no ${noun} with this id.`)
}

/** Messages about a form that was just submitted. The URL carries only the name and a count, never text. */
const MESSAGES = {
  resent: () => 'Resending the same body with a new signature.',
  edited_sent: () => 'Sending your edited body, signed as is.',
  retried: () => 'Retrying now.',
  canceled: () => 'Delivery canceled.',
  view_saved: () => 'View saved.',
  view_deleted: () => 'View deleted.',
  failed_resent: (count: number, failing: number) => {
    const resending = `Resending ${HELPERS.count(count, 'failed delivery', 'failed deliveries')}`
    const retrying = `retrying ${HELPERS.count(failing, 'failing delivery', 'failing deliveries')} now`
    if (count + failing === 0) return 'No failed deliveries to resend.'
    if (failing === 0) return `${resending}.`
    return count === 0 ? `R${retrying.slice(1)}.` : `${resending}, and ${retrying}.`
  },
  events_resent: (count: number) =>
    count === 0
      ? 'Nothing was resent: select events that have recipients.'
      : `Resending to ${HELPERS.count(count, 'recipient')}.`,
  payment_resent: (count: number) => `Resending payment.completed to ${HELPERS.count(count, 'recipient')}.`,
  payment_created: () => 'Payment created. Open its checkout to pay it.',
  window_ended: () => 'The 24-hour window of this payment has ended.',
  payment_reversed: () => 'Payment reversed. Sending payment.refunded.',
  endpoint_changed: () => 'Endpoint changed. Deliveries that are already queued keep their URL.',
  secret_rolled: () =>
    'Secret rolled: this is a new endpoint with a new ID and secret, and the old one was deleted with its retries.',
  test_sent: () => 'Sending a test event. Its payment is in the list of payments.',
  endpoint_created: () => 'Endpoint created.',
  endpoint_enabled: () => 'Endpoint enabled.',
  endpoint_disabled: () => 'Endpoint disabled.',
  endpoint_deleted: () => 'Endpoint deleted. Its retries are stopped and its signing secret is destroyed.',
  key_revoked: () => 'Key revoked. Requests with it now get 401 REVOKED_API_KEY.',
  clock_advanced: () => 'Clock advanced. Retries that are due are being sent.',
} as const

const ORIGIN = 'http://sandbox'

export type MessageName = keyof typeof MESSAGES

function flashMessage(query: Request['query']): string | undefined {
  const name = query['flash']
  if (typeof name !== 'string' || !Object.hasOwn(MESSAGES, name)) return undefined
  return MESSAGES[name as MessageName](numberIn(query['count']), numberIn(query['failing']))
}

function numberIn(given: unknown): number {
  const number = Number(given ?? 0)
  return Number.isSafeInteger(number) ? number : 0
}

/** Redirects from a submitted form to a page that shows the message. @param details more fields for the URL */
export function redirectTo(
  response: Response,
  path: string,
  message: MessageName,
  details: Readonly<Record<string, string | number>> = {},
): void {
  const url = new URL(path, ORIGIN)
  for (const name of ['count', 'failing', 'resent']) url.searchParams.delete(name)
  url.searchParams.set('flash', message)
  for (const [name, value] of Object.entries(details)) url.searchParams.set(name, String(value))
  response.redirect(303, url.pathname + url.search)
}

/** The page that a form asks to return to if it belongs to this organization's dashboard; otherwise `fallback`. */
export function returnPath(
  request: Pick<Request, 'body'>,
  { base }: OrganizationScope,
  fallback: string,
): string {
  const requested = field(request, 'back')
  const url = URL.canParse(requested, ORIGIN) ? new URL(requested, ORIGIN) : undefined
  if (url?.origin !== ORIGIN) return base + fallback
  // After resolving ".." and encoded dots, since the browser resolves them too.
  const { pathname, search } = url
  return pathname === base || pathname.startsWith(`${base}/`) ? pathname + search : base + fallback
}
