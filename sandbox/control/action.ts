import type { PaymentAction } from '../../schemas/types.ts'
import type { Action } from '../domain/actions.ts'
import { BadAction } from '../domain/errors.ts'

/** Which fields each action takes, besides type and chaos. */
const FIELDS: Readonly<Record<PaymentAction['type'], readonly (keyof PaymentAction)[]>> = {
  succeed: ['method', 'simulated', 'settled_via'],
  fail: ['method', 'simulated', 'failure_code', 'failure_reason'],
  pay_part: ['method', 'amount'],
  accept_short: ['amount'],
  reverse: ['refund_type'],
  switch_method: ['method'],
}

/**
 * Reads an action that came from outside and fits schemas/payment-action.json.
 * @returns the action; a switch of method is none of those that an event tells of
 * @throws BadAction for a field that the action does not take, or lacks
 */
export function readAction(given: PaymentAction): Action | (PaymentAction & { type: 'switch_method' }) {
  const { type, chaos: _, ...rest } = given
  const stray = Object.keys(rest).find((field) => !FIELDS[type].some((known) => known === field))
  if (stray !== undefined) throw new BadAction(`${type} takes no ${stray}.`)
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
      if (amount === undefined) throw new BadAction('pay_part needs an amount.')
      return { type, ...by, amount }
    case 'accept_short':
      return { type, ...(amount === undefined ? {} : { received: amount }) }
    case 'reverse':
      return { type, as: rest.refund_type ?? 'refund' }
    case 'switch_method':
      return { ...given, type }
  }
}
