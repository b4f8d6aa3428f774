import type { PaymentAction, PaymentMethod } from '../../schemas/types.ts'
import { validate } from '../../schemas/validate.ts'
import { readAction } from '../control/action.ts'
import type { Action } from '../domain/actions.ts'
import { BadAction } from '../domain/errors.ts'
import type { Mode } from '../model.ts'

/** What a submitted button of the checkout does. */
export type CheckoutAction =
  | { type: 'act'; action: Action }
  | { type: 'switch'; method: PaymentMethod }
  | { type: 'end_window' }

/** The fields of a submitted form. */
export type Form = Readonly<Record<string, string>>

/** An invalid form field, with one line for the person who filled it in. */
export class BadField extends BadAction {
  readonly field: string

  constructor(field: string, expected: string) {
    super(`${LABELS[field] ?? field}: expected ${expected}.`)
    this.field = field
  }
}

/** The names of the fields on the page. */
const LABELS: Readonly<Record<string, string>> = {
  amount: 'Amount',
  rail: 'Rail',
  currency: 'Currency',
  failure_code: 'Failure code',
  method: 'Method',
}

/**
 * The request of the control API for each button of offers.ts, except `end_window`. In test mode, success and failure are
 * marked as simulated whatever the failure code (interface 6 rule 2); in live mode nothing is.
 */
const REQUESTS = new Map<string, (form: Form, mode: Mode) => object>([
  ['succeed', (form, mode) => ({ type: 'succeed', ...optional(form, 'method'), ...simulated(mode) })],
  ['fail', (form, mode) => ({ type: 'fail', ...optional(form, 'method'), ...simulated(mode) })],
  [
    'fail_with',
    (form, mode) => ({
      type: 'fail',
      ...optional(form, 'method'),
      ...required(form, 'failure_code'),
      ...simulated(mode),
    }),
  ],
  ['pay_part', (form) => ({ type: 'pay_part', ...optional(form, 'method'), ...required(form, 'amount') })],
  ['accept_short', (form) => ({ type: 'accept_short', ...optional(form, 'amount') })],
  [
    'settle',
    (form) => ({
      type: 'succeed',
      ...optional(form, 'method'),
      settled_via: required(form, 'rail', 'amount', 'currency'),
    }),
  ],
  ['refund', () => ({ type: 'reverse', refund_type: 'refund' })],
  ['chargeback', () => ({ type: 'reverse', refund_type: 'chargeback' })],
  ['switch', (form) => ({ type: 'switch_method', ...required(form, 'method') })],
])

/**
 * Reads a submitted form; its field `action` names the button.
 * @throws BadField for an invalid value, BadAction for an unknown button
 */
export function readCheckoutAction(form: Form, mode: Mode): CheckoutAction {
  const { action: name = '' } = form
  if (name === 'end_window') return { type: 'end_window' }
  const request = REQUESTS.get(name)?.(form, mode)
  if (request === undefined) throw new BadAction('unknown button: reload the page.')
  const [mismatch] = validate('api/payment-action', request)
  if (mismatch !== undefined) {
    throw new BadField(mismatch.path.split('/').at(-1) ?? '', mismatch.expected)
  }
  const action = readAction(request as PaymentAction)
  if (action.type !== 'switch_method') return { type: 'act', action }
  if (action.method === undefined) throw new BadAction('choose the method to switch to.')
  return { type: 'switch', method: action.method }
}

/** The trimmed fields of a form body; the last value of a repeated field. */
export function formOf(body: unknown): Form {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    fields.map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value).trim()]),
  )
}

/** The named fields, without those that are empty. */
function optional(form: Form, ...names: string[]): Form {
  return Object.fromEntries(
    Object.entries(form).filter(([name, text]) => names.includes(name) && text !== ''),
  )
}

/** The named fields; missing ones are empty, which the schema rejects. */
function required(form: Form, ...names: string[]): Form {
  return Object.fromEntries(names.map((name) => [name, form[name] ?? '']))
}

const simulated = (mode: Mode) => (mode === 'test' ? { simulated: true } : {})
