import type { Request, Response } from 'express'
import { field, HELPERS } from '../../pages/index.ts'
import type { OrganizationScope } from './organization-scope.ts'

/** Messages about a form that was just submitted. The URL carries only the name and a count, never text. */
const MESSAGES = {
  resent: () => 'Resending the same body with a new signature.',
  edited_sent: () => 'Sending your edited body, signed as is.',
  retried: () => 'Retrying now.',
  canceled: () => 'Delivery canceled.',
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
  key_already_created: () =>
    'This form already created a key, which is shown only once. No second key was created.',
  clock_advanced: () => 'Clock advanced. Retries that are due are being sent.',
} as const

/** Stands for the sandbox's own origin where only path and query matter. */
const ORIGIN = 'http://sandbox'

export type MessageName = keyof typeof MESSAGES

/** The message that the query of a page names, if any. */
export function flashMessage(query: Request['query']): string | undefined {
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
