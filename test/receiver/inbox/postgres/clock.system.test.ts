import { describe, expect, it, onTestFinished } from 'vitest'
import { postgresInbox } from '../../../../receiver/inbox/postgres.ts'
import { completed } from '../../support.ts'
import { emptySchema, poolOf, serverUrl } from '../databases.ts'

const MINUTE_MS = 60_000
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS

describe('a retry that was scheduled by a clock that was ahead', () => {
  it('is due after the longest delay at the latest', async () => {
    const schema = emptySchema()
    const pool = poolOf(serverUrl())
    const open = async (clock: () => number) => {
      const inbox = await postgresInbox({ pool, schema, clock, retries: { maxDelayMs: 10 * MINUTE_MS } })
      onTestFinished(() => inbox.close())
      return inbox
    }
    const wrong = await open(() => Date.now() + YEAR_MS)
    for (const id of ['tx_1', 'tx_2', 'tx_3']) await wrong.accept(completed(id))
    const entries = await wrong.claim(3, Date.now())
    for (const entry of entries) await wrong.fail(entry, 'no goods')
    expect(await wrong.list({ state: 'pending' })).toHaveLength(3)

    /** Simulates that time has passed. */
    const pass = (minutes: number, id: string | undefined) =>
      pool.query(
        `UPDATE ${schema}.inbox SET started_at = now() - $1 * interval '1 minute' WHERE payment_id = $2`,
        [minutes, id],
      )
    await pass(9, 'tx_1')
    await pass(11, 'tx_2')
    const right = await open(Date.now)
    expect(await right.claim(3, Date.now())).toMatchObject([{ paymentId: 'tx_2', attempts: 2 }])
    expect(await (await open(Date.now)).claim(3, Date.now())).toEqual([])
  })

  it('does not shorten the delays of a receiver whose clock is right', async () => {
    const schema = emptySchema()
    const pool = poolOf(serverUrl())
    const right = await postgresInbox({ pool, schema, retries: { firstDelayMs: 60 * MINUTE_MS } })
    onTestFinished(() => right.close())
    await right.accept(completed('tx_1'))
    for (const entry of await right.claim(1, Date.now())) await right.fail(entry, 'no goods')
    const behind = await postgresInbox({ pool, schema, clock: () => Date.now() - YEAR_MS })
    onTestFinished(() => behind.close())
    expect(await behind.claim(1, Date.now() - YEAR_MS)).toEqual([])
    expect(await right.claim(1, Date.now() + 59 * MINUTE_MS)).toEqual([])
  })
})
