import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGenerator, SCENARIOS } from '../../fixtures/index.ts'
import { readSchema, validator } from '../../schemas/compile.ts'
import { validate } from '../../schemas/validate.ts'

const FIELDS = (
  'event type id payment_id order_id status amount amount_requested amount_received ' +
  'currency payment_method processor settled_via livemode timestamp failure_code ' +
  'failure_reason metadata test extra'
).split(' ')

const ODD_VALUES: unknown[] = [
  'payment.completed',
  'payment.failed',
  'payment.partial',
  'payment.new',
  '',
  'completed',
  'failed',
  'refunded',
  'refund',
  'Simulated failure',
  '1.00',
  'tx_1',
  true,
  false,
  null,
  0,
  [],
  {},
]

/** Events with up to four fields removed, replaced, or borrowed from another event. */
const damagedEvent = fc
  .record({
    seed: fc.nat(),
    scenario: fc.constantFrom(...SCENARIOS),
    lender: fc.constantFrom(...SCENARIOS),
    changes: fc.array(
      fc.record({
        field: fc.constantFrom(...FIELDS),
        how: fc.constantFrom('remove', 'replace', 'borrow'),
        odd: fc.constantFrom(...ODD_VALUES),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ seed, scenario, lender, changes }) => {
    const generator = createGenerator(seed)
    const event: Record<string, unknown> = { ...generator.event(scenario) }
    const other: Record<string, unknown> = { ...generator.event(lender) }
    for (const { field, how, odd } of changes) {
      if (how === 'remove') delete event[field]
      else if (how === 'replace') event[field] = odd
      else if (field in other) event[field] = other[field]
      else delete event[field]
    }
    return event
  })

test('the selected branch and the full schema agree, for both event schemas', () => {
  const schemas = (['event.strict', 'event.tolerant'] as const).map((name) => ({
    name,
    full: validator(name),
    seen: { valid: 0, invalid: 0 },
  }))
  fc.assert(
    fc.property(damagedEvent, (event) => {
      for (const { name, full, seen } of schemas) {
        const valid = validate(name, event).length === 0
        seen[valid ? 'valid' : 'invalid'] += 1
        // Thousands of calls of `expect` would take longer than the validation.
        if (valid !== full(event)) throw new Error(`${name}: ${JSON.stringify(event)}`)
      }
    }),
    { numRuns: 3000 },
  )
  // The property proves nothing unless both kinds occurred.
  for (const { name, seen } of schemas) {
    expect(seen.valid, name).toBeGreaterThan(100)
    expect(seen.invalid, name).toBeGreaterThan(100)
  }
})

test('the tolerant schema accepts every event that the strict schema accepts', () => {
  fc.assert(
    fc.property(damagedEvent, (event) => {
      fc.pre(validate('event.strict', event).length === 0)
      expect(validate('event.tolerant', event)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test.each(['event.strict', 'event.tolerant'] as const)('%s: every event fits exactly one branch', (name) => {
  const branches = (readSchema(name)['oneOf'] as { $ref: string }[]).map(({ $ref }) =>
    validator(name, $ref.replace('#/$defs/', '')),
  )
  for (const scenario of SCENARIOS) {
    const event = createGenerator(7).event(scenario)
    expect(branches.filter((branch) => branch(event)).length, scenario).toBe(1)
  }
})
