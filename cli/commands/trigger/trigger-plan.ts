import type { EventName } from '../../../sandbox/model.ts'
import { UsageError } from '../../shared/exit.ts'
import { nearest } from '../../shared/nearest.ts'
import { oneLine } from '../../shared/options.ts'

/** What leads to an event. */
export interface Plan {
  readonly mode: 'test' | 'live'
  /** The body of the call that makes the payment. Interface 2.4. */
  readonly payment: object
  /**
   * What happens to the payment, as schemas/payment-action.json has it; a `pay_part` may lack its amount, which is then
   * made of `fields`, or half of what is missing.
   */
  readonly steps: readonly object[]
  /** What the event is to say: the sandbox refuses what can not be. */
  readonly fields: Readonly<Record<string, string>>
}

/** What is wished for: field of the event to its value. */
type Wishes = Readonly<Record<string, string>>

/** Fields that every event takes, and `metadata.<name>`. */
const COMMON = ['amount', 'currency', 'payment_method', 'livemode', 'webhook_url']

const SETTLED = ['settled_via.rail', 'settled_via.amount', 'settled_via.currency']

/** And those of each one alone. */
const FIELDS: Readonly<Record<EventName, readonly string[]>> = {
  'payment.completed': ['amount_requested', 'test', ...SETTLED],
  'payment.failed': ['failure_code', 'failure_reason', 'test'],
  'payment.partial': ['amount_received'],
  'payment.refunded': ['type', ...SETTLED],
  'payment.expired': ['amount_received'],
}

/** With a payment that is there these are settled already. */
const OF_NEW_PAYMENTS = ['amount', 'currency', 'livemode', 'webhook_url', 'amount_requested']

/**
 * What leads to an event with these fields (interface 3 and 6); the sandbox judges their values.
 * @param given overrides: as `field=value`; payment: the id of one that is there already
 * @throws UsageError for a field that the event does not have
 */
export function planOf(
  event: EventName,
  given: { overrides: readonly string[]; method?: string | undefined; payment?: string | undefined },
): Plan {
  const wishes = wishesOf(event, given)
  const { amount = event === 'payment.expired' ? '1.50' : '25.00', currency = 'USD' } = wishes
  const { webhook_url: webhookUrl, amount_requested: requested, livemode = 'false' } = wishes
  if (livemode !== 'true' && livemode !== 'false') throw new UsageError('livemode is true or false')
  return {
    mode: livemode === 'true' ? 'live' : 'test',
    payment: {
      amount: requested ?? amount,
      currency,
      ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
      metadata: under('metadata.', wishes),
    },
    steps: STEPS[event]({ amount, ...wishes }, given.payment !== undefined),
    fields: wishes,
  }
}

const STEPS: Readonly<Record<EventName, (wishes: Wishes, isThere: boolean) => object[]>> = {
  'payment.completed': (wishes) => {
    const { amount_requested: requested, payment_method: method, amount } = wishes
    if (requested === undefined)
      return [{ type: 'succeed', ...by(wishes), ...simulated(wishes), ...settled(wishes) }]
    const chosen = method === undefined ? [] : [{ type: 'switch_method', method }]
    return [...chosen, { type: 'accept_short', amount }]
  },
  'payment.failed': (wishes) => {
    const { failure_code: code, failure_reason: reason } = wishes
    const why = {
      ...(code !== undefined && { failure_code: code }),
      ...(reason !== undefined && { failure_reason: reason }),
    }
    return [{ type: 'fail', ...by(wishes), ...simulated(wishes), ...why }]
  },
  'payment.partial': (wishes) => [{ type: 'pay_part', ...by(wishes) }],
  'payment.refunded': (wishes, isThere) => {
    const { type } = wishes
    const paid = isThere ? [] : [{ type: 'succeed', ...by(wishes), ...settled(wishes) }]
    return [...paid, { type: 'reverse', ...(type !== undefined && { refund_type: type }) }]
  },
  'payment.expired': (wishes, isThere) =>
    isThere ? [] : [{ type: 'pay_part', method: wishes['payment_method'] ?? 'gift_card' }],
}

function by({ payment_method: method }: Wishes): object {
  return method === undefined ? {} : { method }
}

function simulated({ test }: Wishes): object {
  if (test === undefined) return {}
  if (test !== 'true') throw new UsageError('test is true, or is left out')
  return { simulated: true }
}

function settled(wishes: Wishes): object {
  const via = under('settled_via.', wishes)
  return Object.keys(via).length === 0 ? {} : { settled_via: via }
}

const under = (prefix: string, wishes: Wishes): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wishes).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  )

function wishesOf(
  event: EventName,
  {
    overrides,
    method,
    payment,
  }: { overrides: readonly string[]; method?: string | undefined; payment?: string | undefined },
): Wishes {
  const known = [...COMMON, ...FIELDS[event]]
  const wishes = overrides.map((override) => {
    const at = override.indexOf('=')
    if (at < 1)
      throw new UsageError(`--override ${oneLine(override)}: write it as field=value, such as amount=12.50`)
    const [name, value] = [override.slice(0, at), override.slice(at + 1)]
    if (!known.includes(name) && !/^metadata\../.test(name)) throw noField(event, name, known)
    if (payment !== undefined && (OF_NEW_PAYMENTS.includes(name) || name.startsWith('metadata.'))) {
      throw new UsageError(`--override ${oneLine(name)} is for a new payment: leave it out, or --payment`)
    }
    return [name, value]
  })
  const all: Wishes = Object.fromEntries([
    ...wishes,
    ...(method === undefined ? [] : [['payment_method', method]]),
  ])
  return all
}

function noField(event: EventName, name: string, known: readonly string[]): UsageError {
  const near = nearest(name, known)
  const hint =
    near.length === 0
      ? `it takes ${[...known, 'metadata.<name>'].join(', ')}`
      : `did you mean ${near.join(', ')}?`
  return new UsageError(`--override ${oneLine(name)}: ${event} is not made with that; ${hint}`)
}
