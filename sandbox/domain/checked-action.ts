import { validate } from '../../schemas/validate.ts'
import type { Action } from './actions.ts'
import { BadAction } from './errors.ts'

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
  for (const [name, value] of fields) validateField(type, name, known.get(name) ?? name, value)
  const needed = NEEDED.get(type)
  if (needed !== undefined && !fields.some(([name]) => name === needed)) {
    throw new BadAction(`${type} requires "${needed}"${needed === 'as' ? ': "refund" or "chargeback"' : ''}.`)
  }
  return Object.fromEntries([['type', type], ...fields]) as Action
}

function validateField(type: string, name: string, inSchema: string, value: unknown): void {
  // The type in the schema does not matter: the schema does not relate fields to types.
  const [violation] = validate('api/payment-action', { type: 'fail', [inSchema]: value })
  if (violation === undefined) return
  const where = violation.path.split('/').slice(2).join('.')
  throw new BadAction(`${type}, ${where === '' ? name : `${name}.${where}`}: expected ${violation.expected}.`)
}

const isType = (type: string): type is Action['type'] => Object.hasOwn(FIELDS, type)

const fieldsOf = (names: readonly string[]): string =>
  names.length === 0 ? 'It has no fields besides type.' : `Its fields are ${names.join(', ')}.`
