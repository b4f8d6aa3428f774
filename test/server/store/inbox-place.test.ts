import { describe, expect, it } from 'vitest'
import { InboxError } from '../../../receiver/inbox.ts'
import { readConfig } from '../../../server/config.ts'
import { reloadingVerifier } from '../../../server/secrets/secrets.ts'
import { start } from '../../../server/server.ts'
import { placeOf } from '../../../server/store/inbox-place.ts'
import { openStore } from '../../../server/store/store.ts'

/** The message with which opening an inbox fails. */
const failureOf = (inbox: string): Promise<string> =>
  openStore(inbox, { clock: Date.now, retries: {} }).then(
    () => 'opened',
    (error: unknown) => (error instanceof InboxError ? error.message : `not an InboxError: ${String(error)}`),
  )

describe('a malformed URL as the inbox', () => {
  it.each([
    'postgres:/user:hunter2@host/db',
    'postgres:user:hunter2@host/db',
    'postgres:hunter2@host',
    'postgresql:/user:hunter2@host/db',
    'Postgres:/user:hunter2@host/db',
    'postgres//user:hunter2@host/db',
    'postgres;//user:hunter2@host/db',
    'postgres ://user:hunter2@host/db',
    'postgres:\\\\user:hunter2@host\\db',
    'pg:user:hunter2@host/db',
    'mysql:/user:hunter2@host/db',
    'redis:user:hunter2@host',
    '//user:hunter2@host/db',
    'user:hunter2@host/db',
    'user:hunter2/x@host/db',
    '"postgres://user:hunter2@host/db"',
    "'postgres://user:hunter2@host/db'",
    'INBOX=postgres://user:hunter2@host/db',
    'psql postgres://user:hunter2@host/db',
    'jdbc:postgresql://host/db?user=user&password=hunter2',
    'host=h user=user password=hunter2 dbname=db',
    '/postgres://user:hunter2@host/db',
    'postgre//user:hunter2@host/db',
    'postgres/user:hunter2@host/db',
    'postgres@user:hunter2/host/db',
  ])('is not taken for the path of a file, and its password is not shown: %s', async (url) => {
    expect(placeOf(url)).toBe('malformed')
    expect(await failureOf(url)).toMatch(
      /^inbox: it looks like a URL, but is not valid\. Use postgres:\/\/user:password@host:5432\/database, [^\n]+$/,
    )
  })

  it.each(['pg://user:hunter2@host/db', 'mysql://user:hunter2@host/db', 'file:///data/inbox.sqlite'])(
    'with another scheme is rejected: %s',
    async (url) => {
      expect(await failureOf(url)).toMatch(/^inbox: (pg|mysql|file):\/\/ is not supported\. Use postgres/)
    },
  )

  it.each([
    'Postgres://user:hunter2%zz@host/db',
    'postgres://user:hunter2@ss@host:port/db',
    'postgres://user:12/hunter2@host/db',
    'postgres://user:12?hunter2@host/db',
    'postgres://user:12#hunter2@host/db',
    'postgres://user:hunter2@[::1/db',
    'postgres://user:hunter2@',
    ' postgres://user:hunter2@host:port/db\n',
  ])('of a Postgres database is rejected without its password: %s', async (url) => {
    expect(placeOf(url)).toBe('postgres')
    expect(await failureOf(url)).toMatch(
      /^inbox: the database URL is not valid\. Use postgres:\/\/user:password@host[^\n]+$/,
    )
  })
})

it.each([
  'inbox.sqlite',
  './inbox.sqlite',
  '/data/inbox.sqlite',
  'file:inbox.sqlite',
  'file:/data/inbox.sqlite?mode=rwc',
  'C:\\data\\inbox.sqlite',
  'C:/data/me@home.sqlite',
  'a:b.sqlite',
  './a:b.sqlite',
  '../a:b@c.sqlite',
  '/data/a:b@c/inbox.sqlite',
  '/home/password=x/inbox.sqlite',
  'postgres/inbox.sqlite',
  'me@home.sqlite',
])('the path of a SQLite file is one: %s', (path) => {
  expect(placeOf(path)).toBe('sqlite')
})

describe('a URL in a variable for something else', () => {
  const url = 'postgres://user:hunter2@host/db'
  const env = { WEBHOOK_SECRET: 'x', INBOX: 'memory', LOG_LEVEL: 'silent', PORT: '0' }

  it.each(['PORT', 'METRICS_PORT', 'LOG_LEVEL', 'OBSERVE', 'MAX_WAITING'])(
    'is shown without its password: %s',
    (name) => {
      expect(() => readConfig({ ...env, [name]: url })).toThrow(/but is "\*\*\*@host\/db"\.$/)
    },
  )

  it('is shown without its password as a host', async () => {
    // Fails immediately, without a query to a name server.
    const host = '//user:hunter2@h..'
    for (const config of [
      readConfig({ ...env, HOST: host }),
      readConfig({ ...env, METRICS_HOST: host, METRICS_PORT: '0' }),
    ]) {
      await expect(start(config)).rejects.toThrow(/^cannot listen on \*\*\*@h\.\. port 0: [^\n]*$/)
    }
  })

  it('is shown without its password as the secret file', () => {
    expect(() => reloadingVerifier({ file: url, verifierFor: String as never })).toThrow(
      /^WEBHOOK_SECRET_FILE \*\*\*@host\/db: cannot be read \(ENOENT\)/,
    )
  })
})
