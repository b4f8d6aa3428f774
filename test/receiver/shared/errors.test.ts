import { inspect } from 'node:util'
import { expect, it, test } from 'vitest'
import { refusal, refusals } from '../../../receiver/limits/refusals.ts'
import { inOneLine } from '../../../receiver/shared/errors.ts'
import { WebhookError } from '../../../receiver/verify.ts'

it.each(Object.entries(refusals))(
  '%s has a valid code, an error status and a full sentence',
  (code, { status, message }) => {
    expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(message).toMatch(/^[A-Z].*[.>]$/)
  },
)

test('only an invalid signature is 401', () => {
  const unauthorized = Object.entries(refusals).filter(([, { status }]) => status === 401)
  expect(unauthorized.map(([code]) => code)).toEqual(['signature_mismatch'])
})

test('a refusal has its code, its status and its cause', () => {
  const cause = new Error('disk full')
  const error = refusal('store_unavailable', cause)
  expect(error).toBeInstanceOf(WebhookError)
  expect(error).toMatchObject({ name: 'WebhookError', code: 'store_unavailable', status: 503, cause })
})

test('describes anything that was thrown in one line', () => {
  expect(inOneLine(new Error('one\n  two'))).toBe('one two')
  expect(inOneLine({ a: [1] })).toBe('{ a: [ 1 ] }')
  expect(inOneLine(undefined)).toBe('undefined')
  expect(inOneLine('x'.repeat(9999))).toHaveLength(500)
  const hostile = {
    [inspect.custom]() {
      throw new Error('no')
    },
  }
  expect(inOneLine(hostile)).toBe('an error that cannot be shown')
})
