import { describe, expect, it, onTestFinished } from 'vitest'
import { memoryInbox } from '../../receiver/inbox/memory.ts'
import { sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import type { Entry, Inbox } from '../../receiver/inbox.ts'
import { type AttemptOutcome, type ProcessingOptions, startProcessing } from '../../receiver/processing.ts'
import { delivery, NOW, temporaryFile, until } from './support.ts'

const completed = (id: string) => delivery({ event: 'payment.completed', payment_id: id })

/** Starts processing that a test need not stop itself, and keeps what it tells. */
function process(options: Partial<ProcessingOptions> & { inbox: Inbox }) {
  const outcomes: AttemptOutcome[] = []
  const handled: string[] = []
  const processing = startProcessing({
    handle: (_event, { paymentId }) => void handled.push(paymentId),
    backoff: () => 0,
    pollMs: 5,
    stopWithinMs: 1000,
    onOutcome: (outcome) => void outcomes.push(outcome),
    ...options,
  })
  onTestFinished(() => processing.stop())
  return { processing, outcomes, handled, named: () => outcomes.map(({ outcome }) => outcome) }
}

const inState = async (inbox: Inbox, state: Entry['state']) =>
  (await inbox.list({ state })).map(({ paymentId }) => paymentId)

describe('an acknowledged event', () => {
  it('is handled once, with the event as it was sent', async () => {
    const inbox = memoryInbox()
    const seen: unknown[] = []
    const { outcomes } = process({ inbox, handle: (...args) => void seen.push(args) })
    const { event } = delivery({ event: 'payment.completed', payment_id: 'tx_1', amount: '25.00' })
    await inbox.accept(delivery(event))
    await until(() => outcomes.length > 0)
    expect(seen).toEqual([[event, expect.objectContaining({ paymentId: 'tx_1', attempts: 1 })]])
    expect(await inState(inbox, 'done')).toEqual(['tx_1'])
  })

  it('is handled at a wake, without waiting for the next look, and never in the same turn', async () => {
    const inbox = memoryInbox()
    const { processing, handled } = process({ inbox, pollMs: 60_000 })
    await new Promise(setImmediate)
    await inbox.accept(completed('tx_1'))
    processing.wake()
    for (let turn = 0; turn < 100; turn++) await Promise.resolve()
    expect(handled).toEqual([])
    await until(() => handled.length === 1)
  })

  it('is not forgotten when the wake comes while the loop is busy', async () => {
    const inbox = memoryInbox()
    const slow: Inbox = {
      ...inbox,
      async claim(limit, now) {
        const entries = await inbox.claim(limit, now)
        await new Promise((resolve) => setTimeout(resolve, 10))
        return entries
      },
    }
    const { processing, handled } = process({ inbox: slow, pollMs: 60_000 })
    await new Promise((resolve) => setTimeout(resolve, 2))
    await inbox.accept(completed('tx_1'))
    processing.wake()
    await until(() => handled.length === 1)
  })

  it('is handled beside others, but never more than allowed', async () => {
    const inbox = memoryInbox()
    for (let n = 0; n < 20; n++) await inbox.accept(completed(`tx_${n}`))
    let running = 0
    let most = 0
    const { outcomes } = process({
      inbox,
      concurrency: 3,
      async handle() {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running--
      },
    })
    await until(() => outcomes.length === 20)
    expect(most).toBe(3)
  })
})

describe('a failure', () => {
  it('is tried again after the back-off, and then done', async () => {
    const inbox = memoryInbox()
    let now = NOW
    const backoffs: number[] = []
    const { outcomes, named } = process({
      inbox,
      clock: () => now,
      backoff: (attempt) => {
        backoffs.push(attempt)
        return attempt * 100
      },
      handle: (_event, { attempts }) => {
        if (attempts < 3) throw new Error(`failed ${attempts}`)
      },
    })
    await inbox.accept(completed('tx_1'))
    await until(() => outcomes.length === 1)
    expect(await inbox.list({ state: 'pending' })).toMatchObject([
      { dueAt: NOW + 100, lastError: 'failed 1' },
    ])
    now += 99
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(outcomes).toHaveLength(1)
    now += 1
    await until(() => outcomes.length === 2)
    now += 200
    await until(() => outcomes.length === 3)
    expect(named()).toEqual(['retry', 'retry', 'handled'])
    expect(backoffs).toEqual([1, 2])
  })

  it('waits a second, then twice as long each time, and never more than an hour', async () => {
    const inbox = memoryInbox()
    await inbox.accept(completed('tx_1'))
    let now = NOW
    const waits: number[] = []
    const processing = startProcessing({
      inbox,
      handle: fail,
      maxAttempts: 20,
      pollMs: 1,
      clock: () => now,
      onOutcome(told) {
        if (told.outcome !== 'retry') return
        waits.push(told.dueAt - now)
        now = told.dueAt
      },
    })
    await until(async () => (await inState(inbox, 'dead')).length === 1)
    await processing.stop()
    expect(waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000])
    expect(waits.slice(12)).toEqual(Array(7).fill(3_600_000))
  })

  it('is given up after the last attempt, listed, and retried when told', async () => {
    const inbox = memoryInbox()
    let mended = false
    const { processing, outcomes, named } = process({
      inbox,
      maxAttempts: 2,
      handle() {
        if (!mended) throw new Error('out of goods')
      },
    })
    await inbox.accept(completed('tx_1'))
    await until(() => outcomes.length === 2)
    const [dead] = await inbox.list({ state: 'dead' })
    expect(dead).toMatchObject({ paymentId: 'tx_1', attempts: 2, lastError: 'out of goods' })
    mended = true
    await inbox.retry(dead?.id ?? '')
    processing.wake()
    await until(() => outcomes.length === 3)
    expect(named()).toEqual(['retry', 'dead', 'handled'])
  })

  it('of one event does not hold up the others', async () => {
    const inbox = memoryInbox()
    for (const id of ['bad', 'tx_1', 'tx_2']) await inbox.accept(completed(id))
    process({
      inbox,
      backoff: () => 60_000,
      concurrency: 1,
      handle: (_event, { paymentId }) => (paymentId === 'bad' ? fail() : undefined),
    })
    await until(async () => (await inState(inbox, 'done')).length === 2)
    expect(await inState(inbox, 'pending')).toEqual(['bad'])
  })

  it('may be anything that can be thrown', async () => {
    const inbox = memoryInbox()
    await inbox.accept(completed('tx_1'))
    process({ inbox, maxAttempts: 1, handle: () => Promise.reject({ line: 'one\n two'.repeat(200) }) })
    await until(async () => (await inState(inbox, 'dead')).length === 1)
    const [{ lastError = '' } = {}] = await inbox.list({ state: 'dead' })
    expect(lastError.length).toBeLessThanOrEqual(500)
    expect(lastError).not.toContain('\n')
  })

  it('of the store does not end the loop', async () => {
    const inbox = memoryInbox()
    let failures = 3
    const flaky: Inbox = {
      ...inbox,
      claim: (...args) => (failures-- > 0 ? Promise.reject(new Error('disk full')) : inbox.claim(...args)),
    }
    await inbox.accept(completed('tx_1'))
    const { named } = process({ inbox: flaky })
    await until(async () => (await inState(inbox, 'done')).length === 1)
    expect(named()).toEqual(['store_failed', 'store_failed', 'store_failed', 'handled'])
  })

  it('to record the end of an attempt leads to another attempt', async () => {
    const inbox = memoryInbox()
    let failures = 1
    const flaky: Inbox = {
      ...inbox,
      complete: (id) => (failures-- > 0 ? Promise.reject(new Error('disk full')) : inbox.complete(id)),
    }
    await inbox.accept(completed('tx_1'))
    const { handled } = process({ inbox: flaky })
    await until(async () => (await inState(inbox, 'done')).length === 1)
    expect(handled).toEqual(['tx_1', 'tx_1'])
  })
})

describe('a store that fails once', () => {
  it('does not make an event that is being handled be handled twice', async () => {
    const inbox = memoryInbox()
    let failures = 1
    const flaky: Inbox = {
      ...inbox,
      complete: (id) => (failures-- > 0 ? Promise.reject(new Error('disk full')) : inbox.complete(id)),
    }
    for (const id of ['tx_quick', 'tx_slow']) await inbox.accept(completed(id))
    const begun: string[] = []
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { named } = process({
      inbox: flaky,
      async handle(_event, { paymentId }) {
        begun.push(paymentId)
        if (paymentId === 'tx_slow') await released
      },
    })
    await until(() => named().includes('store_failed'))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(begun).toEqual(['tx_quick', 'tx_slow'])
    release()
    await until(async () => (await inState(inbox, 'done')).length === 2)
    expect(begun).toEqual(['tx_quick', 'tx_slow', 'tx_quick'])
  })
})

describe('construction', () => {
  it.each(['maxAttempts', 'concurrency', 'pollMs', 'stopWithinMs'])(
    'refuses %s that is no number',
    (name) => {
      const make = () => startProcessing({ inbox: memoryInbox(), handle: fail, [name]: Number.NaN })
      expect(make).toThrow(new RegExp(`^${name}: must be`))
    },
  )
})

describe('a restart', () => {
  it('goes on with what was waiting and what was being handled', async () => {
    const path = temporaryFile()
    const before = await sqliteInbox({ path })
    for (const id of ['tx_1', 'tx_2', 'tx_3']) await before.accept(completed(id))
    await before.claim(2, Date.now())
    await before.close()

    const inbox = await sqliteInbox({ path })
    const { processing, handled } = process({ inbox })
    await until(() => handled.length === 3)
    expect(handled.toSorted()).toEqual(['tx_1', 'tx_2', 'tx_3'])
    await processing.stop()
    await inbox.close()
  })

  it('keeps the dead, and retries one when told', async () => {
    const path = temporaryFile()
    const before = await sqliteInbox({ path })
    await before.accept(completed('tx_1'))
    const first = process({ inbox: before, maxAttempts: 1, handle: fail })
    await until(() => first.outcomes.length === 1)
    await first.processing.stop()
    await before.close()

    const inbox = await sqliteInbox({ path })
    const [dead] = await inbox.list({ state: 'dead' })
    expect(dead).toMatchObject({ paymentId: 'tx_1', lastError: 'failed' })
    expect(await inbox.retry(dead?.id ?? '')).toBe(true)
    const { processing, handled } = process({ inbox })
    await until(() => handled.length === 1)
    await processing.stop()
    expect(await inState(inbox, 'done')).toEqual(['tx_1'])
    await inbox.close()
  })

  it('gives up an event that takes the process with it each time', async () => {
    const inbox = memoryInbox()
    await inbox.accept(completed('tx_1'))
    for (let crash = 0; crash < 3; crash++) {
      await inbox.claim(1, Date.now())
      await inbox.recover()
    }
    const { handled, named } = process({ inbox, maxAttempts: 3 })
    await until(async () => (await inState(inbox, 'dead')).length === 1)
    expect(handled).toEqual([])
    expect(named()).toEqual(['dead'])
  })
})

describe('stopping', () => {
  it('handles what is due first, then ends', async () => {
    const inbox = memoryInbox()
    const handled: string[] = []
    const { processing } = process({
      inbox,
      concurrency: 2,
      async handle(_event, { paymentId }) {
        await new Promise((resolve) => setTimeout(resolve, 2))
        handled.push(paymentId)
      },
    })
    for (let n = 0; n < 9; n++) await inbox.accept(completed(`tx_${n}`))
    await processing.stop()
    expect(handled).toHaveLength(9)
    await inbox.accept(completed('tx_late'))
    processing.wake()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await inState(inbox, 'pending')).toEqual(['tx_late'])
  })

  it('leaves for the next start what is not due', async () => {
    const inbox = memoryInbox()
    await inbox.accept(completed('tx_1'))
    const { processing, outcomes } = process({ inbox, backoff: () => 60_000, handle: fail })
    await until(() => outcomes.length === 1)
    await processing.stop()
    expect(await inState(inbox, 'pending')).toEqual(['tx_1'])
  })

  it('waits no longer than allowed for a handler that does not end', async () => {
    const inbox = memoryInbox()
    await inbox.accept(completed('tx_1'))
    let began = false
    const { processing } = process({
      inbox,
      stopWithinMs: 10,
      handle() {
        began = true
        return new Promise(() => {})
      },
    })
    await until(() => began)
    await processing.stop()
    expect(await inState(inbox, 'processing')).toEqual(['tx_1'])
  })

  it('ends though the store is down', async () => {
    const inbox = memoryInbox()
    const { processing } = process({ inbox: { ...inbox, claim: () => Promise.reject(new Error('gone')) } })
    await processing.stop()
    await processing.stop()
  })
})

function fail(): never {
  throw new Error('failed')
}
