import { expect, it, test } from 'vitest'
import { inOneLine, refusal, refusals } from '../../receiver/errors.ts'
import { WebhookError } from '../../receiver/verify.ts'

it.each(Object.entries(refusals))(
  '%s has a stable spelling, an error status and a sentence',
  (code, { status, message }) => {
    expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(message).toMatch(/^[A-Z].*[.>]$/)
  },
)

test('only a wrong signature is 401', () => {
  const unauthorised = Object.entries(refusals).filter(([, { status }]) => status === 401)
  expect(unauthorised.map(([code]) => code)).toEqual(['signature_mismatch'])
})

test('a refusal carries its code, its status and its cause', () => {
  const cause = new Error('disk full')
  const error = refusal('store_unavailable', cause)
  expect(error).toBeInstanceOf(WebhookError)
  expect(error).toMatchObject({ name: 'WebhookError', code: 'store_unavailable', status: 503, cause })
})

test('an error is told in one line, whatever was thrown', () => {
  expect(inOneLine(new Error('one\n  two'))).toBe('one two')
  expect(inOneLine({ a: [1] })).toBe('{ a: [ 1 ] }')
  expect(inOneLine(undefined)).toBe('undefined')
  expect(inOneLine('x'.repeat(9999))).toHaveLength(500)
})
