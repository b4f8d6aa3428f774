import { validate } from '../../schemas/validate.ts'
import type { Action } from './actions.ts'
import { BadAction } from './errors.ts'

/** What each action takes besides its type, and which field of schemas/payment-action.json says what fits there. */
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
 * Looks at an action that may come from plain JavaScript; fields that are undefined count as left out.
 * @throws BadAction for one that is not there, or a field that it does not take, lacks or that does not fit
 */
export function checkedAction(given: unknown): Action {
  if (typeof given !== 'object' || given === null) {
    throw new BadAction(`an action is an object, such as { type: 'succeed' }.`)
  }
  const { type, ...rest } = given as { type?: unknown }
  if (typeof type !== 'string' || !isType(type)) {
    const switching =
      type === 'switch_method' ? ' To switch, give the new method to the action that pays.' : ''
    throw new BadAction(`there is no such action: the type is ${oneOf(Object.keys(FIELDS))}.${switching}`)
  }
  const known = new Map<string, string>(Object.entries(FIELDS[type]))
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined)
  const stray = fields.find(([name]) => !known.has(name))
  if (stray !== undefined)
    throw new BadAction(`${type} takes no ${stray[0]}, but ${oneOf([...known.keys()])}.`)
  for (const [name, value] of fields) validateOptions(type, name, known.get(name) ?? name, value)
  const needed = NEEDED.get(type)
  if (needed !== undefined && !fields.some(([name]) => name === needed)) {
    throw new BadAction(`${type} needs ${needed === 'as' ? 'as: refund or chargeback' : `an ${needed}`}.`)
  }
  return Object.fromEntries([['type', type], ...fields]) as Action
}

function validateOptions(type: string, name: string, inSchema: string, value: unknown): void {
  // Of the types that the schema knows any will do: which fields go together is not its matter.
  const [wrong] = validate('api/payment-action', { type: 'fail', [inSchema]: value })
  if (wrong === undefined) return
  const where = wrong.path.split('/').slice(2).join('.')
  throw new BadAction(`${type}, ${where === '' ? name : `${name}.${where}`}: expected ${wrong.expected}.`)
}

const isType = (type: string): type is Action['type'] => Object.hasOwn(FIELDS, type)

const oneOf = (names: readonly string[]): string => (names.length === 0 ? 'its type alone' : names.join(', '))
