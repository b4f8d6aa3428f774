import { expect, test } from 'vitest'
import { randomFrom } from '../../../scripts/proofs/shared/random.ts'
import { createTraffic } from '../../../scripts/proofs/shared/traffic.ts'

const DELIVERIES = 300

test('a tenth of the deliveries are duplicates, but a new delivery never is', () => {
  const traffic = createTraffic(randomFrom('traffic'), 'traffic')
  for (let count = 0; count < DELIVERIES; count += 1) traffic.next()
  expect(traffic.duplicates()).toBeGreaterThan(DELIVERIES / 20)

  const before = new Set(traffic.sent)
  const fresh = Array.from({ length: DELIVERIES }, () => traffic.nextNew())
  expect(fresh.filter((event) => before.has(event))).toEqual([])
  expect(new Set(fresh).size).toBe(DELIVERIES)
})
