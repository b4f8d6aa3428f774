import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import { memoryInbox } from '../../receiver/inbox/memory.ts'
import { type Database, type SqliteInbox, sqliteInbox } from '../../receiver/inbox/sqlite.ts'
import { deduplicationKey, type Entry, type Inbox } from '../../receiver/inbox.ts'
import type { Ledger } from '../../receiver/orders.ts'
import { type AttemptOutcome, type ProcessingOptions, startProcessing } from '../../receiver/processing.ts'
import { standardError } from '../support/standard-error.ts'
import { temporaryFile } from '../support/temporary.ts'
import { until } from '../support/until.ts'
import { callbacks, completed, delivery, NOW } from './support.ts'

/** Due again after one millisecond. */
const soon = { firstDelayMs: 1, maxDelayMs: 1 }

/** Starts processing that stops with the test, and records its outcomes. */
function process<Transaction>(
  options: Partial<ProcessingOptions<Transaction>> & { inbox: Inbox<Transaction> },
) {
  const outcomes: AttemptOutcome[] = []
  const handled: string[] = []
  const processing = startProcessing({
    handle: (_event, { paymentId }) => void handled.push(paymentId),
    pollMs: 5,
    stopTimeoutMs: 1000,
    onOutcome: (outcome) => void outcomes.push(outcome),
    ...options,
  })
  onTestFinished(() => processing.stop())
  return { processing, outcomes, handled, named: () => outcomes.map(({ outcome }) => outcome) }
}

/** An inbox whose named methods each reject once. */
function failingOnce(inbox: Inbox, ...methods: ('complete' | 'fail')[]): Inbox {
  const left = new Set(methods)
  const down = () => Promise.reject(new Error('disk full'))
  return {
    ...inbox,
    complete: (...args) => (left.delete('complete') ? down() : inbox.complete(...args)),
    fail: (...args) => (left.delete('fail') ? down() : inbox.fail(...args)),
  }
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

  it('is handled on wake, without waiting for the next poll, and never in the same turn', async () => {
    const inbox = memoryInbox()
    const { processing, handled } = process({ inbox, pollMs: 60_000 })
    await new Promise(setImmediate)
    await inbox.accept(completed('tx_1'))
    processing.wake()
    for (let turn = 0; turn < 100; turn++) await Promise.resolve()
    expect(handled).toEqual([])
    await until(() => handled.length === 1)
  })

  it('is handled when the wake arrives while the loop is busy', async () => {
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

  it('is handled concurrently with others, up to the limit', async () => {
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
  it('is retried after the back-off, then done', async () => {
    let now = NOW
    const clock = () => now
    const inbox = memoryInbox({ clock, retries: { firstDelayMs: 100 } })
    const { outcomes, named } = process({
      inbox,
      clock,
      handle: (_event, { attempts }) => {
        if (attempts < 3) throw new Error(`failed ${attempts}`)
      },
    })
    await inbox.accept(completed('tx_1'))
    await until(() => outcomes.length === 1)
    expect(outcomes).toMatchObject([{ outcome: 'retry', dueAt: NOW + 100 }])
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
  })

  it('makes the event dead after the last attempt; retry handles it again', async () => {
    const inbox = memoryInbox({ retries: { maxAttempts: 2, ...soon } })
    let fixed = false
    const { processing, outcomes, named } = process({
      inbox,
      handle() {
        if (!fixed) throw new Error('out of goods')
      },
    })
    await inbox.accept(completed('tx_1'))
    await until(() => outcomes.length === 2)
    const [dead] = await inbox.list({ state: 'dead' })
    expect(dead).toMatchObject({ paymentId: 'tx_1', attempts: 2, lastError: 'out of goods' })
    fixed = true
    await inbox.retry(dead?.id ?? '')
    processing.wake()
    await until(() => outcomes.length === 3)
    expect(named()).toEqual(['retry', 'dead', 'handled'])
  })

  it('of one event does not delay the others', async () => {
    const inbox = memoryInbox({ retries: { firstDelayMs: 60_000 } })
    for (const id of ['bad', 'tx_1', 'tx_2']) await inbox.accept(completed(id))
    process({
      inbox,
      concurrency: 1,
      handle: (_event, { paymentId }) => (paymentId === 'bad' ? fail() : undefined),
    })
    await until(async () => (await inState(inbox, 'done')).length === 2)
    expect(await inState(inbox, 'pending')).toEqual(['bad'])
  })

  it('may throw any value', async () => {
    const inbox = memoryInbox({ retries: { maxAttempts: 1 } })
    await inbox.accept(completed('tx_1'))
    process({ inbox, handle: () => Promise.reject({ line: 'one\n two'.repeat(200) }) })
    await until(async () => (await inState(inbox, 'dead')).length === 1)
    const [{ lastError = '' } = {}] = await inbox.list({ state: 'dead' })
    expect(lastError.length).toBeLessThanOrEqual(500)
    expect(lastError).not.toContain('\n')
  })

  it.each(callbacks('the log\nis gone'))(
    'of onOutcome, which %s, is logged and ends nothing',
    async (_how, fail) => {
      const onStandardError = standardError()
      const inbox = memoryInbox({ retries: { maxAttempts: 1 } })
      const { processing } = process({
        inbox,
        handle: (_event, { paymentId }) => {
          if (paymentId === 'tx_2') throw new Error('out of goods')
        },
        onOutcome: fail,
      })
      for (const id of ['tx_1', 'tx_2', 'tx_3']) {
        await inbox.accept(completed(id))
        processing.wake()
        await until(() => onStandardError().length === Number(id.at(-1)))
      }
      expect(await inState(inbox, 'done')).toEqual(['tx_1', 'tx_3'])
      expect(await inState(inbox, 'dead')).toEqual(['tx_2'])
      expect(new Set(onStandardError())).toEqual(new Set(['hookproof: onOutcome: the log is gone\n']))
    },
  )

  it.each(callbacks('the log is gone'))(
    'of onOutcome, which %s, when the store fails ends nothing',
    async (_how, fail) => {
      const onStandardError = standardError()
      const inbox = memoryInbox()
      let down = true
      const claim: Inbox['claim'] = (...args) =>
        down ? Promise.reject(new Error('disk full')) : inbox.claim(...args)
      const { handled } = process({ inbox: { ...inbox, claim }, onOutcome: fail })
      await inbox.accept(completed('tx_1'))
      await until(() => onStandardError().length === 1)
      down = false
      await until(() => handled.length === 1)
    },
  )

  it('of the clock is reported as one of the store, and ends nothing', async () => {
    const inbox = memoryInbox()
    await inbox.accept(completed('tx_1'))
    let works = false
    const clock = () => {
      if (!works) throw new Error('no clock')
      return Date.now()
    }
    const { outcomes, handled, processing } = process({ inbox, clock })
    await until(() => outcomes.length === 1)
    expect(outcomes).toMatchObject([{ outcome: 'store_failed', error: { message: 'no clock' } }])
    expect(processing.state).toBe('failing')
    works = true
    await until(() => handled.length === 1)
  })

  it('of a handler that never returns frees its place and is retried; 32 of them do not stop the others', async () => {
    const inbox = memoryInbox({ retries: { firstDelayMs: 60_000 } })
    for (let n = 0; n < 32; n++) await inbox.accept(completed(`stuck_${n}`))
    const { outcomes, handled } = process({
      inbox,
      handleTimeoutMs: 50,
      handle: (_event, { paymentId }) =>
        paymentId.startsWith('stuck') ? new Promise<void>(() => {}) : void handled.push(paymentId),
    })
    await inbox.accept(completed('tx_1'))
    await until(() => handled.length === 1)
    await until(() => outcomes.length === 33)
    const retried = outcomes.filter(({ outcome }) => outcome === 'retry')
    expect(retried).toHaveLength(32)
    expect(retried[0]).toMatchObject({
      error: { message: expect.stringMatching(/^handle: did not end within 50 ms/) },
    })
    expect(await inState(inbox, 'done')).toEqual(['tx_1'])
  })

  it('of a transact that never returns rolls its transaction back', async () => {
    const inbox = memoryInbox({ retries: { firstDelayMs: 60_000 } })
    await inbox.accept(completed('tx_1'))
    const { outcomes } = process({ inbox, handleTimeoutMs: 20, transact: () => new Promise(() => {}) })
    await until(() => outcomes.length === 1)
    expect(outcomes).toMatchObject([
      { outcome: 'retry', error: { message: expect.stringContaining('transact:') } },
    ])
    expect(await inState(inbox, 'pending')).toEqual(['tx_1'])
  })

  it('of the store does not end the loop, and is reported once while its cause stays the same', async () => {
    const inbox = memoryInbox()
    let failures = 3
    const flaky: Inbox = {
      ...inbox,
      claim: (...args) => (failures-- > 0 ? Promise.reject(new Error('disk full')) : inbox.claim(...args)),
    }
    await inbox.accept(completed('tx_1'))
    const { named } = process({ inbox: flaky })
    await until(async () => (await inState(inbox, 'done')).length === 1)
    expect(named()).toEqual(['store_failed', 'handled'])
  })

  it('of the store is reported again when its cause changes, when it recurs, and every minute', async () => {
    const elapsed = vi.spyOn(performance, 'now')
    onTestFinished(() => elapsed.mockRestore())
    const inbox = memoryInbox()
    const messages = [
      'full',
      'full',
      'gone',
      'gone',
      undefined,
      'gone',
      'gone',
      'a minute later',
      'gone',
      undefined,
    ]
    const failing: Inbox = {
      ...inbox,
      async claim(...args) {
        let message = messages.shift()
        if (message === 'a minute later') {
          elapsed.mockReturnValue(now + 60_001)
          message = messages.shift()
        }
        if (message !== undefined) throw new Error(message)
        return inbox.claim(...args)
      },
    }
    const now = 1000
    elapsed.mockReturnValue(now)
    const { outcomes } = process({ inbox: failing })
    await until(() => messages.length === 0)
    const reported = outcomes.map((outcome) => outcome.outcome === 'store_failed' && String(outcome.error))
    expect(reported).toEqual(['Error: full', 'Error: gone', 'Error: gone', 'Error: gone'])
  })

  it('to record a completion counts as a failure of that attempt', async () => {
    const inbox = memoryInbox({ retries: soon })
    await inbox.accept(completed('tx_1'))
    const { handled, named } = process({ inbox: failingOnce(inbox, 'complete') })
    await until(async () => (await inState(inbox, 'done')).length === 1)
    expect(handled).toEqual(['tx_1', 'tx_1'])
    expect(named()).toEqual(['retry', 'handled'])
  })
})

describe('a store that fails once', () => {
  it('does not cause an event in progress to be handled twice', async () => {
    const inbox = memoryInbox()
    for (const id of ['tx_quick', 'tx_slow']) await inbox.accept(completed(id))
    const started: string[] = []
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { named } = process({
      inbox: failingOnce(inbox, 'complete', 'fail'),
      async handle(_event, { paymentId }) {
        started.push(paymentId)
        if (paymentId === 'tx_slow') await released
      },
    })
    await until(() => named().includes('store_failed'))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(started).toEqual(['tx_quick', 'tx_slow'])
    release()
    await until(async () => (await inState(inbox, 'done')).length === 2)
    expect(started).toEqual(['tx_quick', 'tx_slow', 'tx_quick'])
  })
})

describe('work in the transaction', () => {
  it('runs after handle, with the event, its entry and the transaction', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite') })
    const seen: unknown[][] = []
    const { processing, outcomes } = process<Database>({
      inbox,
      handle: (event, entry) => void seen.push(['handle', event, entry]),
      transact: (event, entry, database) => void seen.push(['transact', event, entry, database]),
    })
    const given = completed('tx_1')
    await inbox.accept(given)
    await until(() => outcomes.length === 1)
    const entry = expect.objectContaining({ idempotencyKey: deduplicationKey(given) })
    expect(seen.map(([name]) => name)).toEqual(['handle', 'transact'])
    expect(seen[0]?.slice(1)).toEqual([given.event, entry])
    expect(seen[1]?.slice(1, 3)).toEqual([given.event, entry])
    expect(seen[1]?.[3]).toBe(inbox.database)
    await processing.stop()
    await inbox.close()
  })

  it('commits once, with the completion, even if earlier attempts failed after it', async () => {
    const inbox = await sqliteInbox({ path: temporaryFile('inbox.sqlite'), retries: soon })
    inbox.database.exec('CREATE TABLE goods (payment_id TEXT)')
    const ship = inbox.database.prepare('INSERT INTO goods VALUES (?)')
    const { processing, named } = process<Database>({
      inbox,
      transact(_event, { paymentId, attempts }) {
        ship.run(paymentId)
        if (attempts < 3) throw new Error('too late for the ship')
      },
    })
    await inbox.accept(completed('tx_1'))
    // What is committed shows before it is synced, and only then counts as handled.
    await until(() => named().includes('handled'))
    expect(await inState(inbox, 'done')).toHaveLength(1)
    expect(inbox.database.prepare('SELECT * FROM goods').all()).toEqual([{ payment_id: 'tx_1' }])
    expect(named()).toEqual(['retry', 'retry', 'handled'])
    await processing.stop()
    await inbox.close()
  })

  it('does not run for an attempt that another receiver took over', async () => {
    const inbox = memoryInbox()
    await inbox.accept(completed('tx_1'))
    const transacted: number[] = []
    const { outcomes, named } = process({
      inbox,
      pollMs: 5,
      handle: async (_event, { attempts }) => {
        if (attempts === 1) await inbox.recover()
      },
      transact: (_event, { attempts }) => transacted.push(attempts),
    })
    await until(() => outcomes.length === 2)
    expect(named()).toEqual(['lost', 'handled'])
    expect(transacted).toEqual([2])
  })

  it('has the transaction type of its inbox', () => {
    type Work<Transaction> = Required<ProcessingOptions<Transaction>>['transact']
    expectTypeOf<Work<Database>>().parameter(2).toEqualTypeOf<Database>()
    expectTypeOf<SqliteInbox>().toExtend<Inbox>()
    expectTypeOf<Inbox<undefined>>().toExtend<Inbox>()
    expectTypeOf<Inbox<undefined>>().not.toExtend<Inbox<Database>>()
    expectTypeOf<Inbox>().not.toExtend<Inbox<Database>>()
    expectTypeOf<Ledger<undefined>>().not.toExtend<Ledger<Database>>()
  })
})

describe('construction', () => {
  it.each(['concurrency', 'pollMs', 'stopTimeoutMs'])('rejects %s that is not a number', (name) => {
    const make = () => startProcessing({ inbox: memoryInbox(), handle: fail, [name]: Number.NaN })
    expect(make).toThrow(new RegExp(`^${name}: must be`))
  })

  it('requires an inbox, which may be a promise that was not awaited', () => {
    for (const inbox of [undefined, Promise.resolve(memoryInbox())]) {
      const make = () => startProcessing({ inbox: inbox as never, handle: fail })
      expect(make).toThrow(/^inbox: is missing, or was not awaited/)
    }
  })

  it('requires handle or transact', () => {
    expect(() => startProcessing({ inbox: memoryInbox() })).toThrow(/^handle, transact: both are missing/)
  })
})

describe('a restart', () => {
  it('continues with pending entries and with those in progress', async () => {
    const path = temporaryFile('inbox.sqlite')
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

  it('keeps dead entries, and retry handles one again', async () => {
    const path = temporaryFile('inbox.sqlite')
    const before = await sqliteInbox({ path, retries: { maxAttempts: 1 } })
    await before.accept(completed('tx_1'))
    const first = process({ inbox: before, handle: fail })
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

  it('makes an event dead when every attempt crashes the process', async () => {
    const inbox = memoryInbox({ retries: { maxAttempts: 3 } })
    await inbox.accept(completed('tx_1'))
    for (let crash = 0; crash < 3; crash++) {
      if (crash > 0) await inbox.recover()
      await inbox.claim(1, Date.now())
    }
    const { handled, outcomes } = process({ inbox })
    await until(async () => (await inState(inbox, 'dead')).length === 1)
    await until(() => outcomes.length === 1)
    expect(handled).toEqual([])
    expect(outcomes).toMatchObject([
      { outcome: 'dead', entry: { paymentId: 'tx_1' }, error: { message: expect.stringMatching(/ended/) } },
    ])
  })
})

describe('abandoned attempts of other processes', () => {
  it('that were the last one are reported, also while stopping, without delaying the other events', async () => {
    const inbox = memoryInbox({ retries: { maxAttempts: 1 } })
    await inbox.accept(completed('tx_1'))
    const [entry] = await inbox.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    await inbox.fail(entry, 'abandoned')
    let answer = (_dead: Entry[]): void => {}
    const expire = () => new Promise<Entry[]>((resolve) => void (answer = resolve))
    const { processing, outcomes, handled } = process({ inbox: { ...inbox, expire } })
    await inbox.accept(completed('tx_2'))
    await until(() => handled.length === 1)
    const stopped = processing.stop()
    answer(await inbox.list({ state: 'dead' }))
    await stopped
    expect(outcomes).toMatchObject([
      { outcome: 'handled', entry: { paymentId: 'tx_2' } },
      { outcome: 'dead', entry: { paymentId: 'tx_1' }, error: new Error('abandoned') },
    ])
  })

  it('that cannot be ended are a failure of the store', async () => {
    const inbox = memoryInbox()
    const { outcomes } = process({
      inbox: { ...inbox, expire: () => Promise.reject(new Error('gone')) },
    })
    await until(() => outcomes.length > 0)
    expect(outcomes[0]).toEqual({ outcome: 'store_failed', error: new Error('gone') })
  })
})

describe('stopping', () => {
  it('handles the entries that are due, then ends', async () => {
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

  it('leaves entries that are not due for the next start', async () => {
    const inbox = memoryInbox({ retries: { firstDelayMs: 60_000 } })
    await inbox.accept(completed('tx_1'))
    const { processing, outcomes } = process({ inbox, handle: fail })
    await until(() => outcomes.length === 1)
    await processing.stop()
    expect(await inState(inbox, 'pending')).toEqual(['tx_1'])
  })

  it('stops waiting for a handler that does not end', async () => {
    const inbox = memoryInbox()
    await inbox.accept(completed('tx_1'))
    let began = false
    const { processing } = process({
      inbox,
      stopTimeoutMs: 10,
      handle() {
        began = true
        return new Promise(() => {})
      },
    })
    await until(() => began)
    await processing.stop()
    expect(await inState(inbox, 'processing')).toEqual(['tx_1'])
  })

  it('ends even if the store is down', async () => {
    const inbox = memoryInbox()
    const { processing } = process({ inbox: { ...inbox, claim: () => Promise.reject(new Error('gone')) } })
    await processing.stop()
    await processing.stop()
  })
})

function fail(): never {
  throw new Error('failed')
}
