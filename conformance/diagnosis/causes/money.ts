import { SHIPPED_AFTER_REFUND } from '../../contracts/payment-service/cases/payments/refunds.ts'
import type { Exchange, Verdict } from '../../contracts/payment-service/model.ts'
import type { Recognize } from '../cause.ts'
import { type Event, effectNamed, type Handling, nameOf, text } from '../handling.ts'
import { handling, testHandling } from '../mishandling.ts'
import type { Statement } from '../statement.ts'

const exactly =
  'Decide by the exact event name: fulfill on payment.completed only, and reverse on payment.refunded.'
const own = 'Credit amount and currency of the event itself, exactly as the decimal text that it holds.'

const effects = (statement: Statement, effectOf: Handling['effectOf']) => handling(statement, { effectOf })
/** The event is taken for a completion. */
const asCompletion = (event: Event, changes: Event = {}) => ({
  ...event,
  ...changes,
  event: 'payment.completed',
})
const credited = (code: Statement['code'], name: string): Statement => ({
  code,
  sentence: `A ${name} payment is credited as if it had been completed.`,
  fix: exactly,
})
const crediting = (statement: Statement, name: string, changes: (event: Event) => Event = () => ({})) =>
  effects(statement, (event, before, otherwise) =>
    otherwise(nameOf(event) === `payment.${name}` ? asCompletion(event, changes(event)) : event, before),
  )
const fulfillingAt = (statement: Statement, name: string) =>
  effects(statement, (event, before, otherwise) =>
    nameOf(event) === `payment.${name}` ? effectNamed(event, 'fulfilled') : otherwise(event, before),
  )
const received = (event: Event) => ({ amount: event['amount_received'] })
const rewritten = (statement: Statement, change: (event: Event) => Event) =>
  effects(statement, (event, before, otherwise) => otherwise({ ...event, ...change(event) }, before))

const isPost = ({ delivery }: Exchange) => delivery.method === 'POST'

export const MONEY_HYPOTHESES = [
  {
    ...handling(
      {
        code: 'acts_before_verifying',
        sentence: 'Refused deliveries have effects: the event is handled before its signature is verified.',
        fix: 'Verify before you do anything with the body.',
      },
      { records: isPost, handles: isPost },
    ),
    parsesFirst: true,
  },
  crediting(credited('partial_credited', 'partial'), 'partial', received),
  crediting(credited('partial_credited', 'partial'), 'partial'),
  crediting(credited('expired_credited', 'expired'), 'expired'),
  crediting(credited('expired_credited', 'expired'), 'expired', received),
  crediting(credited('failed_credited', 'failed'), 'failed'),
  // They credit a payment even after its refund.
  fulfillingAt(credited('failed_credited', 'failed'), 'failed'),
  fulfillingAt(credited('partial_credited', 'partial'), 'partial'),
  fulfillingAt(credited('expired_credited', 'expired'), 'expired'),
  effects(
    {
      code: 'status_decides',
      sentence: 'An event is fulfilled because of its status, regardless of its name.',
      fix: exactly,
    },
    (event, before, otherwise) =>
      event['status'] === 'completed' ? effectNamed(event, 'fulfilled') : otherwise(event, before),
  ),
  rewritten(
    {
      code: 'amount_requested_credited',
      sentence: 'A short payment is credited with amount_requested instead of amount.',
      fix: own,
    },
    (event) => ({ amount: event['amount_requested'] ?? event['amount'] }),
  ),
  rewritten(
    {
      code: 'settled_via_credited',
      sentence: 'A mixed checkout is credited with the amount and currency of settled_via.',
      fix: own,
    },
    (event) => {
      const settled = Object(event['settled_via']) as Event
      return {
        amount: settled['amount'] ?? event['amount'],
        currency: settled['currency'] ?? event['currency'],
      }
    },
  ),
  rewritten(
    {
      code: 'settled_via_credited',
      sentence: 'A mixed checkout is credited with the amount of settled_via.',
      fix: own,
    },
    (event) => ({ amount: (Object(event['settled_via']) as Event)['amount'] ?? event['amount'] }),
  ),
  rewritten(
    {
      code: 'amount_rounded',
      sentence: 'Amounts lose digits because they are converted to floating-point numbers.',
      fix: 'Keep amounts as decimal strings or in a decimal type; never convert them to floating-point numbers.',
    },
    (event) => ({ amount: String(Number(event['amount'])) }),
  ),
  rewritten(
    {
      code: 'amount_in_minor_units',
      sentence: 'Amounts are shown in minor units, such as cents.',
      fix: 'Show the decimal string from the event: "25.00", not "2500".',
    },
    (event) => ({ amount: text(event['amount']).replace('.', '') }),
  ),
  rewritten(
    {
      code: 'currency_rewritten',
      sentence: 'Currencies are shown in lowercase.',
      fix: 'Store and show the currency exactly as it is in the event.',
    },
    (event) => ({ currency: text(event['currency']).toLowerCase() }),
  ),
  handling(
    {
      code: 'metadata_merged',
      sentence: 'Metadata overwrites fields of the event, so its author decides what is credited.',
      fix: 'Do not merge the metadata into the event; read each field from the event by its own name.',
    },
    { reads: (event) => ({ ...event, ...Object(event['metadata']) }) },
  ),
  effects(
    {
      code: 'refunds_ignored',
      sentence: 'Refunds and chargebacks reverse nothing.',
      fix: 'On payment.refunded, reverse what the payment fulfilled, once, for both types.',
    },
    (event, before, otherwise) =>
      nameOf(event) === 'payment.refunded' ? undefined : otherwise(event, before),
  ),
  ...['refund', 'chargeback'].map((type) =>
    effects(
      {
        code: 'refunds_ignored',
        sentence: `A payment.refunded of the type ${type} reverses nothing.`,
        fix: 'On payment.refunded, reverse what the payment fulfilled, once, for both types.',
      },
      (event, before, otherwise) =>
        nameOf(event) === 'payment.refunded' && event['type'] === type ? undefined : otherwise(event, before),
    ),
  ),
  effects(
    {
      code: 'early_refund_forgotten',
      sentence: 'A refund that arrives before its completion is forgotten, and the completion is fulfilled.',
      fix: SHIPPED_AFTER_REFUND.fix,
    },
    (event, before, otherwise) =>
      nameOf(event) === 'payment.refunded' && before.length === 0 ? undefined : otherwise(event, before),
  ),
  effects(
    {
      code: 'early_refund_forgotten',
      sentence: 'A completion is fulfilled although its refund arrived first.',
      fix: SHIPPED_AFTER_REFUND.fix,
    },
    (event, _, otherwise) => otherwise(event, []),
  ),
] as const

/** Where the receiver handles both at the same time, or in its own order, only what remains shipped shows the same. */
const shipsAfterRefund = ({ case: { isUnordered }, problems }: Verdict) =>
  isUnordered === true &&
  problems.length > 0 &&
  problems.every(({ observed }) => observed === 'fulfilled-after-refund' || observed === 'not-reversed')

/** Effects for the wrong event or the wrong amount (SPEC.md 9). */
export const moneyCauses: Recognize = (evidence) =>
  MONEY_HYPOTHESES.flatMap((hypothesis) => testHandling(hypothesis, evidence) ?? []).map((cause) =>
    cause.code === 'early_refund_forgotten'
      ? { ...cause, also: new Set([...(cause.also ?? []), ...evidence.open.filter(shipsAfterRefund)]) }
      : cause,
  )
