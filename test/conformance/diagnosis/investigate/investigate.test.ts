import { expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

it('keeps the rate of the run while it looks for a cause', async () => {
  const rate = 250
  let requests = 0
  const { url } = await smallReceiver({
    behavior: { keys: () => ['whsec_of_a_former_endpoint'], gate: () => void (requests += 1) },
  })
  const started = performance.now()
  await check({ url, secret: SECRET, only: ['events/completed'], rate, seed: 'rate' })

  expect(requests).toBeGreaterThan(50)
  // A slow machine only makes it longer.
  expect(performance.now() - started).toBeGreaterThan((requests - 2) * (1000 / rate))
})
