import type { PaymentAction, PaymentMethod } from '../../schemas/types.ts'
import { validate } from '../../schemas/validate.ts'
import { readAction } from '../control/action.ts'
import type { Action } from '../domain/actions.ts'
import { BadAction } from '../domain/errors.ts'
import type { Mode } from '../model.ts'

/** What a button of the checkout asks for. */
export type Press =
  | { type: 'act'; action: Action }
  | { type: 'switch'; method: PaymentMethod }
  | { type: 'end_window' }

/** A form as it came: every field is text. */
export type Form = Readonly<Record<string, string>>

/** A field of a form that does not fit; one line for the person who filled it in. */
export class BadField extends BadAction {
  readonly field: string

  constructor(field: string, expected: string) {
    super(`${LABELS[field] ?? field}: expected ${expected}.`)
    this.field = field
  }
}

/** As the fields are called on the page. */
const LABELS: Readonly<Record<string, string>> = {
  amount: 'Amount',
  rail: 'Rail',
  currency: 'Currency',
  failure_code: 'Failure code',
  method: 'Method',
}

/**
 * Every button of offers.ts, by its name, and the action it stands for. Only success and failure of a test payment are
 * marked as simulated (interface 6 rule 2), the failure whatever its code; a live payment never is.
 */
const BUTTONS = new Map<string, (form: Form, mode: Mode) => object>([
  ['succeed', (form, mode) => ({ type: 'succeed', ...some(form, 'method'), ...marked(mode) })],
  ['fail', (form, mode) => ({ type: 'fail', ...some(form, 'method'), ...marked(mode) })],
  [
    'fail_with',
    (form, mode) => ({
      type: 'fail',
      ...some(form, 'method'),
      ...all(form, 'failure_code'),
      ...marked(mode),
    }),
  ],
  ['pay_part', (form) => ({ type: 'pay_part', ...some(form, 'method'), ...all(form, 'amount') })],
  ['accept_short', (form) => ({ type: 'accept_short', ...some(form, 'amount') })],
  [
    'settle',
    (form) => ({
      type: 'succeed',
      ...some(form, 'method'),
      settled_via: all(form, 'rail', 'amount', 'currency'),
    }),
  ],
  ['refund', () => ({ type: 'reverse', refund_type: 'refund' })],
  ['chargeback', () => ({ type: 'reverse', refund_type: 'chargeback' })],
  ['switch', (form) => ({ type: 'switch_method', ...all(form, 'method') })],
])

/**
 * Reads the form of a button, whose name stands in the field `press`.
 * @throws BadField for a value that fits no payment; BadAction for a button that is not there
 */
export function readPress(form: Form, mode: Mode): Press {
  const { press = '' } = form
  if (press === 'end_window') return { type: 'end_window' }
  const given = BUTTONS.get(press)?.(form, mode)
  if (given === undefined) throw new BadAction('there is no such button: load the page again.')
  const [wrong] = validate('api/payment-action', given)
  if (wrong !== undefined) throw new BadField(wrong.path.split('/').at(-1) ?? '', wrong.expected)
  const action = readAction(given as PaymentAction)
  if (action.type !== 'switch_method') return { type: 'act', action }
  if (action.method === undefined) throw new BadAction('choose the method to switch to.')
  return { type: 'switch', method: action.method }
}

/** The fields of a body that a browser sent; of a name given twice the last one counts. */
export function formOf(body: unknown): Form {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    fields.map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value).trim()]),
  )
}

/** Fields that may be left empty; then they are left out. */
function some(form: Form, ...names: string[]): Form {
  return Object.fromEntries(
    Object.entries(form).filter(([name, text]) => names.includes(name) && text !== ''),
  )
}

/** Fields that have to be there. */
function all(form: Form, ...names: string[]): Form {
  return Object.fromEntries(names.map((name) => [name, form[name] ?? '']))
}

const marked = (mode: Mode) => (mode === 'test' ? { simulated: true } : {})
