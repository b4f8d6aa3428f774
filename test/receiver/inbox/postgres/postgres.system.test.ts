import { Pool, type PoolClient } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inBatches } from '../../../../receiver/inbox/postgres/batches.ts'
import { statementsIn } from '../../../../receiver/inbox/postgres/statements.ts'
import {
  type PostgresInboxOptions,
  postgresInbox,
  postgresLedger,
} from '../../../../receiver/inbox/postgres.ts'
import { type Inbox, InboxError, LostAttemptError } from '../../../../receiver/inbox.ts'
import { createOrders } from '../../../../receiver/orders.ts'
import { type AttemptOutcome, startProcessing } from '../../../../receiver/processing.ts'
import { startServer } from '../../../support/postgres-server.ts'
import { until } from '../../../support/until.ts'
import { completed, delivery, parsedEvent } from '../../support.ts'
import { emptySchema, poolOf, serverUrl } from '../databases.ts'

type Options = Omit<PostgresInboxOptions, 'pool' | 'schema'>

/** An inbox with a separate pool, like another receiver; both are closed when the test ends. */
async function receiver(
  schema: string,
  options: Options = {},
): Promise<{ inbox: Inbox<PoolClient>; pool: Pool }> {
  const pool = poolOf(serverUrl())
  const inbox = await postgresInbox({ pool, schema, ...options })
  onTestFinished(() => inbox.close())
  return { inbox, pool }
}

async function two(options: Options = {}) {
  const schema = emptySchema()
  const [first, second] = await Promise.all([receiver(schema, options), receiver(schema, options)])
  return { schema, first: first.inbox, second: second.inbox, pool: first.pool }
}

const ids = (count: number) => Array.from({ length: count }, (_, n) => `tx_${n}`)

describe('two receivers on one Postgres', () => {
  it('store each event once, whichever receiver gets it and in any order', async () => {
    const { first, second } = await two()
    for (let round = 0; round < 5; round++) {
      const payments = ids(40).map((id) => `${round}_${id}`)
      const answers = await Promise.all([
        ...payments.map((id) => first.accept(completed(id))),
        ...payments.toReversed().map((id) => second.accept(completed(id))),
      ])
      expect(answers.filter((answer) => answer === 'stored')).toHaveLength(40)
    }
    expect(await first.depth(0)).toMatchObject({ pending: 200 })
  })

  it('never both claim one entry', async () => {
    const { first, second } = await two()
    await Promise.all(ids(60).map((id) => first.accept(completed(id))))
    const hands = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? first : second).claim(4, Date.now())),
    )
    const claimed = hands.flat().map(({ id }) => id)
    expect(claimed).toHaveLength(60)
    expect(new Set(claimed).size).toBe(60)
  })

  it('do not disturb each other when one restarts', async () => {
    const { schema, first, second } = await two()
    await first.accept(completed('tx_1'))
    const [entry] = await first.claim(1, Date.now())
    expect(await second.recover()).toEqual([])
    const third = await receiver(schema)
    expect(await third.inbox.recover()).toEqual([])
    expect(await second.list({ state: 'processing' })).toEqual([entry])
  })

  it('handle each event once, in one ledger', async () => {
    const { schema, first, second, pool } = await two({ retries: { firstDelayMs: 1 } })
    const ledger = postgresLedger({ pool, schema })
    const orders = createOrders({ ledger })
    const handled: string[] = []
    const started = [first, second].map((inbox) =>
      startProcessing({
        inbox,
        pollMs: 5,
        transact: (event, entry, client) => orders.transact(event, entry, client),
        onOutcome: (result) =>
          void (result.outcome === 'handled' && handled.push(result.entry.idempotencyKey)),
      }),
    )
    const money = { amount: '25.00', currency: 'USD' }
    const events = ids(50).flatMap((id) => [
      delivery({ event: 'payment.completed', payment_id: id, ...money }),
      delivery({ event: 'payment.refunded', type: 'refund', payment_id: id, ...money }),
    ])
    await Promise.all(events.map((event, at) => (at % 2 ? first : second).accept(event)))
    await until(async () => (await first.list({ state: 'done', limit: 200 })).length === 100)
    await Promise.all(started.map((processing) => processing.stop()))
    expect(handled).toHaveLength(100)
    expect(new Set(handled).size).toBe(100)
    for (const id of ids(50)) {
      const effects = (await ledger.linesOf(id)).map(({ effect }) => effect)
      expect([['fulfilled', 'reversed'], ['reversed']]).toContainEqual(effects)
    }
  })
})

describe('a receiver that died while handling an entry', () => {
  it('loses it to another receiver, and its late results are rejected', async () => {
    const { first, second } = await two({ takeOverAfterSeconds: 1 })
    await first.accept(completed('tx_1'))
    const [entry] = await first.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    const shipped: string[] = []
    const processing = startProcessing({
      inbox: second,
      pollMs: 20,
      handle: ({ event }) => void shipped.push(event),
    })
    // Without another recover: the second receiver looks for abandoned attempts.
    await until(() => shipped.length === 1)
    await processing.stop()
    expect(await second.list({ state: 'done' })).toMatchObject([{ attempts: 2 }])
    await expect(first.complete(entry, () => shipped.push('twice'))).rejects.toThrow(LostAttemptError)
    await expect(first.fail(entry, 'too late')).rejects.toThrow(LostAttemptError)
    expect(shipped).toEqual(['payment.completed'])
  })

  it('leaves a dead entry if that was the last attempt', async () => {
    const { first, second, pool, schema } = await two({
      takeOverAfterSeconds: 60,
      retries: { maxAttempts: 1 },
    })
    await first.accept(completed('tx_1'))
    await first.claim(1, Date.now())
    await second.recover()
    expect(await second.depth(0)).toMatchObject({ processing: 1, dead: 0 })
    // Simulates that a minute has passed.
    await pool.query(`UPDATE ${schema}.inbox SET started_at = started_at - interval '61 seconds'`)
    const [dead, ...others] = await second.recover()
    expect(await second.depth(0)).toMatchObject({ processing: 0, dead: 1 })
    expect(dead).toMatchObject({ attempts: 1, lastError: 'The process ended during the last attempt.' })
    expect(others).toEqual([])
    expect(await second.list({ state: 'dead' })).toEqual([dead])
    // Only one receiver reports it.
    expect(await first.recover()).toEqual([])
    expect(await second.recover()).toEqual([])
    expect(await second.retry(dead?.id ?? '')).toBe(true)
    expect(await second.claim(1, Date.now())).toMatchObject([{ attempts: 1 }])
  })
})

describe('an entry whose last attempt was abandoned', () => {
  it('is reported as dead by one of the other receivers', async () => {
    const { schema, first, second } = await two({ takeOverAfterSeconds: 1, retries: { maxAttempts: 1 } })
    const third = await receiver(schema, { takeOverAfterSeconds: 1, retries: { maxAttempts: 1 } })
    for (const id of ids(8)) await first.accept(completed(id))
    expect(await first.claim(8, Date.now())).toHaveLength(8)
    const outcomes: AttemptOutcome[] = []
    const started = [second, third.inbox].map((inbox) =>
      startProcessing({
        inbox,
        pollMs: 5,
        handle: () => {},
        onOutcome: (outcome) => void outcomes.push(outcome),
      }),
    )
    await until(async () => (await second.depth(0)).dead === 8)
    await until(() => outcomes.length > 0)
    await Promise.all(started.map((processing) => processing.stop()))
    const reported = outcomes.map((result) => {
      if (result.outcome !== 'dead') return result.outcome
      expect(result.error).toEqual(new Error('The process ended during the last attempt.'))
      expect(result.entry).toMatchObject({ attempts: 1, state: 'dead' })
      return result.entry.paymentId
    })
    expect(reported.toSorted()).toEqual(ids(8))
  })
})

describe('the transaction of a completion', () => {
  it('is awaited, and commits together with the completion', async () => {
    const { schema, first, second, pool } = await two()
    await pool.query(`CREATE TABLE ${schema}.shipped (id text)`)
    const shippedIn = async (target: Pool | PoolClient) =>
      (await target.query(`SELECT id FROM ${schema}.shipped`)).rowCount
    await first.accept(completed('tx_1'))
    const [entry] = await first.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    await first.complete(entry, async (client) => {
      await client.query(`INSERT INTO ${schema}.shipped VALUES ('tx_1')`)
      expect(await shippedIn(client)).toBe(1)
      expect(await shippedIn(pool)).toBe(0)
      expect(await second.list({ state: 'processing' })).toHaveLength(1)
    })
    expect(await shippedIn(pool)).toBe(1)
    expect(await second.list({ state: 'done' })).toHaveLength(1)
  })

  it('rejects when a failed statement in it was ignored', async () => {
    const { first } = await two()
    await first.accept(completed('tx_1'))
    const [entry] = await first.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    const ending = first.complete(entry, async (client) => {
      await client.query('SELECT 1 / 0').catch(() => {})
    })
    await expect(ending).rejects.toThrow(/^transact: a statement in the transaction failed/)
    expect(await first.get(entry.id)).toEqual(entry)
  })

  it('rejects statements that the work did not await before it failed', async () => {
    const { schema, first, pool } = await two()
    await pool.query(`CREATE TABLE ${schema}.shipped (id text)`)
    await first.accept(completed('tx_1'))
    const [entry] = await first.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    let late: Promise<unknown> = Promise.resolve()
    const ending = first.complete(entry, async (client) => {
      late = client
        .query('SELECT pg_sleep(0.05)')
        .then(() => client.query(`INSERT INTO ${schema}.shipped VALUES ('tx_1')`))
      late.catch(() => {})
      throw new Error('no goods')
    })
    await expect(ending).rejects.toThrow('no goods')
    await expect(late).rejects.toThrow()
    expect((await pool.query(`SELECT id FROM ${schema}.shipped`)).rowCount).toBe(0)
  })

  it('succeeds once when an attempt is finished several times at once', async () => {
    const { first, second } = await two()
    await first.accept(completed('tx_1'))
    const [entry] = await first.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    const ended = await Promise.allSettled([
      first.complete(entry),
      second.complete(entry),
      second.fail(entry, 'no'),
    ])
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('a ledger in Postgres', () => {
  it('records one of two conflicting lines of concurrent transactions', async () => {
    const { schema, pool } = await two()
    const ledger = postgresLedger({ pool, schema })
    const line = { paymentId: 'tx_1', livemode: true, amount: '1.00', currency: 'USD', event: 'e' } as const
    const [first, other] = [await pool.connect(), await pool.connect()]
    try {
      await first.query('BEGIN')
      await other.query('BEGIN')
      expect(await ledger.addUnless(first, ['reversed'], { ...line, effect: 'reversed' })).toBe(true)
      const second = ledger.addUnless(other, ['fulfilled', 'reversed'], { ...line, effect: 'fulfilled' })
      await first.query('COMMIT')
      expect(await second).toBe(false)
      await other.query('COMMIT')
    } finally {
      first.release()
      other.release()
    }
    expect(await ledger.linesOf('tx_1')).toEqual([{ ...line, effect: 'reversed' }])
  })

  it('stores payment ids that are too long for an index', async () => {
    const { schema, first, pool } = await two()
    const long = 'tx_'.repeat(100_000)
    expect(await first.accept(completed(long))).toBe('stored')
    expect(await first.accept(completed(long))).toBe('duplicate')
    const ledger = postgresLedger({ pool, schema })
    const orders = createOrders({ ledger })
    const [entry] = await first.claim(1, Date.now())
    if (entry === undefined) throw new Error('nothing was claimed')
    const event = parsedEvent({ event: 'payment.completed', amount: '1.00', currency: 'USD' })
    await first.complete(entry, (client) => orders.transact(event, entry, client))
    expect(await ledger.linesOf(long)).toMatchObject([{ paymentId: long }])
  })
})

describe('a batch', () => {
  it('with many copies of a few events stores each once', async () => {
    const { first, pool, schema } = await two()
    const answers = await Promise.all(ids(300).map((_, n) => first.accept(completed(`tx_${n % 7}`))))
    expect(answers.filter((answer) => answer === 'stored')).toHaveLength(7)
    expect((await pool.query(`SELECT 1 FROM ${schema}.inbox`)).rowCount).toBe(7)
  })

  it('is rejected entirely when it cannot be written, and later batches are stored', async () => {
    const { first, pool, schema } = await two()
    await pool.query(`ALTER TABLE ${schema}.inbox ADD CONSTRAINT refused CHECK (payment_id <> 'tx_2')`)
    const refused = await Promise.allSettled([
      first.accept(completed('tx_1')),
      first.accept(completed('tx_2')),
    ])
    for (const result of refused) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(InboxError) })
    }
    expect((await pool.query(`SELECT 1 FROM ${schema}.inbox`)).rowCount).toBe(0)
    await pool.query(`ALTER TABLE ${schema}.inbox DROP CONSTRAINT refused`)
    expect(await first.accept(completed('tx_1'))).toBe('stored')
  })

  it('is limited in size, and later batches wait', async () => {
    const sizes: number[] = []
    let most = 0
    let underWay = 0
    const batches = inBatches(async (rows) => {
      sizes.push(rows.length)
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 1))
      underWay -= 1
      return new Set(rows.map(({ key }) => key))
    })
    const row = (key: string, bytes = 1) => ({ key, body: Buffer.alloc(bytes) })
    const accepted = [...ids(2500).map((id) => row(id)), row('big', 9_000_000), row('bigger', 9_000_000)].map(
      (item) => batches.accept(item),
    )
    await batches.drain()
    expect(new Set(await Promise.all(accepted))).toEqual(new Set(['stored']))
    expect(sizes).toEqual([1000, 1000, 500, 1, 1])
    expect(most).toBe(2)
  })
})

describe('a long queue', () => {
  it('is claimed without being sorted', async () => {
    const { first, pool, schema } = await two()
    await Promise.all(ids(3000).map((id) => first.accept(completed(id))))
    await pool.query(`ANALYZE ${schema}.inbox`)
    expect(await first.claim(8, Date.now())).toHaveLength(8)
    const values = [Date.now(), 8, '00000000-0000-0000-0000-000000000000']
    const plan = await pool.query(`EXPLAIN ${statementsIn(schema).claim}`, values)
    const text = plan.rows.map((row) => String(Object.values(row)[0])).join('\n')
    expect(text).not.toMatch(/Seq Scan on inbox|Sort/)
  })
})

describe('a Postgres that becomes unavailable', () => {
  it('causes InboxErrors without crashing, and is used again when it is back', async () => {
    const server = await startServer({ durable: false })
    onTestFinished(() => server.remove())
    const pool = new Pool({ connectionString: server.url, connectionTimeoutMillis: 5000 })
    const inbox = await postgresInbox({ pool, takeOverAfterSeconds: 1 })
    const outcomes: string[] = []
    const started = new Set<string>()
    let hold: (() => void) | undefined
    const processing = startProcessing({
      inbox,
      pollMs: 20,
      async transact(_event, entry, client) {
        await client.query('SELECT 1')
        if (started.has(entry.id)) return
        started.add(entry.id)
        // In the middle of a transaction when the server stops.
        await new Promise<void>((resolve) => {
          hold = resolve
        })
        await client.query('SELECT 2')
      },
      onOutcome: ({ outcome }) => void outcomes.push(outcome),
    })
    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
    processing.wake()
    await until(() => hold !== undefined)

    await server.stop()
    hold?.()
    const gone = await inbox.accept(completed('tx_2')).catch((error: unknown) => error)
    expect(gone).toBeInstanceOf(InboxError)
    expect(String(gone)).toMatch(/^InboxError: inbox postgres 127\.0\.0\.1:[0-9]+\/postgres: /)
    for (const refused of [
      inbox.check(),
      inbox.depth(0),
      inbox.claim(1, 0),
      inbox.recover(),
      inbox.purge(0),
    ]) {
      await expect(refused).rejects.toThrow(InboxError)
    }
    await until(() => outcomes.includes('store_failed'))

    await server.start()
    await inbox.check()
    expect(await inbox.accept(completed('tx_2'))).toBe('stored')
    hold = () => {}
    processing.wake()
    const release = setInterval(() => hold?.(), 10)
    await until(async () => (await inbox.list({ state: 'done' })).length === 2)
    clearInterval(release)
    await processing.stop()
    await inbox.close()
    await pool.end()
  }, 60_000)
})
