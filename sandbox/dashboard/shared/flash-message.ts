import type { Request, Response } from 'express'
import { HELPERS } from '../../pages/helpers.ts'
import { field } from '../../pages/index.ts'
import type { OrganizationScope } from './organization-scope.ts'

/** What is said on the page that a form led to. The address brings the name and a number only, and no text. */
const SAID = {
  redelivered: () => 'It is being sent again, with a fresh signature over the same bytes.',
  edited: () => 'Your version is being sent, signed as it stands.',
  retried: () => 'The next attempt is being made now.',
  cancelled: () => 'The delivery is cancelled.',
  failed_redelivered: (count: number) =>
    count === 0
      ? 'Nothing had failed: nothing is sent.'
      : `${HELPERS.count(count, 'delivery', 'deliveries')} sent again.`,
  resent: (count: number) => `payment.completed is being sent again to ${HELPERS.count(count, 'recipient')}.`,
  payment_created: () => 'The payment is made. Open its checkout to pay it.',
  endpoint_created: () => 'The endpoint is made.',
  endpoint_deleted: () => 'The endpoint is deleted, its retries stopped and its secret destroyed.',
  endpoint_changed: () => 'The endpoint is changed.',
  key_revoked: () => 'The key is revoked: it answers 401 REVOKED_API_KEY from now on.',
  key_made_before: () => 'That key was made already, and is shown once. No second one was made.',
  clock_moved: () => 'The clock is moved on. What became due on the way has happened.',
} as const

export type Said = keyof typeof SAID

/** The sentence that the query of a page asks for, if any. */
export function flashMessage(query: Request['query']): string | undefined {
  const name = query['said']
  if (typeof name !== 'string' || !Object.hasOwn(SAID, name)) return undefined
  const count = Number(query['n'] ?? 0)
  return SAID[name as Said](Number.isSafeInteger(count) ? count : 0)
}

/** Leads from a form to a page of this desk, which says what was done. */
export function leadTo(response: Response, path: string, said: Said, count?: number): void {
  const url = new URL(path, 'http://sandbox')
  url.searchParams.set('said', said)
  if (count === undefined) url.searchParams.delete('n')
  else url.searchParams.set('n', String(count))
  response.redirect(303, url.pathname + url.search)
}

/** Where a form wants to lead back to, if that is a page of this desk; else the other. */
export function backTo(
  request: Pick<Request, 'body'>,
  { base }: OrganizationScope,
  otherwise: string,
): string {
  const wanted = field(request, 'back')
  return wanted === base || wanted.startsWith(`${base}/`) || wanted.startsWith(`${base}?`)
    ? wanted
    : base + otherwise
}
