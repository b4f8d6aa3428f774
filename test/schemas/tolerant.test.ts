import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGenerator, SCENARIOS } from '../../fixtures/index.ts'
import { explain, validate } from '../../schemas/validate.ts'

const OPEN_FIELDS =
  'event status payment_method processor failure_code failure_reason type currency timestamp'.split(' ')

test('an open field of any event accepts any text', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SCENARIOS),
      fc.constantFrom(...OPEN_FIELDS),
      fc.string({ minLength: 1 }),
      (scenario, field, text) => {
        const event = createGenerator(1).event(scenario, { event: 'payment.completed', [field]: text })
        expect(explain(validate('event.tolerant', event))).toBe('')
      },
    ),
  )
})

test('unknown fields are accepted, at the top level and inside', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SCENARIOS),
      fc.stringMatching(/^new_[a-z]+$/),
      fc.jsonValue(),
      (scenario, field, value) => {
        const event = createGenerator(1).event(scenario, {
          [field]: value,
          metadata: { [field]: value },
          settled_via: { [field]: value },
        })
        expect(explain(validate('event.tolerant', event))).toBe('')
      },
    ),
  )
})

test.each([
  ['an event and payment_id', { event: 'payment.completed', payment_id: 'p' }],
  ['an event and id', { event: 'payment.anything', id: 'p' }],
  ['a bare simulated success', { id: 'p', status: 'completed', test: true }],
  ['a bare simulated failure with a payment_id', { payment_id: 'p', status: 'failed', test: true }],
  ['a test event of a new name', { event: 'payment.paused', id: 'p', test: true }],
])('%s is valid', (_, body) => {
  expect(explain(validate('event.tolerant', body))).toBe('')
})
