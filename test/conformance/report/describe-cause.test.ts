import { expect, it } from 'vitest'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { CAUSE_CODES } from '../../../conformance/diagnosis/statement.ts'
import { describeCause } from '../../../conformance/report/describe-cause.ts'

it.each(CAUSE_CODES)('describes %s', (code) => {
  const { sentences = [], fixes = [], cases = [] } = describeCause(code, paymentService) ?? {}
  expect(sentences.length).toBeGreaterThan(0)
  expect(fixes.length).toBeGreaterThan(0)
  for (const text of [...sentences, ...fixes]) expect(text).toMatch(/^[A-Z].*\.$/)
  const known = CATALOGUE.map(({ id }): string => id)
  expect(known).toEqual(expect.arrayContaining([...cases]))
})

it('describes nothing else', () => {
  expect(describeCause('no_windows', paymentService)).toBeUndefined()
  expect(describeCause('constructor', paymentService)).toBeUndefined()
})
