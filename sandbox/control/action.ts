import type { PaymentAction } from '../../schemas/types.ts'
import type { Action } from '../domain/actions.ts'
import { BadAction } from '../domain/errors.ts'

/** The fields of each action besides type and chaos. */
const FIELDS: Readonly<Record<PaymentAction['type'], readonly (keyof PaymentAction)[]>> = {
  succeed: ['method', 'simulated', 'settled_via'],
  fail: ['method', 'simulated', 'failure_code', 'failure_reason'],
  pay_part: ['method', 'amount'],
  accept_short: ['amount'],
  reverse: ['refund_type'],
  switch_method: ['method'],
}

/**
 * Converts a request body that is valid under schemas/api/payment-action.json.
 * @returns the action; a method switch has no event and stays as it is
 * @throws BadAction for a field that the action does not have, or a missing one
 */
export function readAction(body: PaymentAction): Action | (PaymentAction & { type: 'switch_method' }) {
  const { type, chaos: _, ...rest } = body
  const stray = Object.keys(rest).find((field) => !FIELDS[type].some((known) => known === field))
  if (stray !== undefined) throw new BadAction(`${type} has no field "${stray}".`)
  const {
    method,
    simulated,
    settled_via: settledVia,
    amount,
    failure_code: code,
    failure_reason: reason,
  } = rest
  const by = method === undefined ? {} : { method }
  const marked = simulated === undefined ? {} : { simulated }
  switch (type) {
    case 'succeed':
      return { type, ...by, ...marked, ...(settledVia === undefined ? {} : { settledVia }) }
    case 'fail':
      return { type, ...by, ...marked, ...(code && { code }), ...(reason && { reason }) }
    case 'pay_part':
      if (amount === undefined) throw new BadAction('pay_part requires an amount.')
      return { type, ...by, amount }
    case 'accept_short':
      return { type, ...(amount === undefined ? {} : { received: amount }) }
    case 'reverse':
      return { type, as: rest.refund_type ?? 'refund' }
    case 'switch_method':
      return { ...body, type }
  }
}
