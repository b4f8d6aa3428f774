import { describe, expect, it, onTestFinished } from 'vitest'
import { postgresInbox, readPostgresInbox } from '../../../../receiver/inbox/postgres.ts'
import { NoInboxError } from '../../../../receiver/inbox.ts'
import { completed } from '../../support.ts'
import { asAdmin, emptySchema, freshSchema, poolOf, serverUrl } from '../databases.ts'
import { asRole } from './errors.ts'

/** An inbox: tx_done is done, tx_dead is dead, tx_1 waits. */
async function filled() {
  const schema = emptySchema()
  const inbox = await postgresInbox({ pool: poolOf(serverUrl()), schema, retries: { maxAttempts: 1 } })
  onTestFinished(() => inbox.close())
  for (const id of ['tx_done', 'tx_dead', 'tx_1']) await inbox.accept(completed(id))
  const [done, dead] = await inbox.claim(2, Date.now())
  if (done === undefined || dead === undefined) throw new Error('two entries were not claimed')
  await inbox.complete(done)
  await inbox.fail(dead, 'no goods')
  return { schema, inbox }
}

/** A pool of a user with exactly the privileges that reading needs, in sessions that can only read. */
async function readerOf(schema: string) {
  const { role, url } = await asRole(serverUrl())
  onTestFinished(() => asAdmin(`DROP OWNED BY ${role}`))
  const needed: (readonly [string, string])[] = [
    ['USAGE', `SCHEMA ${schema}`],
    ['SELECT', `${schema}.format`],
    ['SELECT', `${schema}.inbox`],
  ]
  await asAdmin(needed.map(([privilege, on]) => `GRANT ${privilege} ON ${on} TO ${role}`).join(';'))
  return { role, needed, pool: poolOf(url, { options: '-c default_transaction_read_only=on' }) }
}

describe('reading a Postgres inbox', () => {
  it('returns its entries to a user who may only read them', async () => {
    const { schema, inbox } = await filled()
    const { pool } = await readerOf(schema)
    const reader = await readPostgresInbox({ pool, schema })
    for (const state of ['pending', 'processing', 'done', 'dead'] as const) {
      const entries = await inbox.list({ state })
      expect(await reader.list({ state })).toEqual(entries)
      for (const entry of entries) expect(await reader.get(entry.id)).toEqual(entry)
    }
    expect([await reader.get('99'), await reader.get('no id')]).toEqual([undefined, undefined])
    expect(await reader.depth(0)).toEqual(await inbox.depth(0))
    await reader.close()
    expect((await pool.query('SELECT 1 AS open')).rows).toEqual([{ open: 1 }])
  })

  it('names what a missing privilege is for', async () => {
    const { schema } = await filled()
    const { role, needed, pool } = await readerOf(schema)
    for (const [privilege, on] of needed) {
      await asAdmin(`REVOKE ${privilege} ON ${on} FROM ${role}`)
      const reading = async () => (await readPostgresInbox({ pool, schema })).depth(0)
      await expect(reading()).rejects.toThrow(
        /: permission denied for (schema|table) [^ ]+\. GRANT the privileges/,
      )
      await asAdmin(`GRANT ${privilege} ON ${on} TO ${role}`)
      await reading()
    }
  })

  it('rejects a database without an inbox, and creates none', async () => {
    const schema = freshSchema()
    const pool = poolOf(serverUrl())
    await expect(readPostgresInbox({ pool, schema })).rejects.toThrow(NoInboxError)
    const { rows } = await pool.query('SELECT to_regnamespace($1) IS NULL AS absent', [schema])
    expect(rows).toEqual([{ absent: true }])
  })
})
