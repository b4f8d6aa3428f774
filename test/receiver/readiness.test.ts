import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createReadiness } from '../../receiver/readiness.ts'

/** An inbox that counts how often it is asked, and fails or hangs when told to. */
function inbox() {
  const state = { asked: 0, failing: false, hanging: false }
  const check = async (): Promise<void> => {
    state.asked += 1
    if (state.failing) throw new Error('disk full')
    if (state.hanging) await new Promise(() => {})
  }
  return { state, check }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('readiness', () => {
  it('asks the store once a second at most, however often it is asked', async () => {
    const store = inbox()
    const readiness = createReadiness({ inbox: store })
    const looks = Array.from({ length: 100 }, () => readiness.check())
    expect(await Promise.all(looks)).toEqual(looks.map(() => ({ ready: true })))
    expect(store.state.asked).toBe(1)
    store.state.failing = true
    vi.advanceTimersByTime(999)
    expect(await readiness.check()).toEqual({ ready: true })
    vi.advanceTimersByTime(1)
    expect(await readiness.check()).toEqual({ ready: false, reason: 'store' })
    expect(store.state.asked).toBe(2)
  })

  it('comes back with the store, and tells each failure once', async () => {
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

  it('does not wait for ever for a store that does not answer', async () => {
    const store = inbox()
    store.state.hanging = true
    const look = createReadiness({ inbox: store }).check()
    await vi.advanceTimersByTimeAsync(2000)
    expect(await look).toEqual({ ready: false, reason: 'store' })
  })

  it('is over once it drains, also for those who asked before, and the store is left alone', async () => {
    const store = inbox()
    const readiness = createReadiness({ inbox: store })
    const before = readiness.check()
    readiness.drain()
    vi.advanceTimersByTime(5000)
    for (const look of [before, readiness.check()]) {
      expect(await look).toEqual({ ready: false, reason: 'draining' })
    }
    expect(store.state.asked).toBe(1)
  })

  it.each(['cacheMs', 'withinMs'])('takes only a whole number above 0 for %s', (name) => {
    expect(() => createReadiness({ inbox: inbox(), [name]: 0 })).toThrow(`${name}: must be`)
  })
})
