import { type Response, Router } from 'express'
import { ApiError } from '../api/errors.ts'
import type { Context } from '../context.ts'
import { SandboxError } from '../errors.ts'
import { EVENT_NAMES, type EventName } from '../model.ts'
import { addressNames } from '../pages/address.ts'
import { attempts } from '../store/attempts.ts'

/** Says in between that the connection stands, in milliseconds. */
const HEARTBEAT_MS = 5_000

/** Of so many deliveries it is known which attempt was told of last. */
const REMEMBERED = 10_000

/**
 * For `hookproof listen`: as long as the connection stands, events go to an address of this machine, and each attempt is
 * told of twice, when it begins and when it has ended; so is that its endpoint was deleted, or switched off and on. Without
 * an address the attempts of all deliveries are told of.
 * Lines of JSON; an empty one says that nothing has happened.
 */
export function listenRoutes(context: Context): Router {
  const { feed, forwards, store } = context
  const router = Router()

  router.post('/listen', ({ query }, response) => {
    const to = query['forward_to']
    const events = eventsOf(query['events'])
    const forward = typeof to === 'string' ? begin(to, events) : undefined
    const tell = teller(context, response, { events, endpointId: forward?.endpointId })

    response.set({ 'Content-Type': 'application/x-ndjson', 'X-Accel-Buffering': 'no' })
    const heartbeat = setInterval(() => response.write('\n'), HEARTBEAT_MS)
    const unsubscribe = feed.subscribe(({ kind, id }) => {
      if (kind === 'delivery' && id !== undefined) tell(id)
      if (kind === 'endpoint' && id !== undefined && id === forward?.endpointId) watch(id)
      // Its endpoint is gone: it is to come back for another.
      if (kind === 'reset') leave('reset')
    })
    let isEnabled = true
    /** Nothing comes through an endpoint that someone has deleted or switched off: whoever listens is to know. */
    function watch(endpointId: string): void {
      const endpoint = store.endpoints.get(endpointId)
      if (endpoint === undefined || endpoint.deletedAt !== null) return leave('deleted')
      if (endpoint.isEnabled === isEnabled) return
      isEnabled = endpoint.isEnabled
      write(response, { type: isEnabled ? 'on' : 'off', endpoint: endpointId })
    }
    function leave(why: 'deleted' | 'reset'): void {
      if (response.writableEnded) return
      write(response, { type: 'gone', why })
      response.end()
    }
    response.on('close', () => {
      clearInterval(heartbeat)
      unsubscribe()
      forward?.end()
    })
    write(response, { type: 'ready', secret: forward?.secret ?? null })
  })

  function begin(to: string, events: readonly EventName[]) {
    try {
      return forwards.start(to, events)
    } catch (error) {
      throw error instanceof SandboxError ? new ApiError(400, error.message) : error
    }
  }

  return router
}

/** Makes what tells of a delivery that has changed: of the attempt that has begun, or of the one that has ended. */
function teller(
  context: Context,
  response: Response,
  { events, endpointId }: { events: readonly EventName[]; endpointId: string | undefined },
) {
  const { store } = context
  const tried = attempts(store.database)
  const ended = new Map<string, number>()
  const nameOf = addressNames(context)
  return (id: string): void => {
    const delivery = store.deliveries.get(id)
    const event = delivery && store.events.get(delivery.eventId)
    if (delivery === undefined || event === undefined || !events.includes(event.name)) return
    if (endpointId !== undefined && delivery.endpointId !== endpointId) return
    const { state, attempts: number, url } = delivery
    const of = {
      delivery: id,
      event_id: event.id,
      event: event.name,
      payment_id: event.paymentId,
      url,
      shown_url: nameOf(delivery),
    }
    const last = tried.ofDelivery(id).at(-1)
    if (last !== undefined && last.number > (ended.get(id) ?? 0)) {
      const { status, error, detail, durationMs: ms } = last
      ended.set(id, last.number)
      write(response, { type: 'answer', ...of, attempt: last.number, status, error, detail, ms })
    }
    if (state === 'in_flight' && number !== last?.number) {
      write(response, { type: 'delivery', ...of, attempt: number })
    }
    const [oldest] = ended.keys()
    if (ended.size > REMEMBERED && oldest !== undefined) ended.delete(oldest)
  }
}

function write(response: Response, line: object): void {
  response.write(`${JSON.stringify(line)}\n`)
}

function eventsOf(given: unknown): readonly EventName[] {
  if (typeof given !== 'string' || given === '') return EVENT_NAMES
  const names = given.split(',')
  const unknown = names.find((name) => !EVENT_NAMES.some((known) => known === name))
  if (unknown !== undefined) {
    throw new ApiError(400, `There is no event ${unknown}: ${EVENT_NAMES.join(', ')}.`)
  }
  return EVENT_NAMES.filter((name) => names.includes(name))
}
