import type { PaymentMethod } from '../../schemas/types.ts'
import { type Chaos, planCopies } from '../deliveries/chaos.ts'
import type { Deliveries } from '../deliveries/index.ts'
import type { Action } from '../domain/actions.ts'
import { eventBytes, type Recipient, recipientsOf } from '../domain/events.ts'
import { apply, followRoot, switchMethod } from '../domain/transitions.ts'
import { IllegalTransition, Rejection } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Change, DeliveryCause, Event, Mode, Payment } from '../model.ts'
import type { Clock, Feed } from '../ports.ts'
import type { Store } from '../store/store.ts'

/** The fields of a new payment. Interface 2.4; `method` is for the checkout and the tests. */
type NewPayment = {
  organizationId: string
  mode: Mode
  amount: string
  currency: string
  returnUrl?: string | undefined
  webhookUrl?: string | undefined
  metadata?: Record<string, string> | undefined
  method?: PaymentMethod | undefined
}

export type PaymentService = ReturnType<typeof paymentService>

/** A payment that nothing has happened to yet. */
export function pendingPayment(id: string, input: NewPayment, now: number): Payment {
  const { organizationId, mode, amount, currency, returnUrl, webhookUrl, metadata, method } = input
  return {
    id,
    parentId: null,
    organizationId,
    mode,
    status: 'pending',
    amount,
    currency,
    returnUrl: returnUrl ?? null,
    webhookUrl: webhookUrl ?? null,
    metadata: metadata ?? {},
    amountReceived: null,
    method: method ?? null,
    settledVia: null,
    refundType: null,
    failureCode: null,
    failureReason: null,
    createdAt: now,
    updatedAt: now,
    windowEndsAt: null,
  }
}

type ActOptions = {
  readonly chaos?: Chaos
  readonly recipients?: readonly Recipient[]
}

interface EventOptions {
  readonly chaos?: Chaos | null
  readonly recipients?: readonly Recipient[] | undefined
  readonly now?: number
}

/** No root payment has this id. */
export class NoSuchPayment extends Rejection {
  readonly status = 404
  override readonly name = 'NoSuchPayment'
  readonly code = 'no_such_payment'

  constructor(id: string) {
    super(`payment ${id} does not exist.`)
  }
}

export interface Base {
  store: Store
  clock: Clock
  feed: Feed
  deliverer: Pick<Deliveries, 'wake' | 'endpointDeleted'>
  /** Random numbers from 0 to 1 for chaos, derived from the seed. */
  random: () => number
  /** Faults to inject into every delivery without its own chaos. */
  chaos?: Chaos | undefined
}

/**
 * Everything that changes payments: the API, the checkout, the dashboard and the clock all use it. A change is on disk
 * when the call returns, or when the surrounding `store.write` resolves; it is published only then.
 */
export function paymentService({ store, clock, feed, deliverer, random, chaos: defaultChaos }: Base) {
  function existing(id: string): Payment {
    const payment = store.payments.get(id)
    if (payment === undefined) throw new NoSuchPayment(id)
    return payment
  }

  /** Stores a delivery of an event for each recipient, by default those of interface 6 rule 1. @returns their number */
  function enqueue(
    payment: Payment,
    event: Event,
    cause: DeliveryCause,
    { chaos = null, recipients, now = clock.now() }: EventOptions = {},
  ): number {
    const { id: eventId, organizationId } = event
    const chosen =
      recipients ?? recipientsOf(payment, event.name, store.endpoints.ofOrganization(organizationId))
    for (const { url, endpointId } of chosen) {
      for (const { delayMs, body } of planCopies(chaos, event.body, random)) {
        const delivery = { id: newId('dlv_'), eventId, organizationId, endpointId, url, cause, body }
        store.deliveries.insert({
          ...delivery,
          nextAttemptAt: now + delayMs,
          chaos: chaos && { ...chaos },
          createdAt: now,
        })
      }
    }
    return chosen.length
  }

  function switched(payment: Payment, method: PaymentMethod): Payment {
    const { payment: root, child } = switchMethod(payment, method, newId('tx_'), clock.now())
    for (const earlier of store.payments.children(payment.id)) {
      if (earlier.status === 'pending') store.payments.update(followRoot(earlier, root, false))
    }
    store.payments.insert(child)
    store.payments.update(root)
    return root
  }

  /** Publishes changes once they are on disk. An event has deliveries, so the queue is woken. */
  function publish(...changes: Change[]): void {
    store.afterCommit(() => {
      for (const change of changes) feed.publish(change)
      if (changes.some(({ kind }) => kind === 'event')) deliverer.wake()
    })
  }

  /**
   * Applies an action to a payment, and queues its event in the same transaction.
   * @param options chaos: faults to inject into the deliveries, by default those of the sandbox; recipients: instead of
   * those of interface 6 rule 1
   * @throws NoSuchPayment, IllegalTransition, BadAction
   */
  function act(id: string, action: Action, { chaos = defaultChaos, recipients }: ActOptions = {}) {
    const result = store.transaction(() => {
      const before = existing(id)
      const method = 'method' in action ? action.method : undefined
      const mustSwitch = before.status === 'pending' && before.method !== null && method !== undefined
      const payment = mustSwitch && method !== before.method ? switched(before, method) : before
      const now = clock.now()
      const transition = apply(payment, action, now)
      store.payments.update(transition.payment)
      const last = store.payments.children(id).at(-1)
      if (last !== undefined) store.payments.update(followRoot(last, transition.payment, true))
      // Stored with the change of the payment, so that neither is stored without the other. Its bytes never change.
      const { event: name, simulated } = transition
      const event: Event = {
        id: newId('evt_'),
        paymentId: id,
        organizationId: payment.organizationId,
        name,
        mode: payment.mode,
        body: eventBytes(transition.payment, { name, simulated, at: now }),
        createdAt: now,
      }
      store.events.insert(event)
      enqueue(transition.payment, event, 'event', { chaos: chaos ?? null, recipients, now })
      return { payment: transition.payment, event }
    })
    publish({ kind: 'payment', id }, { kind: 'event', id: result.event.id })
    return result
  }

  return {
    create: (input: NewPayment): Payment => {
      const payment = pendingPayment(newId('tx_'), input, clock.now())
      store.payments.insert(payment)
      publish({ kind: 'payment', id: payment.id })
      return payment
    },

    act,

    /**
     * Ends the 24-hour window of one payment now; the clock stays as it is, and so do the windows of others.
     * @throws NoSuchPayment; IllegalTransition unless the window is open
     */
    endWindow: (id: string, options: ActOptions = {}) =>
      store.transaction(() => {
        const payment = existing(id)
        if (payment.windowEndsAt !== null) store.payments.update({ ...payment, windowEndsAt: clock.now() })
        return act(id, { type: 'end_window' }, options)
      }),

    /** @throws NoSuchPayment, IllegalTransition, BadAction. Interface 2.2 rule 1 */
    switchMethod: (id: string, method: PaymentMethod): Payment => {
      const payment = store.transaction(() => switched(existing(id), method))
      publish({ kind: 'payment', id })
      return payment
    },

    /**
     * Resends payment.completed, with the same bytes, to all current recipients. Interface 4.7.
     * @returns the event and the number of recipients
     * @throws NoSuchPayment; IllegalTransition unless the payment is completed
     */
    resend: (id: string) => {
      const result = store.transaction(() => {
        const payment = existing(id)
        const event = store.events.ofPayment(id).findLast(({ name }) => name === 'payment.completed')
        if (payment.status !== 'completed' || event === undefined) {
          throw new IllegalTransition(id, payment.status, 'payment.completed cannot be resent')
        }
        return { event, deliveries: enqueue(payment, event, 'resend') }
      })
      publish({ kind: 'event', id: result.event.id })
      return result
    },

    /** Resends any event, with the same bytes, to all current recipients. @returns the number of recipients */
    resendEvent: (event: Event): number => {
      const deliveries = store.transaction(() => enqueue(existing(event.paymentId), event, 'redelivery'))
      publish({ kind: 'event', id: event.id })
      return deliveries
    },
  }
}
