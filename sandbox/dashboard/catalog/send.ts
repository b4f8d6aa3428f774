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
 * Creates a payment and lets the steps of a variant happen to it. Only the last one causes an event, which is sent to one
 * recipient alone.
 * @returns the event
 */
export function sendVariant(
  { store, clock, payments }: Pick<Context, 'store' | 'clock' | 'payments'>,
  { amount, steps, isTest, title }: Variant,
  { organizationId, mode, to }: Destination,
): Event {
  return store.transaction(() => {
    let payment = payments.create({
      organizationId,
      mode: isTest ? 'test' : mode,
      amount,
      currency: CURRENCY,
      metadata: { note: `test event: ${title}` },
    })
    const last = steps.at(-1)
    if (last === undefined) throw new Error('a variant has no steps')
    for (const step of steps.slice(0, -1)) ({ payment } = apply(payment, step, clock.now()))
    // A test event does not advance the clock, so the window ends now.
    if (last.type === 'end_window') payment = { ...payment, windowEndsAt: clock.now() }
    store.payments.update(payment)
    return payments.act(payment.id, last, { recipients: [to] }).event
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
