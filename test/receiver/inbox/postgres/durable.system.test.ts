import type { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectionOf } from '../../../../receiver/inbox/postgres/connection.ts'
import { postgresInbox } from '../../../../receiver/inbox/postgres.ts'
import { completed } from '../../support.ts'
import { freshSchema, poolOf, serverUrl } from '../databases.ts'

/**
 * Records the value of synchronous_commit with which each write to a table commits: deferred triggers run when the
 * transaction commits. Claims are left out, because a forgotten claim loses nothing.
 */
async function recordCommits(pool: Pool, schema: string): Promise<() => Promise<string[]>> {
  await pool.query(`
    CREATE TABLE ${schema}.commits (id serial, line text);
    CREATE FUNCTION ${schema}.record() RETURNS trigger LANGUAGE 'plpgsql' AS $$ BEGIN
      INSERT INTO ${schema}.commits (line)
      VALUES (lower(TG_OP) || ' ' || split_part(TG_ARGV[0], '.', 2) || ' ' || current_setting('synchronous_commit'));
      RETURN NULL;
    END $$`)
  const watched = [
    ['INSERT', `${schema}.inbox`, ''],
    ['UPDATE', `${schema}.inbox`, `WHEN (NEW.state <> 'processing')`],
    ['UPDATE', `${schema}.format`, ''],
    ['INSERT', `${schema}.payment`, ''],
  ]
  for (const [event, table, when] of watched) {
    await pool.query(`CREATE CONSTRAINT TRIGGER recording_${event} AFTER ${event} ON ${table} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW ${when} EXECUTE FUNCTION ${schema}.record('${table}')`)
  }
  return async () => {
    const { rows } = await pool.query(`DELETE FROM ${schema}.commits RETURNING line`)
    return rows.map(({ line }) => line)
  }
}

describe('commits wait for the disk', () => {
  it.each([
    ['off', 'on'],
    ['local', 'local'],
    ['remote_write', 'remote_write'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('with synchronous_commit = %s as %s', async (given, used) => {
    const schema = freshSchema()
    const pool = poolOf(serverUrl(), { options: `-c synchronous_commit=${given}` })
    const inbox = await postgresInbox({ pool, schema, retries: { maxAttempts: 2, firstDelayMs: 1 } })
    onTestFinished(() => inbox.close())
    const commits = await recordCommits(pool, schema)
    const claimed = async () => {
      const [entry] = await inbox.claim(1, Date.now() + 1000)
      if (entry === undefined) throw new Error('nothing to claim')
      return entry
    }

    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
    expect(await inbox.accept(completed('tx_1'))).toBe('duplicate')
    expect(await commits()).toEqual([`insert inbox ${used}`])
    await inbox.fail(await claimed(), 'no goods')
    expect(new Set(await commits())).toEqual(new Set([`update inbox ${used}`]))
    const dead = await claimed()
    await inbox.fail(dead, 'no goods')
    await inbox.retry(dead.id)
    expect(new Set(await commits())).toEqual(new Set([`update inbox ${used}`]))
    await inbox.complete(await claimed())
    expect(await commits()).toEqual([`update inbox ${used}`])
    await inbox.accept(completed('tx_2'))
    await inbox.complete(await claimed(), (client) =>
      client.query(`INSERT INTO ${schema}.payment VALUES ('x', true, '{}')`),
    )
    expect(await commits()).toEqual([
      `insert inbox ${used}`,
      `update inbox ${used}`,
      `insert payment ${used}`,
    ])
    await inbox.accept(completed('tx_3'))
    await claimed()
    await inbox.recover()
    expect(new Set(await commits())).toEqual(new Set([`insert inbox ${used}`, `update inbox ${used}`]))
    await inbox.check()
    expect(await commits()).toEqual([`update format ${used}`])
  })

  it('and later transactions of the session keep their own setting', async () => {
    const pool = poolOf(serverUrl(), { options: '-c synchronous_commit=off', max: 1 })
    const settings: unknown[] = []
    await connectionOf(pool).transaction(async (client) => {
      settings.push(...(await client.query('SHOW synchronous_commit')).rows)
    })
    settings.push(...(await pool.query('SHOW synchronous_commit')).rows)
    expect(settings).toEqual([{ synchronous_commit: 'on' }, { synchronous_commit: 'off' }])
  })
})
