import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { repeat } from '../../../scripts/proofs/durability/repeat.ts'
import { until } from '../../support/until.ts'

describe('a task that a proof repeats', () => {
  // A server that stops ends the connection of a query; without a listener for that error the proof exits.
  it('is not running any more when it has been stopped', async () => {
    let running = 0
    let started = 0
    const stop = repeat(async () => {
      running += 1
      started += 1
      await wait(50)
      running -= 1
    }, 1)
    await until(() => started > 1 && running === 1)
    const startedBefore = started
    await stop()
    expect(running).toBe(0)
    await wait(20)
    expect(started).toBe(startedBefore)
  })

  it('is repeated after it failed', async () => {
    let started = 0
    const stop = repeat(async () => {
      started += 1
      throw new Error('the tables do not exist yet')
    }, 1)
    await until(() => started > 2)
    await stop()
  })
})
