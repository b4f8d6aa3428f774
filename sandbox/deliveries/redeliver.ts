import { setImmediate as nextTurn } from 'node:timers/promises'
import { Rejection } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Clock } from '../ports.ts'
import { outbox } from '../store/deliveries.ts'
import { type Resendable, type Resent, resentOf } from '../store/resends.ts'
import type { Store } from '../store/store.ts'
import type { Queue } from './queue.ts'

/** A delivery cannot be resent; the message says why. */
class RedeliveryError extends Rejection {
  override readonly name = 'RedeliveryError'
  readonly code: 'no_such_delivery' | 'endpoint_deleted'
  readonly status: number

  constructor(code: RedeliveryError['code'], message: string) {
    super(message)
    this.code = code
    this.status = code === 'no_such_delivery' ? 404 : 409
  }
}

/** How many of thousands of deliveries are resent in one turn of the event loop. */
const AT_ONCE = 100

/** Manual resends: each creates a new delivery, so that the old one keeps its record. */
export function redelivery(parts: {
  store: Store
  clock: Clock
  queue: Pick<Queue, 'wake' | 'retryNow'>
  onFailure: (error: unknown) => void
}) {
  const { store, clock, queue, onFailure } = parts
  const box = outbox(store.database)
  const stop = new AbortController()
  /** What was resent together; its index and one are its id. */
  const resends: Resent[] = []
  let last = Promise.resolve()

  async function carryOut(resend: Resent, { failed, failing }: Resendable): Promise<void> {
    const resendOne = (id: string): void => {
      if (!box.resend(id, { id: newId('dlv_'), now: clock.now() })) resend.total -= 1
    }
    const all = [
      ...failing.map((id) => () => void queue.retryNow(id)),
      ...failed.map((id) => () => resendOne(id)),
    ]
    resend.after = store.deliveries.last()
    for (let next = 0; next < all.length && !stop.signal.aborted; next += AT_ONCE) {
      store.transaction(() => {
        for (const work of all.slice(next, next + AT_ONCE)) work()
      })
      queue.wake()
      await nextTurn()
    }
  }

  async function inTurn(before: Promise<void>, resend: Resent, found: Resendable): Promise<void> {
    await before
    try {
      await carryOut(resend, found)
    } catch (error) {
      onFailure(error)
    }
  }

  return {
    /**
     * Resends a delivery to the same recipient: the same bytes, or an edited body, with a new `t` and without chaos.
     * @throws RedeliveryError if the delivery does not exist, or its endpoint was deleted and has no secret to sign with
     */
    redeliver(deliveryId: string, editedBody?: Uint8Array) {
      const old = store.deliveries.get(deliveryId)
      if (old === undefined) {
        throw new RedeliveryError('no_such_delivery', `delivery ${deliveryId} does not exist.`)
      }
      const { eventId, organizationId, endpointId, url } = old
      if (endpointId !== null && store.endpoints.get(endpointId)?.secret == null) {
        throw new RedeliveryError(
          'endpoint_deleted',
          `the endpoint of ${deliveryId} was deleted along with its secret. Create a new endpoint and send the event there.`,
        )
      }
      const [id, now] = [newId('dlv_'), clock.now()]
      const cause = editedBody === undefined ? 'redelivery' : 'edited'
      const body = editedBody ?? old.body
      const made = { id, eventId, organizationId, endpointId, url, cause, body, chaos: null } as const
      store.deliveries.insert({ ...made, nextAttemptAt: now, createdAt: now })
      queue.wake()
      return made
    },
    /**
     * Resends deliveries that failed and were not resent since, except to deleted endpoints, and attempts failing ones now,
     * between other work. Those that are left when the sandbox stops have still failed.
     * @returns the id of its progress
     */
    redeliverFailed(organizationId: string, found: Resendable): number {
      const resend = { organizationId, after: Number.MAX_SAFE_INTEGER, total: found.failed.length }
      last = inTurn(last, resend, found)
      return resends.push(resend)
    },
    /** Notes what was resent in another way, for its progress. @returns its id */
    noteResent: (resend: Resent): number => resends.push(resend),
    /** The states of what was resent together, with its number; undefined if an organization has no such resend. */
    progressOf(id: number, organizationId: string) {
      const resend = resends[id - 1]
      if (resend?.organizationId !== organizationId || resend.total === 0) return undefined
      return { total: resend.total, counts: resentOf(store.database, resend) }
    },
    stopRedelivering: () => stop.abort(),
  }
}
