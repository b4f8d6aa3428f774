import type { Endpoint } from '../../model.ts'
import type { DeliveryCounts, Recipient } from '../../store/queries/recipients.ts'
import type { Badge } from './badge.ts'
import { outcomeOf } from './delivery-view.ts'

/** The health of one recipient. */
export interface Health {
  readonly url: string
  /** Null for a webhook_url of payments. */
  readonly endpointId: string | null
  readonly kind: string
  readonly badge: Badge
  /** The result of the last attempt, and its time. */
  readonly last: { readonly outcome: string; readonly at: number } | undefined
  /** The counts that matter: those delivered, and others that are not 0. */
  readonly counts: readonly (readonly [state: string, count: number])[]
}

const NOTHING_SENT = { delivered: 0, failed: 0, failing: 0, pending: 0, paused: 0, last: null }

/**
 * The health of each recipient: those with deliveries, latest first, then the endpoints that have none yet.
 * @param endpoints the endpoints that are not deleted; recipients that are other endpoints are omitted
 */
export function healthOf(recipients: readonly Recipient[], endpoints: readonly Endpoint[]): Health[] {
  const unused = endpoints
    .filter(({ id }) => !recipients.some(({ endpointId }) => endpointId === id))
    .map(({ id, url }) => ({ ...NOTHING_SENT, url, endpointId: id }))
  return [...recipients, ...unused]
    .filter(({ endpointId }) => endpointId === null || endpoints.some(({ id }) => id === endpointId))
    .map((recipient) => {
      const { url, endpointId, last, ...counts } = recipient
      return {
        url,
        endpointId,
        kind: endpointId === null ? 'webhook_url of payments' : 'endpoint',
        badge: badgeOf(
          recipient,
          endpoints.find(({ id }) => id === endpointId),
        ),
        last: last === null ? undefined : { outcome: outcomeOf(last), at: last.at },
        counts: countsOf(counts),
      }
    })
}

const DISABLED: Badge = { text: 'Disabled', tone: 'neutral' }

function countsOf({ delivered, failing, failed, pending, paused }: DeliveryCounts): Health['counts'] {
  const others = Object.entries({ failing, failed, pending, paused }).filter(([, count]) => count > 0)
  return [['delivered', delivered], ...others]
}

function badgeOf({ last, paused }: Omit<Recipient, 'url'>, endpoint: Endpoint | undefined): Badge {
  if (paused > 0) return { text: 'hookproof listen is not running', tone: 'warning' }
  if (endpoint?.isEnabled === false) return DISABLED
  if (last === null) return { text: 'Nothing sent yet', tone: 'neutral' }
  const { status } = last
  if (status === null) return { text: 'No response', tone: 'error' }
  if (status === 200) return { text: 'Healthy (200)', tone: 'success' }
  if (status > 200 && status < 300) return { text: `Returns ${status}, not 200`, tone: 'warning' }
  return { text: `Failing (${status})`, tone: 'error' }
}
