import { expect, it, vi } from 'vitest'
import { createOutage } from '../../server/outage.ts'

it('an outage is over at the first success after it, which is told once', () => {
  const onOver = vi.fn()
  const outage = createOutage(onOver)
  outage.worked()
  expect(onOver).not.toHaveBeenCalled()
  outage.failed()
  outage.failed()
  expect(onOver).not.toHaveBeenCalled()
  outage.worked()
  outage.worked()
  expect(onOver).toHaveBeenCalledTimes(1)
  outage.failed()
  outage.worked()
  expect(onOver).toHaveBeenCalledTimes(2)
})
