import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createReadiness } from '../../receiver/readiness.ts'
import { standardError } from '../support/standard-error.ts'
import { callbacks } from './support.ts'

/** An inbox that counts its checks, and fails or hangs on request. */
function inbox() {
  const state = { checks: 0, failing: false, hanging: false }
  const check = async (): Promise<void> => {
    state.checks += 1
    if (state.failing) throw new Error('disk full')
    if (state.hanging) await new Promise(() => {})
  }
  return { state, check }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('readiness', () => {
  it('checks the store at most once per second', async () => {
    const store = inbox()
    const readiness = createReadiness({ inbox: store })
    const results = Array.from({ length: 100 }, () => readiness.check())
    expect(await Promise.all(results)).toEqual(results.map(() => ({ ready: true })))
    expect(store.state.checks).toBe(1)
    store.state.failing = true
    vi.advanceTimersByTime(999)
    expect(await readiness.check()).toEqual({ ready: true })
    vi.advanceTimersByTime(1)
    expect(await readiness.check()).toEqual({ ready: false, reason: 'store' })
    expect(store.state.checks).toBe(2)
  })

  it('recovers with the store, and reports each failed check once', async () => {
    const failures: unknown[] = []
    const store = inbox()
    const readiness = createReadiness({ inbox: store, onFailure: (error) => failures.push(error) })
    store.state.failing = true
    for (let n = 0; n < 5; n += 1) expect(await readiness.check()).toMatchObject({ ready: false })
    expect(failures).toMatchObject([{ message: 'disk full' }])
    store.state.failing = false
    vi.advanceTimersByTime(1000)
    expect(await readiness.check()).toEqual({ ready: true })
  })

  it.each(callbacks('the log is gone'))('answers when its callbacks fail: one %s', async (_how, fail) => {
    const onStandardError = standardError()
    const store = inbox()
    const readiness = createReadiness({ inbox: store, onFailure: fail, onSuccess: fail })
    expect(await readiness.check()).toEqual({ ready: true })
    store.state.failing = true
    vi.advanceTimersByTime(1000)
    expect(await readiness.check()).toEqual({ ready: false, reason: 'store' })
    expect(onStandardError()).toEqual([
      'hookproof: onSuccess: the log is gone\n',
      'hookproof: onFailure: the log is gone\n',
    ])
  })

  it('stops waiting for a store that does not respond', async () => {
    const store = inbox()
    store.state.hanging = true
    const result = createReadiness({ inbox: store }).check()
    await vi.advanceTimersByTimeAsync(2000)
    expect(await result).toEqual({ ready: false, reason: 'store' })
  })

  it('reports draining, also for checks in progress, and no longer checks the store', async () => {
    const store = inbox()
    const readiness = createReadiness({ inbox: store })
    const before = readiness.check()
    readiness.drain()
    vi.advanceTimersByTime(5000)
    for (const result of [before, readiness.check()]) {
      expect(await result).toEqual({ ready: false, reason: 'draining' })
    }
    expect(store.state.checks).toBe(1)
  })

  it.each(['cacheMs', 'timeoutMs'])('rejects %s that is not an integer of at least 1', (name) => {
    expect(() => createReadiness({ inbox: inbox(), [name]: 0 })).toThrow(`${name}: must be`)
  })
})
