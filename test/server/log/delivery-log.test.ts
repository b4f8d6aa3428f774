import { describe, expect, it } from 'vitest'
import { type RefusalCode, refusal } from '../../../receiver/limits/refusals.ts'
import type { DeliveryOutcome } from '../../../receiver/receive.ts'
import { createDeliveryLog } from '../../../server/log/delivery-log.ts'
import { completed } from '../../receiver/support.ts'
import { recordingLog } from './recording-log.ts'

const refused = (code: RefusalCode): DeliveryOutcome => {
  const error = refusal(code)
  return { outcome: 'refused', status: error.status, error }
}

describe('the log of deliveries', () => {
  it('limits the lines per second for each code, and reports the suppressed number with the next line', () => {
    const { log, lines } = recordingLog()
    let now = 0
    const logResult = createDeliveryLog(log, { maxPerSecond: 3, now: () => now })
    for (let count = 0; count < 10; count += 1) logResult(refused('overloaded'))
    logResult(refused('signature_mismatch'))
    now = 999
    logResult(refused('overloaded'))
    now = 1000
    for (let count = 0; count < 2; count += 1) logResult(refused('overloaded'))
    expect(lines.map((line) => JSON.parse(line)).map(({ code, unlogged }) => [code, unlogged])).toEqual([
      ['overloaded', undefined],
      ['overloaded', undefined],
      ['overloaded', undefined],
      ['signature_mismatch', undefined],
      ['overloaded', 8],
      ['overloaded', undefined],
    ])
  })

  it('has a line for every acknowledged delivery', () => {
    const { log, lines } = recordingLog()
    const logResult = createDeliveryLog(log, { maxPerSecond: 1, now: () => 0 })
    for (let count = 0; count < 50; count += 1) {
      logResult({ outcome: 'stored', status: 200, delivery: completed(`tx_${count}`) })
    }
    expect(lines).toHaveLength(50)
  })
})
