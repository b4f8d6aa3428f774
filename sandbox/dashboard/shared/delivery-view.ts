import type { Attempt, Delivery, Endpoint } from '../../model.ts'

/** How a thing is marked: in words, and in the class that gives it its colour. */
export interface Mark {
  readonly text: string
  readonly tone: 'good' | 'bad' | 'wait' | 'odd' | 'dull'
}

/** A delivery as the screens show it. */
export interface DeliveryView {
  readonly id: string
  /** Where it goes, as people call it. */
  readonly url: string
  /** What the URL is: a registered endpoint, what the payment named, or what a person typed. */
  readonly recipient: string
  readonly mark: Mark
  /** Things worth knowing beside the state. */
  readonly notes: readonly Mark[]
  readonly attempts: number
  /** What came of the last attempt; undefined before the first has ended. */
  readonly last: string | undefined
  /** When the next attempt comes; undefined when none does. */
  readonly nextAt: number | undefined
  readonly canRetry: boolean
  readonly canCancel: boolean
  readonly canRedeliver: boolean
  /** Whether another body can be sent to the same recipient, whatever became of this one. */
  readonly canEdit: boolean
}

const MARKS: Readonly<Record<Delivery['state'], Mark>> = {
  pending: { text: 'waiting', tone: 'wait' },
  in_flight: { text: 'in flight', tone: 'wait' },
  delivered: { text: 'delivered', tone: 'good' },
  failed: { text: 'failed', tone: 'bad' },
  cancelled: { text: 'cancelled', tone: 'dull' },
}

const CAUSES: Readonly<Record<Delivery['cause'], string | undefined>> = {
  event: undefined,
  resend: 'resent by the API',
  redelivery: 'sent again',
  edited: 'edited',
}

/**
 * @param endpoint the one it goes to, if it goes to one; deleted ones too
 * @param last the latest attempt that has ended
 * @param isTyped whether a person typed the address that it goes to
 * @param url what people call that address
 */
export function deliveryView(delivery: Delivery, { endpoint, last, isTyped, url }: Around): DeliveryView {
  const { id, endpointId, state, attempts, nextAttemptAt } = delivery
  const isGone = endpointId !== null && endpoint?.deletedAt !== null
  const isRetrying = state === 'pending' && attempts > 0
  return {
    id,
    url,
    recipient: isTyped
      ? 'an address typed here'
      : endpointId === null
        ? 'webhook_url of the payment'
        : isGone
          ? 'deleted endpoint'
          : 'endpoint',
    mark: isRetrying ? { text: 'waiting to retry', tone: 'odd' } : MARKS[state],
    notes: notesOf(delivery),
    attempts,
    last: last && outcomeOf(last),
    nextAt: state === 'pending' ? nextAttemptAt : undefined,
    canRetry: state === 'pending',
    canCancel: state === 'pending' || state === 'in_flight',
    canEdit: !isGone,
    canRedeliver: !isGone && state !== 'pending' && state !== 'in_flight',
  }
}

/** What has to be known beside the delivery itself. */
interface Around {
  readonly endpoint: Endpoint | undefined
  readonly last: Attempt | undefined
  readonly isTyped: boolean
  readonly url: string
}

/** What came of an attempt, in a few words. */
export function outcomeOf({ status, error, detail, durationMs }: Outcome): string {
  if (status !== null) return `${status} in ${durationMs} ms`
  return detail ?? error ?? 'nothing came back'
}

type Outcome = Pick<Attempt, 'status' | 'error' | 'detail' | 'durationMs'>

function notesOf({ cause, flagged, chaos }: Delivery): Mark[] {
  const why = CAUSES[cause]
  return [
    ...(why === undefined ? [] : [{ text: why, tone: 'dull' as const }]),
    ...(flagged ? [{ text: 'acknowledged, but not by 200', tone: 'odd' as const }] : []),
    ...(chaos === null ? [] : [{ text: `chaos: ${Object.keys(chaos).join(', ')}`, tone: 'odd' as const }]),
  ]
}
