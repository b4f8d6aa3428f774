import type { Request, Response } from 'express'
import { field, HELPERS } from '../../pages/index.ts'
import type { OrganizationScope } from './organization-scope.ts'

/** Messages about a form that was just submitted. The URL carries only the name and a count, never text. */
const MESSAGES = {
  resent: () => 'Resending the same body with a new signature.',
  edited_sent: () => 'Sending your edited body, signed as is.',
  retried: () => 'Retrying now.',
  canceled: () => 'Delivery canceled.',
  failed_resent: (count: number) =>
    count === 0
      ? 'No failed deliveries to resend.'
      : `Resending ${HELPERS.count(count, 'failed delivery', 'failed deliveries')}.`,
  payment_resent: (count: number) => `Resending payment.completed to ${HELPERS.count(count, 'recipient')}.`,
  payment_created: () => 'Payment created. Open its checkout to pay it.',
  endpoint_created: () => 'Endpoint created.',
  endpoint_enabled: () => 'Endpoint enabled.',
  endpoint_disabled: () => 'Endpoint disabled.',
  endpoint_deleted: () => 'Endpoint deleted. Its retries are stopped and its signing secret is destroyed.',
  key_revoked: () => 'Key revoked. Requests with it now get 401 REVOKED_API_KEY.',
  key_already_created: () =>
    'This form already created a key, which is shown only once. No second key was created.',
  clock_advanced: () => 'Clock advanced. Everything due by now has happened.',
} as const

/** Stands for the sandbox's own origin where only path and query matter. */
const ORIGIN = 'http://sandbox'

export type MessageName = keyof typeof MESSAGES

/** The message that the query of a page names, if any. */
export function flashMessage(query: Request['query']): string | undefined {
  const name = query['flash']
  if (typeof name !== 'string' || !Object.hasOwn(MESSAGES, name)) return undefined
  const count = Number(query['count'] ?? 0)
  return MESSAGES[name as MessageName](Number.isSafeInteger(count) ? count : 0)
}

/** Redirects from a submitted form to a page that shows the message. */
export function redirectTo(response: Response, path: string, message: MessageName, count?: number): void {
  const url = new URL(path, ORIGIN)
  url.searchParams.set('flash', message)
  if (count === undefined) url.searchParams.delete('count')
  else url.searchParams.set('count', String(count))
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
