import { describe, it } from 'vitest'
import { passesNothing, refusesNothing } from './honest.ts'

// The statuses that honesty.test.ts leaves out.
describe('a receiver that never accepts passes no case', () => {
  it.concurrent.for([302, 400, 403, 429, 500])('answers %i to everything', (status, { onTestFinished }) =>
    passesNothing(status, onTestFinished),
  )
})

describe('a response that is not a refusal', () => {
  it.concurrent.for([404, 429, 500])(
    '%i to forged and stale deliveries passes no refusal case',
    (status, context) => refusesNothing(status, context.onTestFinished),
  )
})
