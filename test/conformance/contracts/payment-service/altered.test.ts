import { expect, it } from 'vitest'
import { caseOf, kitOf } from '../../support.ts'

it('a reformatted number is the only change, so a body that is serialized again is the signed one', () => {
  const reformatted = caseOf('body-bytes/number-reformatted')
  for (let seed = 0; seed < 500; seed += 1) {
    const plan = reformatted.send(kitOf(reformatted.id, { seed: String(seed) }))
    const bodies = plan.flatMap(({ deliveries }) => deliveries.map(({ body }) => body.toString()))
    const [altered = '', signed = ''] = bodies
    expect(altered).not.toBe(signed)
    expect(JSON.stringify(JSON.parse(altered))).toBe(signed)
  }
})
