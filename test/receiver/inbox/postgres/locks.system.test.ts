import { randomUUID } from 'node:crypto'
import { Client, type Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPool } from '../../../../receiver/inbox/postgres/pool.ts'
import { postgresInbox } from '../../../../receiver/inbox/postgres.ts'
import { InboxError } from '../../../../receiver/inbox.ts'
import { startProcessing } from '../../../../receiver/processing.ts'
import { until } from '../../../support/until.ts'
import { completed } from '../../support.ts'
import { emptySchema, poolOf, serverUrl } from '../databases.ts'

/** Locks a table, like a long ALTER TABLE. @returns a function that unlocks it */
async function lock(table: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: serverUrl() })
  await client.connect()
  let locked = true
  const unlock = async () => {
    if (locked) await client.end()
    locked = false
  }
  onTestFinished(unlock)
  await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  return unlock
}

async function open(pool: Pool, schema: string) {
  const inbox = await postgresInbox({ pool, schema })
  onTestFinished(() => inbox.close())
  return inbox
}

describe('a table that someone has locked', () => {
  it('does not keep deliveries waiting if only effects need it', async () => {
    const schema = emptySchema()
    const inbox = await open(poolOf(serverUrl(), { max: 6, connectionTimeoutMillis: 20_000 }), schema)
    for (let event = 0; event < 8; event++) await inbox.accept(completed(`tx_${event}`))
    const entries = await inbox.claim(8, Date.now())
    const unlock = await lock(`${schema}.payment`)
    const completions = entries.map((entry) =>
      inbox.complete(entry, (client) => client.query(`SELECT FROM ${schema}.payment`)),
    )
    const ended = Promise.allSettled(completions)
    expect(await inbox.accept(completed('tx_new'))).toBe('stored')
    await inbox.check()
    await unlock()
    expect((await ended).map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'))
  })

  it('does not keep the other events waiting when each connection waits in a transact', async () => {
    const schema = emptySchema()
    const inbox = await postgresInbox({
      pool: poolOf(serverUrl(), { max: 6 }),
      schema,
      takeOverAfterSeconds: 1,
    })
    const unlock = await lock(`${schema}.payment`)
    for (const id of ['stuck_1', 'stuck_2', 'tx_1']) await inbox.accept(completed(id))
    const handled: string[] = []
    const processing = startProcessing({
      inbox,
      handleTimeoutMs: 200,
      onOutcome: () => {},
      async transact(_event, { paymentId }, client) {
        if (paymentId !== 'tx_1') await client.query(`SELECT FROM ${schema}.payment`)
        handled.push(paymentId)
      },
    })
    onTestFinished(async () => {
      await unlock()
      await processing.stop(1000)
      await inbox.close()
    })
    await until(() => handled.includes('tx_1'))
    expect(handled).toEqual(['tx_1'])
  })

  it('fails deliveries and readiness checks, which leave no statement behind on the server', async () => {
    const schema = emptySchema()
    const name = `locked_${randomUUID().slice(0, 8)}`
    const pool = openPool(`${serverUrl()}?application_name=${name}`, { queryTimeoutMs: 1_000 })
    onTestFinished(() => pool.close())
    const inbox = await open(pool, schema)
    const unlock = await lock(`${schema}.inbox`)
    const failures = await Promise.allSettled([
      inbox.accept(completed('tx_1')),
      ...Array.from({ length: 3 }, () => inbox.check()),
    ])
    for (const failure of failures) {
      if (failure.status === 'fulfilled') throw new Error('it did not wait for the lock')
      expect(failure.reason).toBeInstanceOf(InboxError)
    }
    const watching = poolOf(serverUrl())
    await until(async () => {
      const { rows } = await watching.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND state = 'active'`,
        [name],
      )
      return rows.length === 0
    })
    await unlock()
    await inbox.check()
    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
  })
})

describe('the limit of a statement on the server', () => {
  it.each([
    ['', '24s'],
    ['?statement_timeout=100', '100ms'],
    ['?statement_timeout=60000', '24s'],
  ])('with the URL parameters "%s" is %s', async (parameters, limit) => {
    const pool = openPool(`${serverUrl()}${parameters}`)
    expect((await pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: limit }])
    await pool.close()
  })
})
