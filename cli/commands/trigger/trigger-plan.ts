import { nearest, suggestion } from '../../../conformance/contracts/nearest.ts'
import type { EventName } from '../../../sandbox/model.ts'
import { UsageError } from '../../shared/exit.ts'
import { oneLine } from '../../shared/text.ts'

/** Requested fields of the event, with their values. */
type Overrides = Readonly<Record<string, string>>

/** The fields of every event, besides `metadata.<name>`. */
const COMMON = ['amount', 'currency', 'payment_method', 'livemode', 'webhook_url']

const SETTLED = ['settled_via.rail', 'settled_via.amount', 'settled_via.currency']

/** The further fields of each event. */
const FIELDS: Readonly<Record<EventName, readonly string[]>> = {
  'payment.completed': ['amount_requested', 'test', ...SETTLED],
  'payment.failed': ['failure_code', 'failure_reason', 'test'],
  'payment.partial': ['amount_received'],
  'payment.refunded': ['type', ...SETTLED],
  'payment.expired': ['amount_received'],
}

/** An existing payment has its own values for these. */
const OF_NEW_PAYMENTS = ['amount', 'currency', 'livemode', 'webhook_url', 'amount_requested']

interface PlanRequest {
  readonly overrides: readonly string[]
  readonly method?: string | undefined
  readonly payment?: string | undefined
}

/**
 * Plans the steps to an event with the requested fields (interface 3 and 6); the sandbox validates their values.
 * @param request overrides: each as `field=value`; payment: the id of an existing payment
 * @throws UsageError for a field that the event does not have
 */
export function planOf(event: EventName, request: PlanRequest) {
  const overrides = overridesOf(event, request)
  const { amount = event === 'payment.expired' ? '1.50' : '25.00', currency = 'USD' } = overrides
  const { webhook_url: webhookUrl, amount_requested: requested, livemode = 'false' } = overrides
  if (livemode !== 'true' && livemode !== 'false')
    throw new UsageError('--override livemode must be true or false')
  return {
    mode: livemode === 'true' ? 'live' : 'test',
    /** The body of the call that creates the payment. Interface 2.4. */
    payment: {
      amount: requested ?? amount,
      currency,
      ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
      metadata: under('metadata.', overrides),
    },
    /**
     * The actions on the payment, as in schemas/payment-action.json. A `pay_part` may lack its amount, which then follows
     * from `fields`, or is half of the remaining amount.
     */
    steps: STEPS[event]({ amount, ...overrides }, request.payment !== undefined),
    /** The fields that the event must have; the sandbox refuses impossible ones. */
    fields: overrides,
  }
}

const STEPS: Readonly<Record<EventName, (overrides: Overrides, isExisting: boolean) => object[]>> = {
  'payment.completed': (overrides) => {
    const { amount_requested: requested, payment_method: method, amount } = overrides
    if (requested === undefined)
      return [{ type: 'succeed', ...by(overrides), ...simulated(overrides), ...settled(overrides) }]
    const switching = method === undefined ? [] : [{ type: 'switch_method', method }]
    return [...switching, { type: 'accept_short', amount }]
  },
  'payment.failed': (overrides) => {
    const { failure_code: code, failure_reason: reason } = overrides
    const failure = {
      ...(code !== undefined && { failure_code: code }),
      ...(reason !== undefined && { failure_reason: reason }),
    }
    return [{ type: 'fail', ...by(overrides), ...simulated(overrides), ...failure }]
  },
  'payment.partial': (overrides) => [{ type: 'pay_part', ...by(overrides) }],
  'payment.refunded': (overrides, isExisting) => {
    const { type } = overrides
    const paid = isExisting ? [] : [{ type: 'succeed', ...by(overrides), ...settled(overrides) }]
    return [...paid, { type: 'reverse', ...(type !== undefined && { refund_type: type }) }]
  },
  'payment.expired': (overrides, isExisting) =>
    isExisting ? [] : [{ type: 'pay_part', method: overrides['payment_method'] ?? 'gift_card' }],
}

function by({ payment_method: method }: Overrides): object {
  return method === undefined ? {} : { method }
}

function simulated({ test }: Overrides): object {
  if (test === undefined) return {}
  if (test !== 'true') throw new UsageError('--override test must be true, or left out')
  return { simulated: true }
}

function settled(overrides: Overrides): object {
  const via = under('settled_via.', overrides)
  return Object.keys(via).length === 0 ? {} : { settled_via: via }
}

const under = (prefix: string, overrides: Overrides): Record<string, string> =>
  Object.fromEntries(
    Object.entries(overrides).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  )

function overridesOf(event: EventName, { overrides, method, payment }: PlanRequest): Overrides {
  const known = [...COMMON, ...FIELDS[event]]
  const fields = overrides.map((override) => {
    const at = override.indexOf('=')
    if (at < 1) {
      throw new UsageError(
        `--override ${oneLine(override)}: write it as field=value, for example amount=12.50`,
      )
    }
    const [name, value] = [override.slice(0, at), override.slice(at + 1)]
    if (!known.includes(name) && !/^metadata\../.test(name)) throw unknownField(event, name, known)
    if (payment !== undefined && (OF_NEW_PAYMENTS.includes(name) || name.startsWith('metadata.'))) {
      throw new UsageError(`--override ${oneLine(name)} is for a new payment: leave out it or --payment`)
    }
    return [name, value] as const
  })
  const names = fields.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--override ${oneLine(twice)} was given twice: give it once`)
  if (method !== undefined && names.includes('payment_method')) {
    throw new UsageError('--method and --override payment_method are the same: leave one out')
  }
  return Object.fromEntries([...fields, ...(method === undefined ? [] : [['payment_method', method]])])
}

function unknownField(event: EventName, name: string, known: readonly string[]): UsageError {
  const hint = suggestion(nearest(name, known), `the fields are ${[...known, 'metadata.<name>'].join(', ')}`)
  return new UsageError(`--override ${oneLine(name)}: ${event} does not have this field; ${hint}`)
}
