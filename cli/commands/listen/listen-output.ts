import colors from 'picocolors'
import { counted } from '../../../conformance/report/wording.ts'

/** What the sandbox reports to a listener, a line of JSON each; `lost` comes from `hookproof listen` itself. */
export type ListenEvent =
  | {
      readonly type: 'ready'
      readonly secret: string | null
      readonly missed?: number
      readonly backfilled?: number
    }
  | { readonly type: 'lost' }
  | { readonly type: 'gone'; readonly why: 'deleted' | 'reset' | 'slow' }
  | { readonly type: 'off' | 'on'; readonly endpoint: string }
  | (Attempt & { readonly type: 'delivery' })
  | (Attempt & Outcome & { readonly type: 'answer' })

interface Attempt {
  readonly delivery: string
  readonly event_id: string
  /** The page of the event. */
  readonly event_url: string
  readonly event: string
  readonly payment_id: string
  readonly attempt: number
  readonly shown_url: string
}

interface Outcome {
  /** Set if the attempt was wrong on purpose. */
  readonly faulty?: true
  readonly status: number | null
  readonly error: string | null
  readonly detail: string | null
  readonly ms: number
}

/** The listener that the lines are for. */
interface Listener {
  /** Of the sandbox. */
  readonly url: string
  readonly forwardTo: string | undefined
  /** Whether it is one of several that events are forwarded to. */
  readonly isOneOfSeveral: boolean
  /** The secret that was printed last; undefined before the first time. */
  readonly secret: string | null | undefined
  readonly color: boolean
  /** The local time of day, for example `14:03:07`. */
  readonly time: string
}

const GONE = {
  reset: 'The sandbox was reset.',
  deleted: 'Listener endpoint was deleted; registering a new one.',
  slow: 'The output of this command was not read fast enough, so the sandbox closed its connection.',
} as const

/** A line for people. */
export function lineOf(event: ListenEvent, listener: Listener): string {
  switch (event.type) {
    case 'ready':
      return ready(event.secret, listener) + backfilled(event.backfilled) + missed(event.missed, listener)
    case 'lost':
      return `Lost the connection to ${listener.url}: nothing is delivered until the sandbox is back.`
    case 'gone':
      return GONE[event.why]
    case 'off':
      return `Listener endpoint ${event.endpoint} was disabled: nothing is delivered until it is enabled again.`
    case 'on':
      return 'Listener endpoint was enabled again.'
    case 'delivery':
      return `${timeOf(listener)}  --> ${nameOf(event, listener)}  ${event.event_id}`
    case 'answer':
      return `${timeOf(listener)}  <-- ${nameOf(event, listener)}  ${outcomeOf(event, listener)}  ${linkOf(event, listener)}`
  }
}

function ready(secret: string | null, { url, forwardTo, secret: previous }: Listener): string {
  if (previous === undefined) {
    if (forwardTo === undefined)
      return `Printing the deliveries of ${url}, and forwarding none: add --forward-to to send them to a receiver on this machine. Press Ctrl-C to stop.`
    return `Forwarding events from ${url} to ${forwardTo}, signed with ${secret}. Press Ctrl-C to stop.`
  }
  if (secret === previous) return `Reconnected to ${url}.`
  return `Reconnected to ${url}. The signing secret has changed: set the receiver's to ${secret}`
}

/** Events that occurred earlier and are sent now. @param count undefined if there are none */
const backfilled = (count: number | undefined): string =>
  count === undefined ? '' : `\nSending ${counted(count, 'event')} that the receiver has not been sent.`

/** Events that occurred while the command was stopped or the connection lost. @param count undefined if there are none */
function missed(count: number | undefined, { url }: Listener): string {
  if (count === undefined) return ''
  const [events, them] = count === 1 ? ['1 event', 'it'] : [`${count} events`, 'them']
  return `\n${events} occurred meanwhile and ${count === 1 ? 'was' : 'were'} not sent. To send ${them}, start with --backfill, or resend ${them} on the Events page of ${url}/dashboard.`
}

/** What a response to a valid delivery most likely means, and how to see it. */
const HINTS: Readonly<Record<number, string>> = {
  400: 'most likely the receiver reads another signature header, or its clock is off',
  401: 'most likely the receiver does not hash the raw body, or has another signing secret',
  403: 'most likely CSRF protection or a login stands before the route: exempt it, since the signature protects it',
}

/** A command with the same path would get the same answer. */
const NO_ROUTE =
  'the receiver has no POST route at this path: restart with the path of its webhook route in --forward-to, such as http://localhost:3000/webhooks'

/**
 * The likely cause of a refusal; undefined where the response says nothing about it.
 * @param check the command that names the cause
 */
export function hintAt(status: number | null, check: string): string | undefined {
  if (status === 404) return `  404: ${NO_ROUTE}.`
  const hint = HINTS[status ?? 0]
  return hint && `  ${status}: ${hint}. To see the cause and its fix: ${check}`
}

const timeOf = ({ time, color }: Listener): string => colors.createColors(color).dim(time)

const linkOf = ({ event_url: url }: Attempt, { color }: Listener): string =>
  colors.createColors(color).dim(url)

/** The recipient is printed only when it can be anyone. */
function nameOf(
  { event, payment_id: payment, attempt, shown_url: url }: Attempt,
  { forwardTo, isOneOfSeveral }: Listener,
): string {
  const recipient = forwardTo === undefined || isOneOfSeveral ? `  ${forwardTo ?? url}` : ''
  return `${event.padEnd(17)} ${payment}${recipient}${attempt > 1 ? `  attempt ${attempt}` : ''}`
}

function outcomeOf({ status, error, detail, ms }: Outcome, { color, forwardTo }: Listener): string {
  const { green, yellow, red } = colors.createColors(color)
  const isOther2xx = status !== null && status > 200 && status < 300
  const paint = status === 200 ? green : isOther2xx ? yellow : red
  const advice =
    error === 'certificate' && forwardTo !== undefined
      ? '; pass it as --ca, or accept any with --insecure'
      : ''
  const note = isOther2xx ? ', but must be 200' : ''
  return `${paint(String(status ?? error ?? ''))} in ${ms} ms${note}${detail ? `: ${detail}${advice}` : ''}`
}
