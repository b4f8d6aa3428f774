import type { Router } from 'express'
import type { Listen } from '../../schemas/types.ts'
import type { Context } from '../compose.ts'
import { NOT_SHOWN } from '../deliveries/sender.ts'
import { ApiError } from '../errors.ts'
import { jsonBody } from '../http/bodies.ts'
import { lineStream } from '../http/streams.ts'
import { type Attempt, type Delivery, EVENT_NAMES, type Event, type EventName } from '../model.ts'
import { addressNames, dashboardPath } from '../pages/addresses.ts'

/** The interval of the empty lines that keep the connection alive, in milliseconds. */
const HEARTBEAT_MS = 5_000
/** For how many deliveries the last reported attempt is remembered. */
const REMEMBERED = 10_000

/**
 * For `hookproof listen`: while the connection is open, events go to a local URL. The response reports each attempt twice,
 * when it starts and when it ends, and when its endpoint is deleted, disabled or enabled. Without a URL it reports the
 * attempts of all deliveries. The response is lines of JSON; empty lines are heartbeats.
 */
export function listenRoutes(router: Router, context: Context): void {
  const { feed, forwards, store } = context

  router.post('/listen', ...jsonBody('api/listen'), ({ body }, response) => {
    const { forward_to: to, events: names, backfill_ms: backfillMs, capture, ...how }: Listen = body
    const events = eventsOf(names)
    const forward = to === undefined ? undefined : forwards.start(to, events, { ...how, backfillMs })
    response.set({ 'Content-Type': 'application/x-ndjson', 'X-Accel-Buffering': 'no' })
    const stream = lineStream(response, {
      heartbeat: '\n',
      intervalMs: HEARTBEAT_MS,
      slow: () => lineOf({ type: 'gone', why: 'slow' }),
      onEnd: () => {
        unsubscribe()
        forward?.end()
      },
    })
    const write = (line: object): void => stream.write(lineOf(line))
    const report = attemptReporter(context, write, {
      events,
      endpointId: forward?.endpointId,
      captures: capture === true,
    })
    const unsubscribe = feed.subscribe(({ kind, id }) => {
      if (kind === 'delivery' && id !== undefined) report(id)
      if (kind === 'endpoint' && id !== undefined && id === forward?.endpointId) watch(id)
      // The endpoint is gone: the listener must register again.
      if (kind === 'reset') end('reset')
    })
    let isEnabled = true
    /** Reports when the endpoint is deleted, disabled or enabled, since a listener would otherwise wait in vain. */
    function watch(endpointId: string): void {
      const endpoint = store.endpoints.get(endpointId)
      if (endpoint === undefined || endpoint.deletedAt !== null) return end('deleted')
      if (endpoint.isEnabled === isEnabled) return
      isEnabled = endpoint.isEnabled
      write({ type: isEnabled ? 'on' : 'off', endpoint: endpointId })
    }
    const end = (why: 'deleted' | 'reset'): void => stream.end(lineOf({ type: 'gone', why }))
    write({
      type: 'ready',
      secret: forward?.secret ?? null,
      ...(forward?.missed && { missed: forward.missed }),
      ...(forward?.backfilled && { backfilled: forward.backfilled }),
    })
  })
}

/** Creates a function that reports a changed delivery: the attempt that started, or the one that ended. */
function attemptReporter(
  context: Context,
  write: (line: object) => void,
  {
    events,
    endpointId,
    captures,
  }: { events: readonly EventName[]; endpointId: string | undefined; captures: boolean },
) {
  const { store } = context
  const ended = new Map<string, number>()
  const startedAt = context.clock.now()
  const nameOf = addressNames(context)
  const pageOf = ({ id, organizationId }: Event): string => {
    const organization = store.organizations.get(organizationId)
    return organization === undefined ? '/' : `${dashboardPath(organization)}/events/${id}`
  }
  /** What an attempt sent, without the user's own header lines; nothing if it sent nothing. */
  const sentIn = ({ url, endpointId, body }: Delivery, event: Event, { requestHeaders }: Attempt) => {
    const { pathname, search } = context.forwards.routeOf(endpointId) ?? new URL(url)
    const headers = Object.entries(requestHeaders).filter(([, value]) => value !== NOT_SHOWN)
    if (headers.length === 0) return {}
    const bytes = Buffer.from(body ?? event.body)
    return { request: { method: 'POST', path: pathname + search, headers, body: bytes.toString('base64') } }
  }
  return (id: string): void => {
    const delivery = store.deliveries.get(id)
    const event = delivery && store.events.get(delivery.eventId)
    if (delivery === undefined || event === undefined || !events.includes(event.name)) return
    if (endpointId !== undefined && delivery.endpointId !== endpointId) return
    const { state, attempts: number, url, faultyAttempts } = delivery
    const about = {
      delivery: id,
      event_id: event.id,
      event_url: `${context.origin()}${pageOf(event)}`,
      event: event.name,
      payment_id: event.paymentId,
      url,
      shown_url: nameOf(delivery),
    }
    const last = store.deliveries.attempts(id).at(-1)
    if (last !== undefined && last.number > (ended.get(id) ?? 0)) {
      const { status, error, detail, durationMs: ms } = last
      ended.set(id, last.number)
      // A delivery that goes on had attempts while nobody listened.
      if (last.startedAt + ms >= startedAt)
        write({
          type: 'answer',
          ...about,
          attempt: last.number,
          status,
          error,
          detail,
          ms,
          ...(last.number <= faultyAttempts && { faulty: true }),
          ...(captures && sentIn(delivery, event, last)),
        })
    }
    if (state === 'in_flight' && number !== last?.number) {
      write({ type: 'delivery', ...about, attempt: number })
    }
    const [oldest] = ended.keys()
    if (ended.size > REMEMBERED && oldest !== undefined) ended.delete(oldest)
  }
}

const lineOf = (line: object): string => `${JSON.stringify(line)}\n`

function eventsOf(names: readonly string[] = EVENT_NAMES): readonly EventName[] {
  const unknown = names.find((name) => !EVENT_NAMES.some((known) => known === name))
  if (unknown !== undefined) {
    throw new ApiError(400, `Unknown event ${unknown}. The events are ${EVENT_NAMES.join(', ')}.`)
  }
  return EVENT_NAMES.filter((name) => names.includes(name))
}
