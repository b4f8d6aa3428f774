import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type PostgresInboxOptions, postgresInbox } from '../../../../receiver/inbox/postgres.ts'
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
    [
      'an unknown database',
      () => changed({ pathname: '/none' }),
      /\/none: database "none" does not exist\. Create it with/,
    ],
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
    expect(await openingError(url)).toMatch(
      /: permission denied for database hookproof_[^ ]+\. GRANT the privileges/,
    )
    expect(await contentOf(poolOf(database))).toEqual([])
  })

  it('are fewer once the tables exist', async () => {
    const database = await freshDatabase()
    const owner = poolOf(database)
    await opened(owner)
    const { role, url } = await asRole(database)
    onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${role}`)))
    expect(await openingError(url)).toMatch(/: permission denied for schema hookproof\. GRANT the privileges/)
    await owner.query(`GRANT USAGE ON SCHEMA hookproof TO ${role}`)
    await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA hookproof TO ${role}`)
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

  it('of another version stay unchanged, and a running receiver of this version continues', async () => {
    const database = await freshDatabase()
    const pool = poolOf(database)
    const running = await opened(pool)
    await running.accept(completed('tx_1'))
    await pool.query('UPDATE hookproof.format SET version = version + 1')
    const before = await contentOf(pool)
    expect(await openingError(database)).toMatch(
      /created by another version \(its format is 3, this version supports 2\)\. Use that version of the program/,
    )
    expect(await contentOf(pool)).toEqual(before)
    await running.check()
    expect(await running.accept(completed('tx_2'))).toBe('stored')
    expect(await running.claim(2, Date.now())).toHaveLength(2)
    const { rows } = await pool.query('SELECT version FROM hookproof.format')
    expect(rows).toEqual([{ version: 3 }])
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
