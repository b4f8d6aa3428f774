import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectionOf } from '../../../receiver/inbox/postgres/connection.ts'
import { openQueue } from '../../../receiver/inbox/postgres/queue.ts'
import { type PostgresInboxOptions, postgresInbox } from '../../../receiver/inbox/postgres.ts'
import { retryPolicy } from '../../../receiver/inbox/retries.ts'
import { openStore } from '../../../server/store.ts'
import { until } from '../../support/until.ts'
import { completed } from '../support.ts'
import { asAdmin, freshDatabase, freshSchema, poolOf, serverUrl } from './databases.ts'
import { asRole, openingError } from './postgres-errors.ts'

const options = { clock: Date.now, retries: {} }

/** The server's URL with something else in it. */
function changed(
  parts: Partial<Pick<URL, 'hostname' | 'port' | 'username' | 'password' | 'pathname'>>,
): string {
  return Object.assign(new URL(serverUrl()), parts).href
}

async function opened(pool: Pool, more: Omit<PostgresInboxOptions, 'pool'> = {}) {
  const inbox = await postgresInbox({ pool, ...more })
  onTestFinished(() => inbox.close())
  return inbox
}

/** Every table of a database with what it holds, to tell whether it was touched. */
async function contentOf(pool: Pool): Promise<unknown> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  )
  const content = []
  for (const { name } of rows) content.push([name, (await pool.query(`SELECT * FROM ${name}`)).rows])
  return content
}

describe('a Postgres that can not be used', () => {
  it.each([
    ['an unknown host', () => changed({ hostname: 'nowhere.invalid' }), /host name/],
    ['nobody there', () => changed({ port: '1' }), /127\.0\.0\.1:1\/.*: nothing answers there/],
    ['a wrong password', () => changed({ password: 'secret' }), /: the password is wrong/],
    ['an unknown user', () => changed({ username: 'nobody_secret' }), /: the password is wrong|does not let/],
    ['no such database', () => changed({ pathname: '/none' }), /\/none: there is no such database/],
    [
      'TLS that it lacks',
      () => `${serverUrl()}?uselibpqcompat=true&sslmode=require`,
      /does not speak TLS\. Turn TLS on in Postgres .*; leave sslmode out of the URL only on a network that you trust\.$/,
    ],
  ])('%s', async (_what, url, says) => {
    expect(await openingError(url())).toMatch(says)
  })

  it.each([
    ['postgres://user:secret@', /URL of the database can not be read/],
    ['postgres://user:sec%ret@host/db', /URL of the database can not be read/],
    ['postgres://user:secret@host:99999/db', /URL of the database can not be read/],
    ['postgres://user:secret@host/db?pool=none', /pool .* whole number/],
    ['postgres://user:secret@host/db?pool=0', /pool .* whole number/],
    ['mysql://user:secret@host/db', /^inbox: mysql:\/\/ is not known\. Give postgres/],
    ['postgers://user:secret@host/db', /^inbox: postgers:\/\/ is not known/],
  ])('the URL %s', async (url, says) => {
    expect(await openingError(url)).toMatch(says)
  })

  it('is one with an encoding that can not hold every text', async () => {
    const name = `hookproof_${randomUUID().replaceAll('-', '')}`
    await asAdmin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
    onTestFinished(() => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`))
    expect(await openingError(changed({ pathname: `/${name}` }))).toMatch(/encoding is LATIN1/)
  })

  it('is one that is read-only, or does not wait for the disk', async () => {
    const url = await freshDatabase()
    const database = new URL(url).pathname.slice(1)
    await asAdmin(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
    expect(await openingError(url)).toMatch(/takes no writes/)
    await asAdmin(`ALTER DATABASE ${database} RESET default_transaction_read_only`)
    await asAdmin(`ALTER DATABASE ${database} SET synchronous_commit = off`)
    expect(await openingError(url)).toMatch(/synchronous_commit is off/)
    expect(await contentOf(poolOf(url))).toEqual([])
  })
})

describe('the privileges that it takes', () => {
  it('are named when they lack, and nothing is made', async () => {
    const database = await freshDatabase()
    const { url } = await asRole(database)
    expect(await openingError(url)).toMatch(/lacks a privilege\. GRANT CREATE ON DATABASE/)
    expect(await contentOf(poolOf(database))).toEqual([])
  })

  it('are fewer once the tables are there', async () => {
    const database = await freshDatabase()
    const owner = poolOf(database)
    await opened(owner)
    const { role, url } = await asRole(database)
    onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${role}`)))
    expect(await openingError(url)).toMatch(/lacks USAGE on the schema hookproof, /)
    for (const schema of ['hookproof', 'hookproof_queue']) {
      await owner.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
      await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`)
      await owner.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`)
    }
    const { inbox } = await openStore(url, options)
    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
    const [entry] = await inbox.claim(1, Date.now())
    if (entry) await inbox.complete(entry)
    expect(await inbox.list({ state: 'done' })).toHaveLength(1)
    await inbox.close()
  })
})

describe('the tables', () => {
  it('are made once by many who start at once', async () => {
    const schema = freshSchema()
    const inboxes = await Promise.all(
      Array.from({ length: 6 }, () => opened(poolOf(serverUrl()), { schema })),
    )
    const answers = await Promise.all(inboxes.map((inbox) => inbox.accept(completed('tx_1'))))
    expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1)
  })

  it('get their queue once, by many who make it at once', async () => {
    const schema = freshSchema()
    const pool = poolOf(serverUrl(), { max: 40 })
    await opened(pool, { schema })
    const connection = connectionOf(pool)
    for (let round = 0; round < 6; round++) {
      await pool.query(
        round % 2 ? `DROP SCHEMA ${schema}_queue CASCADE` : `SELECT ${schema}_queue.delete_queue('inbox')`,
      )
      const opening = Array.from({ length: 16 }, () =>
        openQueue({
          connection,
          schema: `${schema}_queue`,
          retries: retryPolicy(),
          takeOverAfterSeconds: 60,
        }),
      )
      for (const queue of await Promise.all(opening)) await queue.stop()
    }
    expect((await pool.query(`SELECT name FROM ${schema}_queue.queue`)).rows).toEqual([{ name: 'inbox' }])
  })

  it('stand beside those of others', async () => {
    const pool = poolOf(serverUrl())
    const [one, other] = [
      await opened(pool, { schema: freshSchema() }),
      await opened(pool, { schema: freshSchema() }),
    ]
    expect(await one.accept(completed('tx_1'))).toBe('stored')
    expect(await other.accept(completed('tx_1'))).toBe('stored')
    expect(await other.claim(2, Date.now())).toHaveLength(1)
  })

  it.each(['', 'a b', 'A', '"a"', 'a;b', '1a', 'a'.repeat(41)])(
    'are not made in a schema %j',
    async (schema) => {
      await expect(opened(poolOf(serverUrl()), { schema })).rejects.toThrow(/^schema: must be a plain name/)
    },
  )

  it('of a newer version are left alone, while a receiver of this version that runs goes on', async () => {
    const database = await freshDatabase()
    const pool = poolOf(database)
    const running = await opened(pool)
    await running.accept(completed('tx_1'))
    await pool.query('UPDATE hookproof.format SET version = version + 1')
    const before = await contentOf(pool)
    expect(await openingError(database)).toMatch(
      /made by a newer version \(its format is 2, this program knows 1\)\. Update the program/,
    )
    expect(await contentOf(pool)).toEqual(before)
    await running.check()
    expect(await running.accept(completed('tx_2'))).toBe('stored')
    expect(await running.claim(2, Date.now())).toHaveLength(2)
    const { rows } = await pool.query('SELECT version FROM hookproof.format')
    expect(rows).toEqual([{ version: 2 }])
  })

  it('of a newer queue are left alone', async () => {
    const database = await freshDatabase()
    const pool = poolOf(database)
    await opened(pool)
    await pool.query('UPDATE hookproof_queue.version SET version = 25')
    const before = await contentOf(pool)
    expect(await openingError(database)).toMatch(/its queue has format 25, this program knows 24/)
    expect(await contentOf(pool)).toEqual(before)
  })

  it('keep what was never taken, and what failed, whatever the queue clears away', async () => {
    const schema = freshSchema()
    const pool = poolOf(serverUrl())
    const inbox = await opened(pool, { schema, retries: { maxAttempts: 1 } })
    for (const id of ['tx_dead', 'tx_1']) await inbox.accept(completed(id))
    for (const entry of await inbox.claim(1, Date.now())) await inbox.fail(entry, 'no goods')
    const { rows } = await pool.query(
      `SELECT min(keep_until - now()) > interval '1000 years' AS kept FROM ${schema}_queue.job`,
    )
    expect(rows).toEqual([{ kept: true }])
    // As if years had passed.
    await pool.query(`UPDATE ${schema}_queue.job SET completed_on = completed_on - interval '20 years'`)
    await opened(pool, { schema, takeOverAfterSeconds: 4 })
    // Twice, since it tells when it begins and not when it has ended.
    for (let upkeep = 0; upkeep < 2; upkeep++) {
      await pool.query(`UPDATE ${schema}_queue.version SET maintained_on = NULL`)
      await until(async () => {
        const { rows } = await pool.query(
          `SELECT 1 FROM ${schema}_queue.version WHERE maintained_on IS NOT NULL`,
        )
        return rows.length === 1
      })
    }
    expect(await inbox.depth(Date.now())).toMatchObject({ pending: 1, dead: 1 })
  })

  it('are known by a pool of one connection, too', async () => {
    const pool = poolOf(serverUrl(), { max: 1 })
    const inbox = await opened(pool, { schema: freshSchema() })
    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
    const [entry] = await inbox.claim(1, Date.now())
    if (entry) await inbox.complete(entry, (client) => client.query('SELECT 1'))
    expect(await inbox.list({ state: 'done' })).toHaveLength(1)
  })
})
