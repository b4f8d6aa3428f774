import type { SchemaName } from '../../schemas/validate.ts'

/** A valid value with one mistake: what was changed, and the path and expectation that the violation must have. */
export interface NearMiss {
  what: string
  schema: SchemaName
  value: unknown
  path: string
  expected: string
}

const id = 'tx_8Jm2vQx4Lr0sTn6aWc1P'
const common = {
  id,
  payment_id: id,
  order_id: id,
  amount: '25.00',
  currency: 'USD',
  payment_method: 'card',
  processor: 'crypto_onramp',
  livemode: true,
  timestamp: '2026-03-14T09:26:53.000Z',
  metadata: { order: 'SO-10482' },
}
const bodies = {
  completed: { ...common, event: 'payment.completed', status: 'completed' },
  failed: {
    ...common,
    event: 'payment.failed',
    status: 'failed',
    failure_code: 'card_declined',
    failure_reason: 'No.',
  },
  partial: { ...common, event: 'payment.partial', status: 'failed', amount_received: '5.00' },
  refunded: { ...common, event: 'payment.refunded', status: 'refunded', type: 'refund' },
  expired: { ...common, event: 'payment.expired', status: 'failed', amount_received: '0.50' },
  simulated: { ...common, event: 'payment.completed', status: 'completed', livemode: false, test: true },
  simulatedFailed: {
    ...common,
    event: 'payment.failed',
    status: 'failed',
    livemode: false,
    failure_reason: 'Simulated failure',
    test: true,
  },
  sparse: {
    id,
    event: 'payment.completed',
    status: 'completed',
    amount: '25.00',
    currency: 'USD',
    livemode: false,
    metadata: {},
    test: true,
  },
}

/** The valid bodies that the near misses are made of. */
export const validBodies: Record<string, object> = bodies

const required = 'required'
const unknownField = 'no such field'

function strict(
  body: keyof typeof bodies,
  what: string,
  change: Record<string, unknown>,
  path: string,
  expected: string,
): NearMiss {
  const value = JSON.parse(JSON.stringify({ ...bodies[body], ...change }))
  return { what: `${body}: ${what}`, schema: 'event.strict', value, path, expected }
}

/** Bodies of the strict schema, each with one mistake. */
export const strictNearMisses: NearMiss[] = [
  strict('completed', 'no event', { event: undefined }, '/event', required),
  strict('completed', 'an unknown event', { event: 'payment.done' }, '/event', '"payment.completed"'),
  strict('completed', 'an event that is not text', { event: 7 }, '/event', '"payment.expired"'),
  strict('completed', 'an event in another spelling', { event: 'Payment.Completed' }, '/event', 'one of'),
  strict('completed', 'a status of another event', { status: 'failed' }, '/status', '"completed"'),
  strict('completed', 'an unknown field', { color: 'red' }, '/color', unknownField),
  strict('completed', 'a field with a slash in its name', { 'a/b~c': 1 }, '/a~1b~0c', unknownField),
  strict('completed', 'the refund type', { type: 'refund' }, '/type', unknownField),
  strict('completed', 'a failure code', { failure_code: 'card_declined' }, '/failure_code', unknownField),
  strict('completed', 'amount_received', { amount_received: '1.00' }, '/amount_received', unknownField),
  strict('completed', 'an amount that is a number', { amount: 25 }, '/amount', 'text'),
  strict('completed', 'an amount with a comma', { amount: '25,00' }, '/amount', 'decimal text'),
  strict('completed', 'an amount with a sign', { amount: '-25.00' }, '/amount', 'decimal text'),
  strict('completed', 'an amount with an exponent', { amount: '2.5e1' }, '/amount', 'decimal text'),
  strict('completed', 'an amount with a leading zero', { amount: '025.00' }, '/amount', 'decimal text'),
  strict('completed', 'an amount that ends in a point', { amount: '25.' }, '/amount', 'decimal text'),
  strict('completed', 'an empty amount', { amount: '' }, '/amount', 'decimal text'),
  strict('completed', 'an amount and a line break', { amount: '25.00\n' }, '/amount', 'decimal text'),
  strict(
    'completed',
    'a requested amount in words',
    { amount_requested: 'ten' },
    '/amount_requested',
    'decimal',
  ),
  strict('completed', 'no currency', { currency: undefined }, '/currency', required),
  strict('completed', 'a currency sign', { currency: '$' }, '/currency', '"USD"'),
  strict(
    'completed',
    'an unknown method',
    { payment_method: 'cheque' },
    '/payment_method',
    '"telegram_stars"',
  ),
  strict('completed', 'a processor in capitals', { processor: 'Regional' }, '/processor', 'lower-case'),
  strict('completed', 'an id without its prefix', { id: '8Jm2' }, '/id', 'tx_'),
  strict('completed', 'no payment_id', { payment_id: undefined }, '/payment_id', required),
  strict('completed', 'no order_id', { order_id: undefined }, '/order_id', required),
  strict('completed', 'livemode as text', { livemode: 'true' }, '/livemode', 'true or false'),
  strict('completed', 'no timestamp', { timestamp: undefined }, '/timestamp', required),
  strict(
    'completed',
    'a timestamp without a zone',
    { timestamp: '2026-03-14 09:26' },
    '/timestamp',
    'ISO 8601',
  ),
  strict('completed', 'no metadata', { metadata: undefined }, '/metadata', required),
  strict('completed', 'metadata that is a list', { metadata: [] }, '/metadata', 'an object'),
  strict('completed', 'metadata with a number', { metadata: { count: 3 } }, '/metadata/count', 'text'),
  strict(
    'completed',
    'incomplete settled_via',
    { settled_via: { rail: 'PIX', amount: '1' } },
    '/settled_via/currency',
    required,
  ),
  strict('completed', 'test false on a real event', { test: false }, '/test', unknownField),
  strict('failed', 'no failure code', { failure_code: undefined }, '/failure_code', required),
  strict(
    'failed',
    'an unknown failure code',
    { failure_code: 'bad_luck' },
    '/failure_code',
    '"provider_error"',
  ),
  strict('failed', 'no failure reason', { failure_reason: undefined }, '/failure_reason', required),
  strict('failed', 'amount_requested', { amount_requested: '30.00' }, '/amount_requested', unknownField),
  strict('partial', 'no amount_received', { amount_received: undefined }, '/amount_received', required),
  strict('partial', 'a status named like the event', { status: 'partial' }, '/status', '"refunded"'),
  strict('partial', 'amount_requested', { amount_requested: '30.00' }, '/amount_requested', unknownField),
  strict('refunded', 'no type', { type: undefined }, '/type', required),
  strict('refunded', 'an unknown type', { type: 'gift' }, '/type', '"chargeback"'),
  strict('refunded', 'the previous status', { status: 'completed' }, '/status', '"refunded"'),
  strict('expired', 'no amount_received', { amount_received: undefined }, '/amount_received', required),
  strict('expired', 'a status named like the event', { status: 'expired' }, '/status', 'one of'),
  strict('simulated', 'livemode true', { livemode: true }, '/livemode', 'false'),
  strict('simulated', 'no livemode', { livemode: undefined }, '/livemode', required),
  strict('simulated', 'test as text', { test: 'true' }, '/test', 'true'),
  strict(
    'simulated',
    'an event that cannot be simulated',
    { event: 'payment.refunded' },
    '/event',
    '"payment.failed"',
  ),
  strict('simulated', 'no order_id', { order_id: undefined }, '/order_id', required),
  strict(
    'simulated',
    'a failure reason',
    { failure_reason: 'Simulated failure' },
    '/failure_reason',
    unknownField,
  ),
  strict(
    'simulatedFailed',
    'another reason',
    { failure_reason: 'Declined' },
    '/failure_reason',
    '"Simulated failure"',
  ),
  strict('sparse', 'no id', { id: undefined }, '/id', required),
  strict('sparse', 'neither event nor status', { event: undefined, status: undefined }, '/status', required),
  strict(
    'sparse',
    'no event and an unknown status',
    { event: undefined, status: 'refunded' },
    '/status',
    '"failed"',
  ),
  strict('sparse', 'a status of the other event', { status: 'failed' }, '/status', '"completed"'),
  { what: 'null', schema: 'event.strict', value: null, path: '', expected: 'an object' },
  { what: 'a list', schema: 'event.strict', value: [bodies.completed], path: '', expected: 'an object' },
  { what: 'text', schema: 'event.strict', value: 'payment.completed', path: '', expected: 'an object' },
]
