import type { Context } from '../../compose.ts'
import type { Attempt, Delivery, Endpoint, Event, Payment, PaymentStatus } from '../../model.ts'
import { addressNames } from '../../pages/addresses.ts'
import type { Recipient } from '../../store/health.ts'

/** An event as lists show it, with its deliveries, oldest first. */
export type EventView = ReturnType<ReturnType<typeof eventViews>>

/** Returns the function that loads what a list shows of an event. */
export function eventViews(context: Pick<Context, 'store' | 'forwards'>) {
  const { store } = context
  const nameOf = addressNames(context)

  function deliveryView(delivery: Delivery, paymentId: string) {
    const { id, endpointId, state, attempts, nextAttemptAt, createdAt } = delivery
    const endpoint = endpointId === null ? undefined : store.endpoints.get(endpointId)
    const last = store.deliveries.attempts(id).at(-1)
    const isCustomUrl = endpointId === null && delivery.url !== store.payments.get(paymentId)?.webhookUrl
    const isDeleted = endpointId !== null && endpoint?.deletedAt !== null
    const { faultyAttempts } = delivery
    const ended = state === 'in_flight' ? attempts - 1 : attempts
    const isOnPurpose = ended > 0 && ended <= faultyAttempts
    const isFailing = (state === 'pending' || state === 'in_flight') && ended > faultyAttempts
    const isWaiting = state === 'pending' || state === 'paused' || state === 'in_flight'
    return {
      delivery,
      id,
      url: nameOf(delivery),
      recipient: isCustomUrl
        ? 'custom URL'
        : endpointId === null
          ? 'webhook_url of the payment'
          : isDeleted
            ? 'deleted endpoint'
            : 'endpoint',
      badge: isFailing
        ? { text: 'failing', tone: 'error' }
        : isOnPurpose && state === 'failed'
          ? { text: 'wrong on purpose', tone: 'neutral' }
          : BADGES[state],
      isOnPurpose,
      notes: notesOf(delivery),
      attempts,
      createdAt,
      last: last && outcomeOf(last),
      refusal: state === 'delivered' ? undefined : last && refusalIn(last),
      nextAt: state === 'pending' ? nextAttemptAt : undefined,
      canRetry: state === 'pending',
      canCancel: isWaiting,
      // To the same recipient, whatever the state of this delivery.
      canEdit: !isDeleted,
      canResend: !isDeleted && !isWaiting,
    }
  }

  return ({ id, name, mode, paymentId, createdAt, body }: Event) => ({
    id,
    amount: amountIn(body),
    name,
    mode,
    paymentId,
    createdAt,
    deliveries: store.deliveries.ofEvent(id).map((delivery) => deliveryView(delivery, paymentId)),
  })
}

function amountIn(body: Uint8Array): string {
  const { amount, currency } = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>
  return `${String(amount)} ${String(currency)}`
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

const CAUSES: Readonly<Record<Delivery['cause'], string | undefined>> = {
  event: undefined,
  resend: 'resent through the API',
  redelivery: 'resent',
  edited: 'edited',
}

type Outcome = Pick<Attempt, 'status' | 'error' | 'detail' | 'durationMs'>

function outcomeOf({ status, error, detail, durationMs }: Outcome): string {
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

function notesOf({ cause, flagged, chaos, state, attempts, faultyAttempts }: Delivery): Badge[] {
  const reason = CAUSES[cause]
  return [
    ...(reason === undefined ? [] : [{ text: reason, tone: 'neutral' as const }]),
    ...(state === 'paused' ? [{ text: 'hookproof listen is not running', tone: 'warning' as const }] : []),
    ...(flagged ? [{ text: 'acknowledged, but not with 200', tone: 'warning' as const }] : []),
    ...(chaos === null
      ? []
      : [
          {
            text: `${faultyAttempts > 0 ? 'wrong on purpose' : 'chaos'}: ${Object.keys(chaos).join(', ')}`,
            tone: faultyAttempts > 0 ? ('neutral' as const) : ('warning' as const),
          },
        ]),
    ...(state === 'delivered' && attempts <= faultyAttempts
      ? [{ text: 'accepted, although it is wrong', tone: 'error' as const }]
      : []),
  ]
}

const NOTHING_SENT = { delivered: 0, failed: 0, failing: 0, faulty: 0, pending: 0, paused: 0, last: null }

/**
 * The health of each recipient: those with deliveries, latest first, then the endpoints that have none yet.
 * @param endpoints the endpoints that are not deleted; recipients that are other endpoints are omitted
 */
export function healthOf(recipients: readonly Recipient[], endpoints: readonly Endpoint[]) {
  const unused = endpoints
    .filter(({ id }) => !recipients.some(({ endpointId }) => endpointId === id))
    .map(({ id, url }) => ({ ...NOTHING_SENT, url, endpointId: id }))
  return [...recipients, ...unused].flatMap((recipient) => {
    const { url, endpointId, last, delivered, failing, failed, faulty, pending, paused } = recipient
    const endpoint = endpoints.find(({ id }) => id === endpointId)
    if (endpointId !== null && endpoint === undefined) return []
    const others = Object.entries({ failing, failed, faulty, pending, paused }).filter(
      ([, count]) => count > 0,
    )
    return {
      url,
      endpointId,
      kind: endpointId === null ? 'webhook_url of payments' : 'endpoint',
      badge: badgeOf(recipient, endpoint),
      last: last === null ? undefined : { outcome: outcomeOf(last), at: last.at },
      // Those that matter.
      counts: [['delivered', delivered] as const, ...others],
    }
  })
}

function badgeOf({ last, paused }: Omit<Recipient, 'url'>, endpoint: Endpoint | undefined): Badge {
  if (paused > 0) return { text: 'hookproof listen is not running', tone: 'warning' }
  if (endpoint?.isEnabled === false) return { text: 'Disabled', tone: 'neutral' }
  if (last === null) return { text: 'Nothing sent yet', tone: 'neutral' }
  if (last.onPurpose) return { text: 'Wrong on purpose only', tone: 'neutral' }
  const { status } = last
  if (status === null) return { text: 'No response', tone: 'error' }
  if (status === 200) return { text: 'Healthy (200)', tone: 'success' }
  if (status > 200 && status < 300) return { text: `Returns ${status}, not 200`, tone: 'warning' }
  return { text: `Failing (${status})`, tone: 'error' }
}

/** A short label and the tone that colors it; each tone is a CSS class. */
export interface Badge {
  readonly text: string
  readonly tone: 'success' | 'error' | 'pending' | 'warning' | 'neutral'
}

const PAYMENT_TONES: Readonly<Record<PaymentStatus, Badge['tone']>> = {
  pending: 'pending',
  partial: 'warning',
  completed: 'success',
  failed: 'error',
  expired: 'error',
  refunded: 'neutral',
}

/** The badge of a payment's status. */
export const paymentBadge = ({ status }: Pick<Payment, 'status'>): Badge => ({
  text: status,
  tone: PAYMENT_TONES[status],
})
