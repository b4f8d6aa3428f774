import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Observer } from '../../../../conformance/engine/observe/observe.ts'
import { createWatch } from '../../../../conformance/engine/observe/watch.ts'
import { awakeNow } from '../../../../conformance/engine/time/awake.ts'
import type { Effect } from '../../../../schemas/types.ts'
import { exchange } from '../../report/evidence.ts'

const WAIT_MS = 60
// Time passes only while a test lets it, however busy the machine is. It goes on from where the clock of the suite moves: that
// never goes back, and has stood still since a test before let more time pass than there was.
beforeEach(() => {
  const now = performance.now()
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setInterval', 'clearInterval'] })
  vi.advanceTimersByTime(now)
  const stands = awakeNow()
  while (awakeNow() === stands) vi.advanceTimersByTime(1)
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  const stands = awakeNow()
  while (awakeNow() === stands) await pause(10)
})

/** Lets time pass until a promise is fulfilled. */
async function passing<T>(promise: Promise<T>): Promise<T> {
  const state = { isPending: true }
  const settled = promise.finally(() => {
    state.isPending = false
  })
  while (state.isPending) await vi.advanceTimersByTimeAsync(5)
  return settled
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const effect: Effect = { event: 'payment.completed', effect: 'fulfilled', amount: '1', currency: 'USD' }

const observing = (read: (id: string) => readonly Effect[]): Observer => ({
  effects: async (id) => read(id),
  intervalMs: 5,
  parallel: 8,
  sample: 200,
})

/** A receiver of which the test decides what it shows. */
function watched(waitMs = WAIT_MS) {
  const shown = new Map<string, Effect[]>()
  const asked: string[] = []
  const watch = createWatch(
    observing((id) => {
      asked.push(id)
      return shown.get(id) ?? []
    }),
    waitMs,
  )
  const show = (id: string) => shown.set(id, [...(shown.get(id) ?? []), effect])
  const waitFor = (id: string) =>
    passing(watch.until(async () => (await watch.observe([id]))(id).length > 0, 1))
  return { watch, show, asked, waitFor }
}
const sent = (paymentId: string, about: Partial<Delivery> = {}, status = 200) => [
  exchange(status, { event: 'payment.completed', key: paymentId, ...about }),
]
/** Shows one payment after another, so that the receiver never rests for the waiting time. */
async function showing(ids: readonly string[], show: (id: string) => unknown) {
  for (const id of ids) {
    await pause(WAIT_MS / 2)
    show(id)
  }
}
const many = Array.from({ length: 6 }, (_, n) => `other_${n}`)

describe('waiting for an effect', () => {
  it('ends when it shows', async () => {
    const { show, waitFor } = watched()
    const waiting = waitFor('tx_1')
    setTimeout(show, 20, 'tx_1')
    expect(await waiting).toBe(true)
  })

  it('ends without it once nothing has changed for the waiting time', async () => {
    const { waitFor } = watched()
    const started = performance.now()
    expect(await waitFor('tx_1')).toBe(false)
    expect(performance.now() - started).toBeGreaterThanOrEqual(WAIT_MS)
  })

  it('takes longer with a receiver that has rested for almost as long before', async () => {
    const { watch, show, waitFor } = watched()
    watch.answered(sent('tx_1'), true)
    setTimeout(show, WAIT_MS - 10, 'tx_1')
    expect(await waitFor('tx_1')).toBe(true)
    watch.answered(sent('tx_2'), true)
    setTimeout(show, WAIT_MS + 20, 'tx_2')
    expect(await waitFor('tx_2')).toBe(true)
  })

  it('goes on while the payments of other cases change', async () => {
    const { watch, show, waitFor } = watched()
    const others = watch.until(async () => {
      const effects = await watch.observe(many)
      return many.every((id) => effects(id).length > 0)
    }, many.length)
    const shown = showing([...many, 'tx_1'], show)

    expect(await waitFor('tx_1')).toBe(true)
    expect(await passing(others)).toBe(true)
    await passing(shown)
  })

  it('goes on while acknowledged payments change that no case observes', async () => {
    const { watch, show, waitFor } = watched()
    for (const id of many) watch.answered(sent(id), false)
    const shown = showing([...many, 'tx_1'], show)

    expect(await waitFor('tx_1')).toBe(true)
    await passing(shown)
  })

  it('goes on while responses arrive', async () => {
    const { watch, show, waitFor } = watched()
    const shown = showing([...many, 'tx_1'], (id) =>
      id === 'tx_1' ? show(id) : watch.answered(sent(id, {}, 401), true),
    )

    expect(await waitFor('tx_1')).toBe(true)
    await passing(shown)
  })

  it('ends although the same payment changes again and again', async () => {
    const { watch, show, waitFor } = watched(20)
    const restless = setInterval(show, 1, 'tx_2')
    const others = watch.until(async () => {
      await watch.observe(['tx_2'])
      return false
    }, 1)
    expect(await waitFor('tx_1')).toBe(false)
    expect(await passing(others)).toBe(false)
    clearInterval(restless)
  })
})

describe('payments that no case observes', () => {
  it('are looked at only if they were acknowledged and must have an effect, and only until it shows', async () => {
    const { watch, show, asked, waitFor } = watched()
    watch.answered(sent('refused', {}, 401), false)
    watch.answered(sent('refund', { isEffective: false }), false)
    watch.answered(sent('observed'), true)
    watch.answered(sent('context', { role: 'context' }), true)
    watch.answered(sent('paid'), false)
    show('paid')
    await waitFor('tx_1')

    expect(new Set(asked)).toEqual(new Set(['tx_1', 'context', 'paid']))
    expect(asked.filter((id) => id === 'paid')).toHaveLength(1)
    expect(asked.filter((id) => id === 'context').length).toBeGreaterThan(1)
  })

  it('are not looked at again when their response is reported twice', async () => {
    const { watch, show, asked, waitFor } = watched()
    watch.answered(sent('paid'), false)
    show('paid')
    await waitFor('tx_1')
    watch.answered(sent('paid'), false)
    await waitFor('tx_2')

    expect(asked.filter((id) => id === 'paid')).toHaveLength(1)
  })

  it('are not looked at when no case waits', async () => {
    const { watch, show, asked, waitFor } = watched()
    watch.answered(sent('paid'), false)
    show('tx_1')
    expect(await waitFor('tx_1')).toBe(true)
    await passing(pause(WAIT_MS))
    expect(asked).toEqual(['tx_1'])
  })

  it('are looked at a few at a time: the oldest, and in each turn others', async () => {
    let now = 0
    let most = 0
    const asked: string[] = []
    const observer = {
      ...observing(() => []),
      parallel: 2,
      sample: 4,
      async effects(id: string) {
        asked.push(id)
        now += 1
        most = Math.max(most, now)
        await pause(1)
        now -= 1
        return []
      },
    }
    const watch = createWatch(observer, 1000)
    for (let n = 0; n < 10; n += 1) watch.answered(sent(`tx_${n}`), false)
    // It sees each of them before the receiver counts as at rest.
    expect(await passing(watch.until(async () => new Set(asked).size === 10, 1))).toBe(true)

    expect(most).toBe(2)
    expect(asked.slice(0, 4)).toContain('tx_0')
    expect(asked.slice(4, 8)).toContain('tx_0')
  })
})

describe('the number of cases that wait', () => {
  it('is reported once they have waited for a time, and then 0', async () => {
    const reported: number[] = []
    const watch = createWatch(
      observing(() => []),
      50,
      (cases) => reported.push(cases),
      30,
    )
    await passing(Promise.all([1, 2].map(() => watch.until(async () => false, 1))))
    expect(reported).toEqual([2, 0])
  })

  it('is not reported when they have waited only briefly', async () => {
    const reported: number[] = []
    const watch = createWatch(
      observing(() => []),
      20,
      (cases) => reported.push(cases),
      10_000,
    )
    await passing(watch.until(async () => false, 1))
    expect(reported).toEqual([])
  })
})
