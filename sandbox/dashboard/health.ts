import type { Endpoint } from '../model.ts'
import type { Recipient } from '../store/queries/recipients.ts'
import { type Mark, outcomeOf } from './delivery-view.ts'

/** How an address that events go to is doing. */
export interface Health {
  readonly url: string
  /** Null for what payments name as their webhook_url. */
  readonly endpointId: string | null
  readonly what: string
  readonly mark: Mark
  /** What came of the last attempt, and when. */
  readonly last: { readonly outcome: string; readonly at: number } | undefined
  readonly counts: Pick<Recipient, 'delivered' | 'failed' | 'waiting'>
}

const NONE = { delivered: 0, failed: 0, waiting: 0, flagged: 0, last: null }

/**
 * The health of each address: those that were sent to, latest first, and the endpoints that nothing went to yet.
 * @param endpoints those that are not deleted; others are left out
 */
export function healthOf(sentTo: readonly Recipient[], endpoints: readonly Endpoint[]): Health[] {
  const silent = endpoints
    .filter(({ id }) => !sentTo.some(({ endpointId }) => endpointId === id))
    .map(({ id, url }) => ({ ...NONE, url, endpointId: id }))
  return [...sentTo, ...silent]
    .filter(({ endpointId }) => endpointId === null || endpoints.some(({ id }) => id === endpointId))
    .map((recipient) => {
      const { url, endpointId, delivered, failed, waiting, last } = recipient
      return {
        url,
        endpointId,
        what: endpointId === null ? 'webhook_url of payments' : 'endpoint',
        mark: markOf(recipient),
        last: last === null ? undefined : { outcome: outcomeOf(last), at: last.at },
        counts: { delivered, failed, waiting },
      }
    })
}

function markOf({ last }: Recipient): Mark {
  if (last === null) return { text: 'nothing sent yet', tone: 'dull' }
  const { status } = last
  if (status === 200) return { text: 'answers 200', tone: 'good' }
  if (status !== null && status > 200 && status < 300)
    return { text: `answers ${status}, not 200`, tone: 'odd' }
  return status === null ? { text: 'no answer', tone: 'bad' } : { text: `answers ${status}`, tone: 'bad' }
}
