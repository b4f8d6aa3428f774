import { expect, it } from 'vitest'
import { refusals } from '../../../receiver/limits/refusals.ts'
import { allRefusals, serverRefusals } from '../../../server/http/refusals.ts'

it.each(Object.entries(serverRefusals))(
  '%s has a valid code, an error status and a full sentence',
  (code, { status, message }) => {
    expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(message).toMatch(/^[A-Z].*[.>]$/)
  },
)

it('no code of the server is one of a delivery', () => {
  const count = Object.keys(refusals).length + Object.keys(serverRefusals).length
  expect(Object.keys(allRefusals)).toHaveLength(count)
})
