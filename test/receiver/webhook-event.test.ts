import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Entry, Handle, ProcessingOptions, WebhookEvent } from '../../receiver/index.ts'
import type { Observation, Orders } from '../../receiver/orders.ts'
import type {
  FailureCode,
  PaymentCompletedEvent,
  PaymentExpiredEvent,
  PaymentFailedEvent,
  PaymentMethod,
  PaymentPartialEvent,
  PaymentRefundedEvent,
  PaymentStatus,
  RefundType,
  SettledVia,
  UnknownEvent,
} from '../../receiver/webhook-event.ts'
import type * as schemas from '../../schemas/types.ts'
import { parsedEvent } from './support.ts'

// `tsc` checks the types; Vitest runs the functions so that the narrowing is also seen to work.

const completed = parsedEvent({
  event: 'payment.completed',
  id: 'tx_1',
  amount: '9.00',
  amount_requested: '25.00',
  metadata: {},
})
const disputed = parsedEvent({ event: 'payment.disputed', id: 'tx_1', evidence: 'receipt' })

describe('a comparison with the name of an event', () => {
  it('gives its fields', () => {
    const amountOf = (event: WebhookEvent): string | undefined => {
      if (event.event === 'payment.completed') {
        expectTypeOf(event).toEqualTypeOf<PaymentCompletedEvent>()
        expectTypeOf(event.amount).toBeString()
        expectTypeOf(event.amount_requested).toEqualTypeOf<string | undefined>()
        expectTypeOf(event.settled_via).toEqualTypeOf<SettledVia | undefined>()
        expectTypeOf(event.metadata['order']).toEqualTypeOf<string | undefined>()
        return event.amount
      }
      expectTypeOf(event).toEqualTypeOf<
        PaymentFailedEvent | PaymentPartialEvent | PaymentRefundedEvent | PaymentExpiredEvent | UnknownEvent
      >()
      return undefined
    }
    expect([completed, disputed].map(amountOf)).toEqual(['9.00', undefined])
  })

  it('gives its fields after an early return, a disjunction and destructuring', () => {
    const early = (event: WebhookEvent): string => {
      if (event.event !== 'payment.completed') return 'nothing'
      return event.amount
    }
    const either = (event: WebhookEvent): string =>
      event.event === 'payment.completed' || event.event === 'payment.refunded' ? event.amount : 'nothing'
    const destructured = ({ event, amount }: WebhookEvent): string =>
      event === 'payment.completed' ? amount : 'nothing'
    for (const amountOf of [early, either, destructured]) {
      expect([completed, disputed].map(amountOf)).toEqual(['9.00', 'nothing'])
    }
  })

  it('gives them in a switch, which keeps a default for unknown names', () => {
    const describeEvent = (event: WebhookEvent): string => {
      switch (event.event) {
        case 'payment.completed':
        case 'payment.refunded':
          expectTypeOf(event).toEqualTypeOf<PaymentCompletedEvent | PaymentRefundedEvent>()
          return event.amount
        case 'payment.failed':
          expectTypeOf(event.failure_code).toEqualTypeOf<FailureCode | undefined>()
          return event.failure_code ?? 'provider_error'
        case 'payment.partial':
        case 'payment.expired':
          expectTypeOf(event.amount_received).toBeString()
          return event.amount_received
        default:
          expectTypeOf(event).toEqualTypeOf<UnknownEvent>()
          expectTypeOf(event.event).toExtend<string>()
          return event.event
      }
    }
    expect([completed, disputed].map(describeEvent)).toEqual(['9.00', 'payment.disputed'])
    // @ts-expect-error A switch over the listed names alone is not exhaustive.
    const incomplete = (event: WebhookEvent): string => {
      switch (event.event) {
        case 'payment.completed':
        case 'payment.failed':
        case 'payment.partial':
        case 'payment.refunded':
        case 'payment.expired':
          return event.amount
      }
    }
    expect(incomplete(disputed)).toBeUndefined()
  })

  it('reports a misspelled name', () => {
    const misspelled = (event: WebhookEvent): boolean => {
      switch (event.event) {
        // @ts-expect-error No event has this name.
        case 'payment.complete':
          return true
        case 'payment.completed':
        case 'payment.failed':
        case 'payment.partial':
        case 'payment.refunded':
        case 'payment.expired':
          return false
        default:
          // @ts-expect-error No event has this name.
          return event.event === 'payment.refund'
      }
    }
    expect(misspelled(completed)).toBe(false)
  })
})

describe('an event with an unknown name', () => {
  it('is handled by its name as a string, and its fields are readable', () => {
    const evidenceOf: Handle = (event, { name }: Pick<Entry, 'name'>) => {
      if (name === 'payment.disputed') expect(event['evidence']).toBe('receipt')
      const same: string = event.event
      expect(same === 'payment.disputed').toBe(true)
      expectTypeOf(event['evidence']).toBeUnknown()
      // Not a string: an unknown event may have another amount.
      expectTypeOf(event['amount']).toBeUnknown()
    }
    void evidenceOf(disputed, { name: 'payment.disputed' } as Entry)
    expect.assertions(2)
  })

  it('does not have to be in a table of handlers', () => {
    type Handlers = {
      [Name in WebhookEvent['event']]: (event: Extract<WebhookEvent, { event: Name }>) => string
    }
    const handlers: Handlers = {
      'payment.completed': (event) => event.amount_requested ?? event.amount,
      'payment.failed': (event) => event.failure_reason ?? '',
      'payment.partial': (event) => event.amount_received,
      'payment.refunded': (event) => event.type,
      'payment.expired': (event) => event.amount_received,
    }
    if (completed.event === 'payment.completed') {
      expect(handlers[completed.event](completed)).toBe('25.00')
    }
    expectTypeOf<
      Extract<WebhookEvent, { event: 'payment.completed' }>
    >().toEqualTypeOf<PaymentCompletedEvent>()
  })
})

describe('the fields', () => {
  it('are read-only, and those that the interface does not list are unknown', () => {
    const change = (event: PaymentCompletedEvent): void => {
      // @ts-expect-error An event is read-only.
      event.amount = '25.00'
    }
    expectTypeOf(change).toBeFunction()
    expectTypeOf<PaymentCompletedEvent['added_later']>().toBeUnknown()
  })

  it('are required only if every event with this name has them', () => {
    type Optional<T> = { [K in keyof T as string extends K ? never : undefined extends T[K] ? K : never]: 0 }
    type CompletedAndFailed =
      | 'payment_id'
      | 'order_id'
      | 'payment_method'
      | 'processor'
      | 'timestamp'
      | 'test'
    expectTypeOf<keyof Optional<PaymentCompletedEvent>>().toEqualTypeOf<
      CompletedAndFailed | 'amount_requested' | 'settled_via' | 'livemode'
    >()
    expectTypeOf<keyof Optional<PaymentFailedEvent>>().toEqualTypeOf<
      CompletedAndFailed | 'failure_code' | 'failure_reason' | 'settled_via' | 'livemode'
    >()
    expectTypeOf<
      keyof Optional<PaymentPartialEvent | PaymentRefundedEvent | PaymentExpiredEvent>
    >().toEqualTypeOf<'settled_via' | 'livemode'>()
  })

  it('with codes allow those that the service adds', () => {
    const codes: [FailureCode, PaymentMethod, RefundType] = ['insufficient_cashews', 'seashells', 'reversal']
    expectTypeOf<'card_declined'>().toExtend<FailureCode>()
    expectTypeOf<number>().not.toExtend<FailureCode>()
    expect(codes).toHaveLength(3)
  })

  it('with codes list those of the schema', () => {
    type Listed<T> = T extends string ? (string extends T ? never : T) : never
    expectTypeOf<Listed<FailureCode>>().toEqualTypeOf<schemas.FailureCode>()
    expectTypeOf<Listed<PaymentMethod>>().toEqualTypeOf<schemas.PaymentMethod>()
    expectTypeOf<Listed<PaymentStatus>>().toEqualTypeOf<schemas.PaymentStatus>()
    expectTypeOf<Listed<RefundType>>().toEqualTypeOf<schemas.RefundType>()
  })

  it('fit every event of the strict schema', () => {
    // An interface has no implicit index signature; a mapped type does.
    type Fields<T> = { [K in keyof T]: Fields<T[K]> }
    // Processing adds the name that a sparse event of the test checkout may omit.
    type Named<T extends { event?: string }> = Fields<T & { event: NonNullable<T['event']> }>
    type Completed =
      | Fields<schemas.PaymentCompleted | schemas.SimulatedCompleted>
      | Named<schemas.SimulatedSparseCompleted>
    type Failed =
      | Fields<schemas.PaymentFailed | schemas.SimulatedFailed>
      | Named<schemas.SimulatedSparseFailed>
    const fits = {
      completed: (event: Completed): PaymentCompletedEvent => event,
      failed: (event: Failed): PaymentFailedEvent => event,
      partial: (event: Fields<schemas.PaymentPartial>): PaymentPartialEvent => event,
      refunded: (event: Fields<schemas.PaymentRefunded>): PaymentRefundedEvent => event,
      expired: (event: Fields<schemas.PaymentExpired>): PaymentExpiredEvent => event,
    }
    expectTypeOf(fits).toBeObject()
    expectTypeOf<Exclude<WebhookEvent, UnknownEvent>['event']>().toEqualTypeOf<
      NonNullable<schemas.ServiceEvent['event']>
    >()
  })
})

describe('WebhookEvent', () => {
  it('is what handlers get', () => {
    expectTypeOf<Parameters<Handle>[0]>().toEqualTypeOf<WebhookEvent>()
    expectTypeOf<Parameters<NonNullable<ProcessingOptions['transact']>>[0]>().toEqualTypeOf<WebhookEvent>()
    expectTypeOf<Parameters<Orders['transact']>[0]>().toEqualTypeOf<WebhookEvent>()
  })

  it('is not what a plain object with any name is', () => {
    expectTypeOf<{ event: string }>().not.toExtend<WebhookEvent>()
    expectTypeOf<{ event: 'payment.completed' }>().not.toExtend<WebhookEvent>()
    expectTypeOf<WebhookEvent>().toExtend<{ readonly event: string; readonly [field: string]: unknown }>()
  })
})

it('the observation is one of the schema', () => {
  expectTypeOf<Observation>().toExtend<schemas.Observation>()
})
