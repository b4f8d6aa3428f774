import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import PgBoss from 'pg-boss'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectionOf } from '../../../../receiver/inbox/postgres/connection.ts'
import { openQueue } from '../../../../receiver/inbox/postgres/queue.ts'
import { type PostgresInboxOptions, postgresInbox } from '../../../../receiver/inbox/postgres.ts'
import { retryPolicy } from '../../../../receiver/inbox/retries.ts'
import { openStore } from '../../../../server/store/store.ts'
import { completed } from '../../support.ts'
import { asAdmin, freshDatabase, freshSchema, poolOf, serverUrl } from '../databases.ts'
import { asRole, openingError } from './errors.ts'

const options = { clock: Date.now, retries: {} }

/** The URL of the server with some parts changed. */
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

/** Every table of a database with its rows, to detect changes. */
async function contentOf(pool: Pool): Promise<unknown> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  )
  const content = []
  for (const { name } of rows) content.push([name, (await pool.query(`SELECT * FROM ${name}`)).rows])
  return content
}

describe('a Postgres that cannot be used', () => {
  it.each([
    ['an unknown host', () => changed({ hostname: 'nowhere.invalid' }), /host name/],
    ['no server', () => changed({ port: '1' }), /127\.0\.0\.1:1\/.*: connection refused/],
    ['a wrong password', () => changed({ password: 'secret' }), /: wrong password/],
    ['an unknown user', () => changed({ username: 'nobody_secret' }), /: wrong password|rejects this user/],
    ['an unknown database', () => changed({ pathname: '/none' }), /\/none: the database does not exist/],
    [
      'missing TLS support',
      () => `${serverUrl()}?uselibpqcompat=true&sslmode=require`,
      /does not support TLS\. Turn on TLS in Postgres .*; omit sslmode from the URL only on a network that you trust\.$/,
    ],
  ])('is explained: %s', async (_cause, url, message) => {
    expect(await openingError(url())).toMatch(message)
  })

  it.each([
    ['postgres://user:secret@', /the database URL is not valid/],
    ['postgres://user:sec%ret@host/db', /the database URL is not valid/],
    ['postgres://user:secret@host:99999/db', /the database URL is not valid/],
    // A password with a / or another character that ends a part of the URL must not be shown as a host or a database.
    ['postgres:///user:secret@host/db', /the database URL is not valid/],
    ['postgres://user:12/secret@host/db', /the database URL is not valid\..*%2F for \/, %3F for \?/],
    ['postgres://user:p@secret/word@host/db', /the database URL is not valid/],
    ['postgres://user:p@secret#word@host/db', /the database URL is not valid/],
    ['postgres://user:p@secret?word@host/db', /the database URL is not valid/],
    ['postgres://user:secret@host/db?sslmode=requires', /^inbox: sslmode .* one of disable, no-verify, /],
    ['postgres://user:secret@host/db?pool=none', /"pool" .* integer/],
    ['postgres://user:secret@host/db?pool=0', /"pool" .* integer/],
    ['mysql://user:secret@host/db', /^inbox: mysql:\/\/ is not supported\. Use postgres/],
    ['postgers://user:secret@host/db', /^inbox: postgers:\/\/ is not supported/],
  ])('is explained: the URL %s', async (url, message) => {
    expect(await openingError(url)).toMatch(message)
  })

  it('is explained: an encoding that cannot store every text', async () => {
    const name = `hookproof_${randomUUID().replaceAll('-', '')}`
    await asAdmin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
    onTestFinished(() => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`))
    expect(await openingError(changed({ pathname: `/${name}` }))).toMatch(
      /encoding of the database is LATIN1/,
    )
  })

  it('is explained: a read-only server', async () => {
    const url = await freshDatabase()
    const database = new URL(url).pathname.slice(1)
    await asAdmin(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
    expect(await openingError(url)).toMatch(/is read-only or a standby/)
    expect(await contentOf(poolOf(url))).toEqual([])
  })
})

describe('missing privileges', () => {
  it('are named, and nothing is created', async () => {
    const database = await freshDatabase()
    const { url } = await asRole(database)
    expect(await openingError(url)).toMatch(/lacks a privilege\. GRANT CREATE ON DATABASE/)
    expect(await contentOf(poolOf(database))).toEqual([])
  })

  it('are fewer once the tables exist', async () => {
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
  it('are created once when many receivers start at the same time', async () => {
    const schema = freshSchema()
    const inboxes = await Promise.all(
      Array.from({ length: 6 }, () => opened(poolOf(serverUrl()), { schema })),
    )
    const answers = await Promise.all(inboxes.map((inbox) => inbox.accept(completed('tx_1'))))
    expect(answers.filter((answer) => answer === 'stored')).toHaveLength(1)
  })

  it('get one queue when many receivers create it at the same time', async () => {
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

  it('can exist in several schemas', async () => {
    const pool = poolOf(serverUrl())
    const [first, other] = [
      await opened(pool, { schema: freshSchema() }),
      await opened(pool, { schema: freshSchema() }),
    ]
    expect(await first.accept(completed('tx_1'))).toBe('stored')
    expect(await other.accept(completed('tx_1'))).toBe('stored')
    expect(await other.claim(2, Date.now())).toHaveLength(1)
  })

  it.each(['', 'a b', 'A', '"a"', 'a;b', '1a', 'a'.repeat(41)])(
    'are not created in the schema %j',
    async (schema) => {
      await expect(opened(poolOf(serverUrl()), { schema })).rejects.toThrow(/^schema: must be a plain name/)
    },
  )

  it('of a newer version stay unchanged, and a running receiver of this version continues', async () => {
    const database = await freshDatabase()
    const pool = poolOf(database)
    const running = await opened(pool)
    await running.accept(completed('tx_1'))
    await pool.query('UPDATE hookproof.format SET version = version + 1')
    const before = await contentOf(pool)
    expect(await openingError(database)).toMatch(
      /created by a newer version \(its format is 2, this version supports 1\)\. Update the program/,
    )
    expect(await contentOf(pool)).toEqual(before)
    await running.check()
    expect(await running.accept(completed('tx_2'))).toBe('stored')
    expect(await running.claim(2, Date.now())).toHaveLength(2)
    const { rows } = await pool.query('SELECT version FROM hookproof.format')
    expect(rows).toEqual([{ version: 2 }])
  })

  it('of a newer queue stay unchanged', async () => {
    const database = await freshDatabase()
    const pool = poolOf(database)
    await opened(pool)
    await pool.query('UPDATE hookproof_queue.version SET version = 25')
    const before = await contentOf(pool)
    expect(await openingError(database)).toMatch(/its queue format is 25, this version supports 24/)
    expect(await contentOf(pool)).toEqual(before)
  })

  it('keep unclaimed and failed entries, however old they are', async () => {
    const schema = freshSchema()
    const pool = poolOf(serverUrl())
    const inbox = await opened(pool, { schema, retries: { maxAttempts: 1 } })
    for (const id of ['tx_dead', 'tx_1']) await inbox.accept(completed(id))
    for (const entry of await inbox.claim(1, Date.now())) await inbox.fail(entry, 'no goods')
    const { rows } = await pool.query(
      `SELECT min(keep_until - now()) > interval '1000 years' AS kept FROM ${schema}_queue.job`,
    )
    expect(rows).toEqual([{ kept: true }])
    // Simulates that years have passed.
    await pool.query(`UPDATE ${schema}_queue.job SET completed_on = completed_on - interval '20 years'`)
    expect(await (await opened(pool, { schema })).recover()).toEqual([])
    // A receiver of another version may run the maintenance of pg-boss.
    const db = { executeSql: (text: string, values: unknown[]) => pool.query(text, values) }
    await new PgBoss({
      db,
      schema: `${schema}_queue`,
      archiveCompletedAfterSeconds: 2_000_000_000,
    }).maintain()
    expect(await inbox.depth(Date.now())).toMatchObject({ pending: 1, dead: 1 })
  })

  it('work with a pool of one connection', async () => {
    const pool = poolOf(serverUrl(), { max: 1 })
    const inbox = await opened(pool, { schema: freshSchema() })
    expect(await inbox.accept(completed('tx_1'))).toBe('stored')
    const [entry] = await inbox.claim(1, Date.now())
    if (entry) await inbox.complete(entry, (client) => client.query('SELECT 1'))
    expect(await inbox.list({ state: 'done' })).toHaveLength(1)
  })
})
