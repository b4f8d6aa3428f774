import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generateSchemas } from '../../scripts/tools/generate/schemas.ts'

const generated = await generateSchemas()

test('the tolerant schema and the types are generated', () => {
  expect([...generated.keys()]).toEqual(['schemas/event.tolerant.json', 'schemas/types.ts'])
})

test.each([...generated])('%s is committed as generated today', (path, text) => {
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text)
})

test.each(
  (
    'ServiceEvent PaymentCompleted PaymentFailed PaymentPartial PaymentRefunded ' +
    'PaymentExpired SimulatedEvent Endpoint EndpointList EndpointCreateRequest ' +
    'EndpointCreateResponse PaymentCreateRequest PaymentCreateResponse Payment ErrorBody ' +
    'PaymentList PaymentResendResponse PaymentAction ClockMove ' +
    'Observation Effect SignatureVector ConformanceReport'
  ).split(' '),
)('types.ts exports %s', (name) => {
  expect(generated.get('schemas/types.ts')).toMatch(new RegExp(`^export (interface|type) ${name}\\b`, 'm'))
})
