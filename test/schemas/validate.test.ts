import { expect, test } from 'vitest'
import { readSchema } from '../../schemas/compile.ts'
import { explain, validate } from '../../schemas/validate.ts'
import { soundBodies, strictNearMisses } from './near-misses.ts'
import { otherNearMisses } from './other-near-misses.ts'

test.each(Object.entries(soundBodies))('the sound body %s is valid', (_, body) => {
  expect(explain(validate('event.strict', body))).toBe('')
})

const nearMisses = [...strictNearMisses, ...otherNearMisses]

test.each(nearMisses)('$schema refuses $what, and names the place', ({ schema, value, path, says }) => {
  const found = validate(schema, value)
  expect(found.map((violation) => violation.path)).toEqual([path])
  expect(found[0]?.expected).toContain(says)
})

test('each thing that is wrong is named once', () => {
  const [example] = readSchema('event.strict')['examples'] as [Record<string, unknown>]
  const found = validate('event.strict', { ...example, amount: 5, currency: '', colour: 'red' })
  expect(found.map(({ path }) => path).toSorted()).toEqual(['/amount', '/colour', '/currency'])
})

test('an explanation is one line that names every place', () => {
  expect(explain([])).toBe('')
  expect(explain(validate('event.strict', []))).toBe('(root): expected an object')
  expect(
    explain(
      validate('observation', { effects: [{ event: 'x', effect: 'y', amount: '1', currency: 'USD' }] }),
    ),
  ).toBe('/effects/0/effect: expected one of "fulfilled", "reversed"')
})

test('what is wrong deep in a report is said there, and not as a failed choice higher up', () => {
  const [report] = readSchema('report')['examples'] as [Record<string, unknown>]
  const broken = JSON.parse(JSON.stringify(report).replace('"status":200', '"status":"200"'))
  expect(explain(validate('report', broken))).toBe(
    '/verdicts/0/exchanges/0/answer/status: expected a whole number',
  )
})

test('a report may have no answer, but not an answer of another kind', () => {
  const [report] = readSchema('report')['examples'] as [{ verdicts: { exchanges: { answer: unknown }[] }[] }]
  const withAnswer = (answer: unknown) => {
    const copy = structuredClone(report)
    for (const exchange of copy.verdicts.flatMap((verdict) => verdict.exchanges)) exchange.answer = answer
    return explain(validate('report', copy))
  }
  expect(withAnswer(null)).toBe('')
  expect(withAnswer('200')).toBe('/verdicts/0/exchanges/0/answer: expected an object or null')
})
