import { expect, test } from 'vitest'
import { readSchema } from '../../schemas/compile.ts'
import { explain, validate } from '../../schemas/validate.ts'
import { strictNearMisses, validBodies } from './near-misses.ts'
import { otherNearMisses } from './other-near-misses.ts'

test.each(Object.entries(validBodies))('the body %s is valid', (_, body) => {
  expect(explain(validate('event.strict', body))).toBe('')
})

const nearMisses = [...strictNearMisses, ...otherNearMisses]

test.each(nearMisses)('$schema rejects $what, and names the place', ({ schema, value, path, expected }) => {
  const found = validate(schema, value)
  expect(found.map((violation) => violation.path)).toEqual([path])
  expect(found[0]?.expected).toContain(expected)
})

test('every violation is named once', () => {
  const [example] = readSchema('event.strict')['examples'] as [Record<string, unknown>]
  const found = validate('event.strict', { ...example, amount: 5, currency: '', color: 'red' })
  expect(found.map(({ path }) => path).toSorted()).toEqual(['/amount', '/color', '/currency'])
})

test('an explanation is one line that names the first places', () => {
  expect(explain([])).toBe('')
  expect(explain(validate('event.strict', { event: 'payment.completed' }))).toMatch(
    /^(?:\/\w+: expected [^;]+; ){3}and \d+ more$/,
  )
  expect(explain(validate('event.strict', []))).toBe('(root): expected an object')
  expect(
    explain(
      validate('observation', { effects: [{ event: 'x', effect: 'y', amount: '1', currency: 'USD' }] }),
    ),
  ).toBe('/effects/0/effect: expected one of "fulfilled", "reversed"')
})

test('a violation deep in a report is located there, not at a union above it', () => {
  const [report] = readSchema('report')['examples'] as [Record<string, unknown>]
  const broken = JSON.parse(JSON.stringify(report).replace('"status":200', '"status":"200"'))
  expect(explain(validate('report', broken))).toBe(
    '/verdicts/0/exchanges/0/answer/status: expected a whole number',
  )
})

test('an answer may be null, but nothing else than an object', () => {
  const [report] = readSchema('report')['examples'] as [{ verdicts: { exchanges: { answer: unknown }[] }[] }]
  const withAnswer = (answer: unknown) => {
    const copy = structuredClone(report)
    for (const exchange of copy.verdicts.flatMap((verdict) => verdict.exchanges)) exchange.answer = answer
    return explain(validate('report', copy))
  }
  expect(withAnswer(null)).toBe('')
  expect(withAnswer('200')).toBe('/verdicts/0/exchanges/0/answer: expected an object or null')
})
