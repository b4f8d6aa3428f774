import { describe, expect, it, onTestFinished } from 'vitest'
import { type RetentionOptions, startRetention } from '../../receiver/retention.ts'
import { standardError } from '../support/standard-error.ts'
import { until } from '../support/until.ts'
import { callbacks, NOW } from './support.ts'

const DAY = 86_400_000

function retain(purge: (before: number) => Promise<number>, options: Partial<RetentionOptions> = {}) {
  const reported: unknown[] = []
  const retention = startRetention({
    inbox: { purge },
    days: 90,
    everyMs: 5,
    clock: () => NOW * 1000,
    onPurged: (count) => void reported.push(count),
    onFailure: (error) => void reported.push(error),
    ...options,
  })
  onTestFinished(() => retention.stop())
  return { retention, reported }
}

describe('retention', () => {
  it('purges events older than the given days, immediately and at every interval', async () => {
    const calls: number[] = []
    const { reported } = retain(async (before) => calls.push(before) && 7)
    await until(() => calls.length >= 3)
    expect(new Set(calls)).toEqual(new Set([NOW * 1000 - 90 * DAY]))
    expect(reported.slice(0, 2)).toEqual([7, 7])
  })

  it('reports nothing when nothing was purged', async () => {
    let calls = 0
    const { reported } = retain(async () => {
      calls += 1
      return 0
    })
    await until(() => calls >= 2)
    expect(reported).toEqual([])
  })

  it('reports a failure and tries again', async () => {
    let failures = 1
    const { reported } = retain(async () => {
      if (failures-- > 0) throw new Error('disk full')
      return 3
    })
    await until(() => reported.length >= 2)
    expect(reported.slice(0, 2)).toEqual([new Error('disk full'), 3])
  })

  it.each(callbacks('the log\nis gone'))('goes on when its callbacks fail: one %s', async (_how, fail) => {
    const onStandardError = standardError()
    let calls = 0
    retain(
      async () => {
        calls += 1
        if (calls === 1) throw new Error('disk full')
        return calls === 2 ? 7 : 0
      },
      { onPurged: fail, onFailure: fail },
    )
    await until(() => calls >= 4)
    expect(onStandardError()).toEqual([
      'hookproof: onFailure: the log is gone\n',
      'hookproof: onPurged: the log is gone\n',
    ])
  })

  it('reports a clock that throws, and goes on', async () => {
    let works = false
    const clock = () => {
      if (!works) throw new Error('no clock')
      return NOW * 1000
    }
    const { reported } = retain(async () => 7, { clock })
    await until(() => reported.length > 0)
    works = true
    await until(() => reported.includes(7))
    expect(reported[0]).toEqual(new Error('no clock'))
  })

  it('never starts a purge before the previous one ended, or after it was stopped', async () => {
    let running = 0
    let most = 0
    let calls = 0
    const { retention } = retain(async () => {
      calls += 1
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running -= 1
      return 0
    })
    await until(() => calls >= 2)
    expect(most).toBe(1)
    retention.stop()
    const before = calls
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(calls).toBe(before)
  })

  it.each(['days', 'everyMs'])('rejects %s that is not a number', (name) => {
    expect(() => retain(async () => 0, { [name]: Number.NaN })).toThrow(new RegExp(`^${name}: must be`))
  })
})
