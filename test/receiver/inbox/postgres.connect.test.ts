import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nameOf } from '../../../receiver/inbox/postgres/errors.ts'
import { openPool } from '../../../receiver/inbox/postgres/pool.ts'
import { postgresInbox } from '../../../receiver/inbox/postgres.ts'
import { InboxError } from '../../../receiver/inbox.ts'
import { startServer } from '../../support/postgres-server.ts'
import { poolOf, serverUrl } from './databases.ts'
import { openingError } from './postgres-errors.ts'

/** Something that is not Postgres, on a free port. */
async function other(onConnection: (socket: Socket) => void): Promise<number> {
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
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return address.port
}

/** A path in a folder of this test's own. */
function freshPath(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, name)
}

async function opening(pool: Pool): Promise<string> {
  const error: unknown = await postgresInbox({ pool }).catch((refused: unknown) => refused)
  expect(error).toBeInstanceOf(InboxError)
  return String(error)
}

describe('an address without Postgres', () => {
  it('that says nothing is given up after the time of the pool, which is named', async () => {
    const port = await other(() => {})
    const url = `postgres://u:secret@127.0.0.1:${port}/x`
    expect(await opening(poolOf(url, { connectionTimeoutMillis: 300 }))).toMatch(
      /127\.0\.0\.1:[0-9]+\/x: nothing answered within 0\.3 s\. Check the host and the port in the URL, and the firewall\.$/,
    )
    const ours = openPool(url)
    expect(ours.options.connectionTimeoutMillis).toBe(5000)
    await ours.end()
  })

  it('that hangs up is not taken for a Postgres that restarts', async () => {
    for (const hangUp of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const port = await other((socket) => void socket[hangUp]())
      expect(await openingError(`postgres://u:secret@127.0.0.1:${port}/x`)).toMatch(
        /: what answers there ended the connection before any was made\. Check that the host and the port/,
      )
    }
  })

  it('is named in plain words where the URL leaves it out', async () => {
    for (const name of ['PGHOST', 'PGPORT', 'PGDATABASE']) vi.stubEnv(name, '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const names = {
      'postgres://': 'postgres localhost:5432 (no host and no database given)',
      'postgres:///shop': 'postgres localhost:5432/shop (no host given)',
      'postgres://u:secret@db:6543': 'postgres db:6543 (no database given)',
      'postgres://u:secret@db/shop': 'postgres db:5432/shop',
    }
    for (const [url, name] of Object.entries(names)) expect(nameOf(poolOf(url))).toBe(name)
    expect(nameOf(poolOf('', { connectionString: undefined }))).toBe(
      'postgres localhost:5432 (no host and no database given)',
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
  ])('%s checks no less than the driver would', async (parameters, mode) => {
    const pool = openPool(`postgres://u@host/db?${parameters}`)
    expect(new URL(String(pool.options.connectionString)).searchParams.get('sslmode')).toBe(mode)
    await pool.end()
  })

  it.each(['require', 'prefer', 'verify-ca'])('sslmode=%s is told in one line', async (mode) => {
    const warnings: Error[] = []
    const hear = (warning: Error) => void warnings.push(warning)
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    expect(await openingError(`${serverUrl()}?sslmode=${mode}`)).toMatch(
      /: it does not speak TLS\. Turn TLS on/,
    )
    expect(warnings).toEqual([])
  })

  it.each(['sslrootcert', 'sslcert', 'sslkey'])('%s must be a file that can be used', async (name) => {
    const with_ = (path: string) => openingError(`${serverUrl()}?sslmode=verify-full&${name}=${path}`)
    expect(await with_('/none')).toBe(
      `inbox: ${name} in the URL of the database is "/none": there is no such file. Give the path of a PEM file that the receiver may read.`,
    )
    expect(await with_(tmpdir())).toMatch(/: it can not be read \(EISDIR\)\. Give the path of a PEM file/)
    const path = freshPath('some.pem')
    for (const content of ['', 'no PEM', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n']) {
      writeFileSync(path, content)
      expect(await with_(path)).toMatch(new RegExp(`^inbox: ${name} in the URL .* PEM form`))
    }
  })

  it('sslmode=verify-ca as libpq has it needs an authority', async () => {
    expect(await openingError(`${serverUrl()}?uselibpqcompat=true&sslmode=verify-ca`)).toMatch(
      /^inbox: sslmode=verify-ca .* needs sslrootcert.* or give sslmode=verify-full\.$/,
    )
  })

  it('of a pool of your own that can not be used is told as an InboxError, too', async () => {
    expect(await opening(poolOf(`${serverUrl()}?sslmode=verify-full&sslrootcert=/none`))).toMatch(
      /^InboxError: inbox postgres 127\.0\.0\.1:[0-9]+\/postgres: ENOENT/,
    )
  })

  it('is asked for by a server that lets nobody in without', async () => {
    const server = await startServer()
    onTestFinished(() => server.remove())
    const admin = new Pool({ connectionString: server.url })
    const { rows } = await admin.query('SHOW hba_file')
    await admin.end()
    writeFileSync(rows[0].hba_file, 'hostssl all all all password\n')
    await server.stop()
    await server.start()
    expect(await openingError(server.url)).toMatch(
      /: it lets .* with TLS only, .* Add sslmode=verify-full to the URL/,
    )
  }, 60_000)
})
