import type { Exchange, Verdict } from '../../contracts/webhook/model.ts'
import type { Recognize } from '../cause.ts'
import { type Event, effectNamed, type Handling, nameOf, text } from '../handling.ts'
import { type HandlingHypothesis, handling, testHandling } from '../mishandling.ts'
import type { RefundType, Said } from '../statement.ts'

const effects = (said: Said, effectOf: Handling['effectOf']) => handling(said, { effectOf })
/** The event is taken for a completion. */
const asCompletion = (event: Event, changes: Event = {}) => ({
  ...event,
  ...changes,
  event: 'payment.completed',
})
type Name = 'partial' | 'expired' | 'failed'
const crediting = (name: Name, changes: (event: Event) => Event = () => ({})) =>
  effects({ code: `${name}_credited` }, (event, before, otherwise) =>
    otherwise(nameOf(event) === `payment.${name}` ? asCompletion(event, changes(event)) : event, before),
  )
const fulfillingAt = (name: Name) =>
  effects({ code: `${name}_credited` }, (event, before, otherwise) =>
    nameOf(event) === `payment.${name}` ? effectNamed(event, 'fulfilled') : otherwise(event, before),
  )
const received = (event: Event) => ({ amount: event['amount_received'] })
const rewritten = (said: Said, change: (event: Event) => Event) =>
  effects(said, (event, before, otherwise) => otherwise({ ...event, ...change(event) }, before))

/** The fields that the query of a delivery names. */
const fieldsOfQuery = ({ delivery: { route } }: Exchange): Event =>
  Object.fromEntries(new URLSearchParams(/\?([^#]*)/.exec(route?.('/') ?? '')?.[1]))

const isPost = ({ delivery }: Exchange) => delivery.method === 'POST'

export const MONEY_HYPOTHESES: readonly HandlingHypothesis[] = [
  {
    ...handling({ code: 'acts_before_verifying' }, { records: isPost, handles: isPost }),
    parsesFirst: true,
  },
  crediting('partial', received),
  crediting('partial'),
  crediting('expired'),
  crediting('expired', received),
  crediting('failed'),
  // They credit a payment even after its refund.
  fulfillingAt('failed'),
  fulfillingAt('partial'),
  fulfillingAt('expired'),
  effects({ code: 'status_decides' }, (event, before, otherwise) =>
    event['status'] === 'completed' ? effectNamed(event, 'fulfilled') : otherwise(event, before),
  ),
  rewritten({ code: 'amount_requested_credited' }, (event) => ({
    amount: event['amount_requested'] ?? event['amount'],
  })),
  rewritten({ code: 'settled_via_credited', data: { isWithCurrency: true } }, (event) => {
    const settled = Object(event['settled_via']) as Event
    return {
      amount: settled['amount'] ?? event['amount'],
      currency: settled['currency'] ?? event['currency'],
    }
  }),
  rewritten({ code: 'settled_via_credited', data: { isWithCurrency: false } }, (event) => ({
    amount: (Object(event['settled_via']) as Event)['amount'] ?? event['amount'],
  })),
  rewritten({ code: 'amount_rounded' }, (event) => ({ amount: String(Number(event['amount'])) })),
  // 19.99 * 100 is 1998.9999999999998.
  rewritten({ code: 'amount_rounded' }, (event) => ({
    amount: String(Math.trunc(Number(event['amount']) * 100) / 100),
  })),
  rewritten({ code: 'amount_rounded' }, (event) => ({ amount: Number(event['amount']).toFixed(2) })),
  rewritten({ code: 'amount_rounded' }, (event) => ({
    amount: String(Math.round(Number(event['amount']) * 100) / 100),
  })),
  rewritten({ code: 'amount_in_minor_units' }, (event) => ({
    amount: text(event['amount']).replace('.', ''),
  })),
  rewritten({ code: 'currency_rewritten', data: { to: 'lowercase' } }, (event) => ({
    currency: text(event['currency']).toLowerCase(),
  })),
  handling(
    { code: 'query_merged' },
    { reads: (event, exchange) => ({ ...event, ...fieldsOfQuery(exchange) }) },
  ),
  handling(
    { code: 'query_merged', data: { isFilling: true } },
    { reads: (event, exchange) => ({ ...fieldsOfQuery(exchange), ...event }) },
  ),
  handling({ code: 'metadata_merged' }, { reads: (event) => ({ ...event, ...Object(event['metadata']) }) }),
  effects({ code: 'refunds_ignored', data: {} }, (event, before, otherwise) =>
    nameOf(event) === 'payment.refunded' ? undefined : otherwise(event, before),
  ),
  ...(['refund', 'chargeback'] satisfies RefundType[]).map((type) =>
    effects({ code: 'refunds_ignored', data: { type } }, (event, before, otherwise) =>
      nameOf(event) === 'payment.refunded' && event['type'] === type ? undefined : otherwise(event, before),
    ),
  ),
  effects({ code: 'early_refund_forgotten', data: { isRecorded: false } }, (event, before, otherwise) =>
    nameOf(event) === 'payment.refunded' && before.length === 0 ? undefined : otherwise(event, before),
  ),
  effects({ code: 'early_refund_forgotten', data: { isRecorded: true } }, (event, _, otherwise) =>
    otherwise(event, []),
  ),
  // A second refund is recognized, by its name or as a redelivery.
  effects({ code: 'early_refund_forgotten', data: { isRecorded: true } }, (event, before, otherwise) =>
    otherwise(event, nameOf(event) === 'payment.completed' ? [] : before),
  ),
]

/** Where the receiver handles both at the same time, or in its own order, only what remains shipped shows the same. */
const shipsAfterRefund = ({ case: { isUnordered }, problems }: Verdict) =>
  isUnordered === true &&
  problems.length > 0 &&
  problems.every(({ observed }) => observed === 'fulfilled-after-refund' || observed === 'not-reversed')

/** Effects for the wrong event or the wrong amount (SPEC.md 9). */
export const moneyCauses: Recognize = (symptoms) =>
  testHandling(MONEY_HYPOTHESES, symptoms).map((cause) =>
    cause.code === 'early_refund_forgotten'
      ? { ...cause, also: new Set([...(cause.also ?? []), ...symptoms.open.filter(shipsAfterRefund)]) }
      : cause,
  )

/** How a name is compared instead of as a whole, with what each event is then recognized by. */
const COMPARISONS = [
  ['end', (name: string, part: string) => name.endsWith(part)],
  ['beginning', (name: string, part: string) => name.startsWith(part)],
  ['inside', (name: string, part: string) => name.includes(part)],
] as const
const PARTS = [
  { completed: 'payment.completed', refunded: 'payment.refunded' },
  { completed: '.completed', refunded: '.refunded' },
  { completed: 'completed', refunded: 'refunded' },
  { completed: 'completed', refunded: 'refund' },
]

export const NAME_HYPOTHESES: readonly HandlingHypothesis[] = COMPARISONS.flatMap(([part, matches]) =>
  PARTS.flatMap(({ completed, refunded }) =>
    (['completed', 'refunded', 'both'] as const).map((which) => {
      const isLike = (name: string, part: string, own: typeof which) =>
        which === own || which === 'both' ? matches(name, part) : false
      return handling(
        { code: 'event_name_compared_partly', data: { part } },
        {
          effectOf(event, before, otherwise) {
            const name = nameOf(event)
            if (isLike(name, refunded, 'refunded'))
              return before.some(({ effect }) => effect === 'reversed')
                ? undefined
                : effectNamed(event, 'reversed')
            const isFulfilled = before.some(({ effect }) => effect === 'fulfilled')
            return isLike(name, completed, 'completed') && !isFulfilled
              ? otherwise({ ...event, event: 'payment.completed' }, before)
              : otherwise(event, before)
          },
        },
      )
    }),
  ),
)

/** Unknown events have an effect, because their name resembles another one (SPEC.md 9.9). */
export const nameCauses: Recognize = (symptoms) => testHandling(NAME_HYPOTHESES, symptoms)
