import { writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { Client, type Pool } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nameOf } from '../../../../receiver/inbox/postgres/errors.ts'
import { openPool } from '../../../../receiver/inbox/postgres/pool.ts'
import { postgresInbox } from '../../../../receiver/inbox/postgres.ts'
import { InboxError } from '../../../../receiver/inbox.ts'
import { startServer } from '../../../support/postgres-server.ts'
import { temporaryFile } from '../../../support/temporary.ts'
import { until } from '../../../support/until.ts'
import { poolOf, serverUrl } from '../databases.ts'
import { openingError } from './errors.ts'

/** Starts a TCP server that is not Postgres. @returns its port */
async function otherServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}

async function canConnect(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

async function opening(pool: Pool): Promise<string> {
  const error: unknown = await postgresInbox({ pool }).catch((refused: unknown) => refused)
  expect(error).toBeInstanceOf(InboxError)
  return String(error)
}

describe('an address without Postgres', () => {
  it('that does not answer fails after the connection timeout', async () => {
    const port = await otherServer(() => {})
    const url = `postgres://u:secret@127.0.0.1:${port}/x`
    expect(await opening(poolOf(url, { connectionTimeoutMillis: 300 }))).toMatch(
      /127\.0\.0\.1:[0-9]+\/x: no answer in time\. Check the host and the port in the URL, the firewall, /,
    )
    const ours = openPool(url)
    expect(ours.options.connectionTimeoutMillis).toBe(5000)
    await ours.end()
  })

  it('that closes the connection is explained', async () => {
    for (const hangUp of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const port = await otherServer((socket) => void socket[hangUp]())
      expect(await openingError(`postgres://u:secret@127.0.0.1:${port}/x`)).toMatch(
        /: the connection was lost\. Check that Postgres listens on the host and the port/,
      )
    }
  })

  it('is named by the defaults when the URL omits it', async () => {
    for (const name of ['PGHOST', 'PGPORT', 'PGDATABASE']) vi.stubEnv(name, '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const names = {
      'postgres://': 'postgres localhost:5432/(no database given)',
      'postgres:///shop': 'postgres localhost:5432/shop',
      'postgres://u:secret@db:6543': 'postgres db:6543/(no database given)',
      'postgres://u:secret@db/shop': 'postgres db:5432/shop',
      'postgres://u:12/secret@db/shop': 'postgres (with a URL that is not valid)',
    }
    for (const [url, name] of Object.entries(names)) expect(nameOf(poolOf(url))).toBe(name)
    expect(nameOf(poolOf('', { connectionString: undefined }))).toBe(
      'postgres localhost:5432/(no database given)',
    )
  })
})

describe('TLS in the URL', () => {
  it.each([
    ['sslmode=require', 'verify-full'],
    ['sslmode=prefer', 'verify-full'],
    ['sslmode=verify-ca', 'verify-full'],
    ['sslmode=require&sslmode=prefer', 'verify-full'],
    ['sslmode=verify-full', 'verify-full'],
    ['sslmode=no-verify', 'no-verify'],
    ['sslmode=disable', 'disable'],
    ['uselibpqcompat=true&sslmode=require', 'require'],
    ['uselibpqcompat=false&sslmode=require', 'verify-full'],
    ['', null],
  ])('%s checks at least as much as the driver', async (parameters, mode) => {
    const pool = openPool(`postgres://u@host/db?${parameters}`)
    expect(new URL(String(pool.options.connectionString)).searchParams.get('sslmode')).toBe(mode)
    await pool.end()
  })

  it.each(['require', 'prefer', 'verify-ca'])('sslmode=%s is explained in one line', async (mode) => {
    const warnings: Error[] = []
    const listener = (warning: Error) => void warnings.push(warning)
    process.on('warning', listener)
    onTestFinished(() => void process.off('warning', listener))
    expect(await openingError(`${serverUrl()}?sslmode=${mode}`)).toMatch(
      /: the server does not support TLS\. Turn on TLS/,
    )
    expect(warnings).toEqual([])
  })

  it.each(['sslrootcert', 'sslcert', 'sslkey'])('%s must be a valid file', async (name) => {
    const errorFor = (path: string) => openingError(`${serverUrl()}?sslmode=verify-full&${name}=${path}`)
    const message = /^inbox: sslrootcert, sslcert and sslkey in the database URL must be files in PEM format/
    const path = temporaryFile('some.pem')
    writeFileSync(path, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    // Node.js ignores a CA certificate that it cannot parse; the handshake then fails.
    const unreadable = ['/none', '/dev/zero', tmpdir()]
    const files = name === 'sslrootcert' ? unreadable : [...unreadable, path]
    for (const file of files) expect(await errorFor(file)).toMatch(message)
  })

  it('that is invalid in a custom pool causes an InboxError', async () => {
    expect(await opening(poolOf(`${serverUrl()}?sslmode=verify-full&sslrootcert=/none`))).toMatch(
      /^InboxError: inbox postgres 127\.0\.0\.1:[0-9]+\/postgres: ENOENT/,
    )
  })

  it('is required by a server that rejects connections without it', async () => {
    const server = await startServer({ durable: false })
    onTestFinished(() => server.remove())
    const admin = poolOf(server.url)
    const { rows } = await admin.query('SHOW hba_file')
    writeFileSync(rows[0].hba_file, 'hostssl all all all password\n')
    await admin.query('SELECT pg_reload_conf()')
    // Existing connections stay open, so wait until a new one is rejected.
    await until(async () => !(await canConnect(server.url)))
    expect(await openingError(server.url)).toMatch(
      /: the server rejects this user\. .* requires TLS, add sslmode=verify-full to the URL/,
    )
  }, 60_000)
})
