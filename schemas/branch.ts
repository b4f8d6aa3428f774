import { oneOf, REQUIRED, type Violation } from './violation.ts'

const BRANCHES: Readonly<Record<string, string>> = {
  'payment.completed': 'PaymentCompleted',
  'payment.failed': 'PaymentFailed',
  'payment.partial': 'PaymentPartial',
  'payment.refunded': 'PaymentRefunded',
  'payment.expired': 'PaymentExpired',
}

const SIMULATED_EVENTS = { 'payment.completed': 'Completed', 'payment.failed': 'Failed' }
const SIMULATED_STATUSES = { completed: 'Completed', failed: 'Failed' }

// Any of these fields belongs to the full simulated body, not to the sparse one.
const FULL_ONLY = ['payment_id', 'order_id', 'payment_method', 'processor', 'timestamp']

/**
 * Selects the only branch of an event schema that a value can be meant for, so that messages are about that branch.
 * @returns the name of a definition, or the violation that excludes every branch
 */
export function branchOf(name: 'event.strict' | 'event.tolerant', value: unknown): string | Violation {
  if (!isObject(value)) return { path: '', expected: 'an object' }
  return name === 'event.strict' ? strictBranch(value) : tolerantBranch(value)
}

function strictBranch(value: Record<string, unknown>): string | Violation {
  // A real event does not have this field; a value of false still means a real event.
  if (Object.hasOwn(value, 'test') && value['test'] !== false) return simulatedBranch(value)
  return chosen(BRANCHES, value, 'event')
}

function simulatedBranch(value: Record<string, unknown>): string | Violation {
  const outcome = Object.hasOwn(value, 'event')
    ? chosen(SIMULATED_EVENTS, value, 'event')
    : chosen(SIMULATED_STATUSES, value, 'status')
  if (typeof outcome !== 'string') return outcome
  const full = FULL_ONLY.some((field) => Object.hasOwn(value, field))
  return `Simulated${full ? '' : 'Sparse'}${outcome}`
}

function tolerantBranch(value: Record<string, unknown>): string {
  // The other branches differ only in the event name, and together they allow any name.
  return value['test'] === true && !Object.hasOwn(value, 'event') ? 'BareSimulatedEvent' : 'TolerantEvent'
}

function chosen(
  table: Readonly<Record<string, string>>,
  value: Record<string, unknown>,
  field: string,
): string | Violation {
  const key = value[field]
  if (key === undefined) return { path: `/${field}`, expected: REQUIRED }
  const branch = typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
  return branch ?? { path: `/${field}`, expected: oneOf(Object.keys(table)) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
