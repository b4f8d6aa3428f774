import type { Context } from '../../context.ts'
import { eventBody } from '../../domain/event-body.ts'
import type { Recipient } from '../../domain/recipients.ts'
import { apply } from '../../domain/transitions.ts'
import type { Event, Mode, Payment } from '../../model.ts'
import type { Variant } from './variants.ts'

/** Where a variant goes. */
interface Destination {
  readonly organizationId: string
  readonly mode: Mode
  readonly to: Recipient
}

const CURRENCY = 'USD'

/**
 * Creates a payment and lets the steps of a variant happen to it; only its event is sent, and only to one recipient.
 * @returns the event
 */
export function sendVariant(
  { store, clock, payments }: Pick<Context, 'store' | 'clock' | 'payments'>,
  { amount, steps, isTest, title }: Variant,
  { organizationId, mode, to }: Destination,
): Event {
  return store.transaction(() => {
    const { id } = payments.create({
      organizationId,
      mode: isTest ? 'test' : mode,
      amount,
      currency: CURRENCY,
      metadata: { note: `test event: ${title}` },
    })
    let last: Event | undefined
    for (const [index, step] of steps.entries()) {
      const payment = store.payments.get(id)
      // A test event does not advance the clock, so the window ends now.
      if (step.type === 'end_window' && payment !== undefined) {
        store.payments.update({ ...payment, windowEndsAt: clock.now() })
      }
      last = payments.act(id, step, { recipients: index === steps.length - 1 ? [to] : [] }).event
    }
    if (last === undefined) throw new Error('a variant has no steps')
    return last
  })
}

/** The body that a variant has, of a payment that does not exist. @param now milliseconds since 1970 */
export function sampleOf({ amount, steps }: Variant, now: number): object {
  const start: Payment = {
    id: 'tx_51HqX2aKJ9sQvB7Y',
    parentId: null,
    organizationId: '',
    mode: 'test',
    status: 'pending',
    amount,
    currency: CURRENCY,
    returnUrl: null,
    webhookUrl: null,
    metadata: { order: 'SO-10482' },
    amountReceived: null,
    method: null,
    settledVia: null,
    refundType: null,
    failureCode: null,
    failureReason: null,
    createdAt: now,
    updatedAt: now,
    windowEndsAt: null,
  }
  let payment = start
  let body: object = {}
  for (const step of steps) {
    const before = step.type === 'end_window' ? { ...payment, windowEndsAt: now } : payment
    const { payment: after, event: name, simulated } = apply(before, step, now)
    payment = after
    body = eventBody(after, { name, simulated, at: now })
  }
  return body
}
