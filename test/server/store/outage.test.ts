import { expect, it, vi } from 'vitest'
import { createOutage } from '../../../server/store/outage.ts'

it('reports the end of an outage once, at the first success', () => {
  const onRecovered = vi.fn()
  const outage = createOutage(onRecovered)
  outage.succeeded()
  expect(onRecovered).not.toHaveBeenCalled()
  outage.failed()
  outage.failed()
  expect(onRecovered).not.toHaveBeenCalled()
  outage.succeeded()
  outage.succeeded()
  expect(onRecovered).toHaveBeenCalledTimes(1)
  outage.failed()
  outage.succeeded()
  expect(onRecovered).toHaveBeenCalledTimes(2)
})
