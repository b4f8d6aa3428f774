import { expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { CORRECT } from '../../../mutants/behavior.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

it('a gateway may answer 502 while the receiver behind it still starts', async () => {
  let left = 2
  const { url } = await smallReceiver({
    behavior: { gate: (request, body) => ((left -= 1) >= 0 ? 502 : CORRECT.gate(request, body)) },
  })
  const report = await check({ url, secret: SECRET, only: ['transport/posted-as-json', 'events/completed'] })
  expect(report.counts).toMatchObject({ passed: 2, failed: 0 })
  expect(left).toBeLessThan(0)
})
