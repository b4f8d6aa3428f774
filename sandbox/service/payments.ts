import type { PaymentMethod } from '../../schemas/types.ts'
import type { Chaos } from '../deliveries/index.ts'
import type { Action } from '../domain/actions.ts'
import { followRoot, switchMethod } from '../domain/children.ts'
import { IllegalTransition } from '../domain/errors.ts'
import { apply } from '../domain/transitions.ts'
import { newId } from '../ids.ts'
import type { Change, DeliveryCause, Event, Mode, Payment } from '../model.ts'
import type { Clock, Deliverer, Feed } from '../ports.ts'
import type { Store } from '../store/store.ts'
import { emit, enqueue } from './emit.ts'

/** What a payment is made of. Interface 2.4; `method` is for the checkout and the tests. */
interface NewPayment {
  organisationId: string
  mode: Mode
  amount: string
  currency: string
  returnUrl?: string | undefined
  webhookUrl?: string | undefined
  metadata?: Record<string, string> | undefined
  method?: PaymentMethod | undefined
}

/**
 * Everything that changes payments: the API, the checkout, the dashboard and the clock all go through it. What a call
 * changed is on the disk when it returns, or with the `store.write` that it stands in; nobody is told of it before.
 */
export interface PaymentService {
  create: (payment: NewPayment) => Payment
  /**
   * Does something to a payment, and tells everyone of it in the same transaction.
   * @param options chaos: what is to go wrong with the deliveries, by default what the sandbox was started with
   * @throws NoSuchPayment, IllegalTransition, BadAction
   */
  act: (id: string, action: Action, options?: { chaos?: Chaos }) => { payment: Payment; event: Event }
  /** @throws NoSuchPayment, IllegalTransition, BadAction. Interface 2.2 rule 1 */
  switchMethod: (id: string, method: PaymentMethod) => Payment
  /**
   * Sends payment.completed once more, the same bytes, to everyone who should have it now. Interface 4.7.
   * @returns the event and how many it goes to
   * @throws NoSuchPayment; IllegalTransition unless the payment is completed
   */
  resend: (id: string) => { event: Event; deliveries: number }
  /** Sends any event once more, the same bytes, to everyone who should have it now. @returns how many that are */
  sendAgain: (event: Event) => number
}

/** There is no root payment of this id. */
export class NoSuchPayment extends Error {
  override readonly name = 'NoSuchPayment'
  readonly code = 'no_such_payment'

  constructor(id: string) {
    super(`there is no payment ${id}.`)
  }
}

/** What the services stand on. */
export interface Base {
  store: Store
  clock: Clock
  feed: Feed
  deliverer: Deliverer
  /** Draws from 0 up to 1, for chaos; the seed decides. */
  random: () => number
  /** What goes wrong with every delivery that nobody asked something else for. */
  chaos?: Chaos | undefined
}

/** Makes the service on payments. */
export function paymentService({
  store,
  clock,
  feed,
  deliverer,
  random,
  chaos: usual,
}: Base): PaymentService {
  function existing(id: string): Payment {
    const payment = store.payments.get(id)
    if (payment === undefined) throw new NoSuchPayment(id)
    return payment
  }

  const enqueueAgain = (payment: Payment, event: Event, cause: DeliveryCause): number =>
    enqueue(store, payment, event, { cause, now: clock.now(), chaos: null, random })

  function switched(payment: Payment, method: PaymentMethod): Payment {
    const { payment: root, child } = switchMethod(payment, method, newId('tx_'), clock.now())
    for (const left of store.payments.children(payment.id)) {
      if (left.status === 'pending') store.payments.update(followRoot(left, root, false))
    }
    store.payments.insert(child)
    store.payments.update(root)
    return root
  }

  /** Tells of changes once they are on the disk; an event has deliveries, which the queue is to look for. */
  function tell(...changes: Change[]): void {
    store.afterCommit(() => {
      for (const change of changes) feed.publish(change)
      if (changes.some(({ kind }) => kind === 'event')) deliverer.wake()
    })
  }

  return {
    create: (given) => {
      const now = clock.now()
      const { organisationId, mode, amount, currency, returnUrl, webhookUrl, metadata, method } = given
      const payment: Payment = {
        id: newId('tx_'),
        parentId: null,
        organisationId,
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
      store.payments.insert(payment)
      tell({ kind: 'payment', id: payment.id })
      return payment
    },

    act: (id, action, { chaos = usual } = {}) => {
      const result = store.transaction(() => {
        const before = existing(id)
        const wanted = 'method' in action ? action.method : undefined
        const mustSwitch = before.status === 'pending' && before.method !== null && wanted !== undefined
        const payment = mustSwitch && wanted !== before.method ? switched(before, wanted) : before
        const now = clock.now()
        const transition = apply(payment, action, now)
        store.payments.update(transition.payment)
        const last = store.payments.children(id).at(-1)
        if (last !== undefined) store.payments.update(followRoot(last, transition.payment, true))
        return {
          payment: transition.payment,
          event: emit(store, transition, { now, chaos: chaos ?? null, random }),
        }
      })
      tell({ kind: 'payment', id }, { kind: 'event', id: result.event.id })
      return result
    },

    switchMethod: (id, method) => {
      const payment = store.transaction(() => switched(existing(id), method))
      tell({ kind: 'payment', id })
      return payment
    },

    resend: (id) => {
      const result = store.transaction(() => {
        const payment = existing(id)
        const event = store.events.ofPayment(id).findLast(({ name }) => name === 'payment.completed')
        if (payment.status !== 'completed' || event === undefined) {
          throw new IllegalTransition(id, payment.status, 'have its payment.completed sent again')
        }
        return { event, deliveries: enqueueAgain(payment, event, 'resend') }
      })
      tell({ kind: 'event', id: result.event.id })
      return result
    },

    sendAgain: (event) => {
      const deliveries = store.transaction(() => enqueueAgain(existing(event.paymentId), event, 'redelivery'))
      tell({ kind: 'event', id: event.id })
      return deliveries
    },
  }
}
