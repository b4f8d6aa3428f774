import type {
  FailureCode,
  PaymentAction,
  PaymentMethod,
  RefundType,
  SettledVia,
} from '../../schemas/types.ts'
import { validate } from '../../schemas/validate.ts'
import { BadAction } from '../errors.ts'
import type { Amount } from './amounts.ts'

/**
 * Everything that can happen to a payment. `method` is the customer's final payment method; by default the one chosen
 * earlier, or card.
 */
export type Action =
  /** Paid in full. `simulated`: with the button Simulate Success. `settledVia`: a mixed checkout. */
  | { type: 'succeed'; method?: PaymentMethod; simulated?: boolean; settledVia?: SettledVia }
  /** Failed. `simulated`: with the button Simulate Failure. `code` defaults to provider_error. */
  | { type: 'fail'; method?: PaymentMethod; simulated?: boolean; code?: FailureCode; reason?: string }
  /** A partial amount arrives, by crypto or gift card. The part that reaches the full amount completes the payment. */
  | { type: 'pay_part'; method?: PaymentMethod; amount: Amount }
  /** The merchant accepts an underpayment: `received`, or the amount received so far. Crypto only. */
  | { type: 'accept_short'; received?: Amount }
  /** A completed payment is refunded or charged back. */
  | { type: 'reverse'; as: RefundType }
  /** The 24-hour window of a partly paid gift-card order ends. */
  | { type: 'end_window' }

/** The fields of each action besides its type, and the field of schemas/api/payment-action.json that validates each. */
const FIELDS: { readonly [Type in Action['type']]: Readonly<Record<FieldOf<Type>, string>> } = {
  succeed: { method: 'method', simulated: 'simulated', settledVia: 'settled_via' },
  fail: { method: 'method', simulated: 'simulated', code: 'failure_code', reason: 'failure_reason' },
  pay_part: { method: 'method', amount: 'amount' },
  accept_short: { received: 'amount' },
  reverse: { as: 'refund_type' },
  end_window: {},
}

type FieldOf<Type extends Action['type']> = Exclude<keyof Extract<Action, { type: Type }>, 'type'>

const NEEDED = new Map<string, string>([
  ['pay_part', 'amount'],
  ['reverse', 'as'],
])

/**
 * Validates an action that may come from plain JavaScript; undefined fields count as absent.
 * @throws BadAction for an unknown type, or for a field that is unknown, missing or invalid
 */
export function checkedAction(given: unknown): Action {
  if (typeof given !== 'object' || given === null) {
    throw new BadAction(`the action must be an object, such as { type: 'succeed' }.`)
  }
  const { type, ...rest } = given as { type?: unknown }
  if (typeof type !== 'string' || !isType(type)) {
    const switching =
      type === 'switch_method' ? ' To switch the method, set "method" on the next action.' : ''
    throw new BadAction(`the action type must be one of ${Object.keys(FIELDS).join(', ')}.${switching}`)
  }
  const known = new Map<string, string>(Object.entries(FIELDS[type]))
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined)
  const stray = fields.find(([name]) => !known.has(name))
  if (stray !== undefined)
    throw new BadAction(`${type} has no field "${stray[0]}". ${fieldsOf([...known.keys()])}`)
  for (const [name, value] of fields) {
    // The type in the schema does not matter: the schema does not relate fields to types.
    const [violation] = validate('api/payment-action', { type: 'fail', [known.get(name) ?? name]: value })
    if (violation === undefined) continue
    const where = [name, ...violation.path.split('/').slice(2)].join('.')
    throw new BadAction(`${type}, ${where}: expected ${violation.expected}.`)
  }
  const needed = NEEDED.get(type)
  if (needed !== undefined && !fields.some(([name]) => name === needed)) {
    throw new BadAction(`${type} requires "${needed}"${needed === 'as' ? ': "refund" or "chargeback"' : ''}.`)
  }
  return Object.fromEntries([['type', type], ...fields]) as Action
}

const isType = (type: string): type is Action['type'] => Object.hasOwn(FIELDS, type)

const fieldsOf = (names: readonly string[]): string =>
  names.length === 0 ? 'It has no fields besides type.' : `Its fields are ${names.join(', ')}.`

/**
 * Converts a request body that is valid under schemas/api/payment-action.json.
 * @returns the action; a method switch has no event and stays as it is
 * @throws BadAction for a field that the action does not have, or a missing one
 */
export function readAction(body: PaymentAction): Action | (PaymentAction & { type: 'switch_method' }) {
  const { type, chaos: _, ...fields } = body
  const known = Object.entries(type === 'switch_method' ? { method: 'method' } : FIELDS[type])
  const stray = Object.keys(fields).find((field) => !known.some(([, inSchema]) => inSchema === field))
  if (stray !== undefined) throw new BadAction(`${type} has no field "${stray}".`)
  if (type === 'switch_method') return { ...body, type }
  if (type === 'pay_part' && fields.amount === undefined) throw new BadAction('pay_part requires an amount.')
  const given = new Map<string, unknown>(Object.entries(fields))
  const own = known.flatMap(([name, inSchema]) => (given.has(inSchema) ? [[name, given.get(inSchema)]] : []))
  return { type, ...(type === 'reverse' && { as: 'refund' }), ...Object.fromEntries(own) } as Action
}
