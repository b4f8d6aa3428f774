import type { Attempt, Delivery, Endpoint } from '../../model.ts'
import type { Badge } from './badge.ts'

/** A delivery as the screens show it. */
export interface DeliveryView {
  readonly id: string
  /** The recipient's URL, readable for people. */
  readonly url: string
  /** Where the URL comes from: an endpoint, the payment's webhook_url, or a person's input. */
  readonly recipient: string
  readonly badge: Badge
  /** What to know in addition to the state. */
  readonly notes: readonly Badge[]
  readonly attempts: number
  /** In milliseconds since 1970. */
  readonly createdAt: number
  /** The result of the last attempt; undefined before the first has ended. */
  readonly last: string | undefined
  /** The start of the response that refused it, in one line; undefined if it was not refused or the response was empty. */
  readonly refusal: string | undefined
  /** Time of the next attempt; undefined if there is none. */
  readonly nextAt: number | undefined
  readonly canRetry: boolean
  readonly canCancel: boolean
  readonly canResend: boolean
  /** Whether an edited body can be sent to the same recipient, whatever the state of this delivery. */
  readonly canEdit: boolean
}

const BADGES: Readonly<Record<Delivery['state'], Badge>> = {
  pending: { text: 'pending', tone: 'pending' },
  paused: { text: 'paused', tone: 'warning' },
  in_flight: { text: 'sending', tone: 'pending' },
  delivered: { text: 'delivered', tone: 'success' },
  failed: { text: 'failed', tone: 'error' },
  resent: { text: 'failed, resent', tone: 'neutral' },
  cancelled: { text: 'canceled', tone: 'neutral' },
}

const FAILING: Badge = { text: 'failing', tone: 'error' }

const CAUSES: Readonly<Record<Delivery['cause'], string | undefined>> = {
  event: undefined,
  resend: 'resent through the API',
  redelivery: 'resent',
  edited: 'edited',
}

/** Why a delivery is paused; it continues when `hookproof listen` runs again. */
const PAUSED = 'hookproof listen is not running'

/** What a delivery's view needs in addition to the delivery. */
interface Related {
  /** The endpoint that it goes to, if any; deleted ones too. */
  readonly endpoint: Endpoint | undefined
  /** The latest attempt that has ended. */
  readonly last: Attempt | undefined
  /** Whether a person typed the URL. */
  readonly isCustomUrl: boolean
  /** The recipient's URL, readable for people. */
  readonly url: string
}

/** Builds the view of a delivery. */
export function deliveryView(
  delivery: Delivery,
  { endpoint, last, isCustomUrl, url }: Related,
): DeliveryView {
  const { id, endpointId, state, attempts, nextAttemptAt, createdAt } = delivery
  const isDeleted = endpointId !== null && endpoint?.deletedAt !== null
  const isFailing = state === 'pending' ? attempts > 0 : state === 'in_flight' && attempts > 1
  const isWaiting = state === 'pending' || state === 'paused' || state === 'in_flight'
  return {
    id,
    url,
    recipient: isCustomUrl
      ? 'custom URL'
      : endpointId === null
        ? 'webhook_url of the payment'
        : isDeleted
          ? 'deleted endpoint'
          : 'endpoint',
    badge: isFailing ? FAILING : BADGES[state],
    notes: notesOf(delivery),
    attempts,
    createdAt,
    last: last && outcomeOf(last),
    refusal: state === 'delivered' ? undefined : last && refusalIn(last),
    nextAt: state === 'pending' ? nextAttemptAt : undefined,
    canRetry: state === 'pending',
    canCancel: isWaiting,
    canEdit: !isDeleted,
    canResend: !isDeleted && !isWaiting,
  }
}

type Outcome = Pick<Attempt, 'status' | 'error' | 'detail' | 'durationMs'>

/** The result of an attempt, in a few words. */
export function outcomeOf({ status, error, detail, durationMs }: Outcome): string {
  if (status !== null) return `${status} in ${durationMs} ms`
  return detail ?? error ?? 'no response'
}

/** How much of a response lists show, in characters. */
const SHOWN_OF_RESPONSE = 120

function refusalIn({ status, responseBody }: Attempt): string | undefined {
  if (status === null || responseBody === null) return undefined
  const text = new TextDecoder().decode(responseBody.subarray(0, 4 * SHOWN_OF_RESPONSE))
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line === '') return undefined
  return line.length > SHOWN_OF_RESPONSE ? `${line.slice(0, SHOWN_OF_RESPONSE)}…` : line
}

function notesOf({ cause, flagged, chaos, state }: Delivery): Badge[] {
  const reason = CAUSES[cause]
  return [
    ...(reason === undefined ? [] : [{ text: reason, tone: 'neutral' as const }]),
    ...(state === 'paused' ? [{ text: PAUSED, tone: 'warning' as const }] : []),
    ...(flagged ? [{ text: 'acknowledged, but not with 200', tone: 'warning' as const }] : []),
    ...(chaos === null
      ? []
      : [{ text: `chaos: ${Object.keys(chaos).join(', ')}`, tone: 'warning' as const }]),
  ]
}
