import type { PoolClient } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { connectionOf } from '../../../receiver/inbox/postgres/connection.ts'
import { postgresInbox, postgresLedger } from '../../../receiver/inbox/postgres.ts'
import type { RetryPolicy } from '../../../receiver/inbox/retries.ts'
import { type Database, sqliteInbox, sqliteLedger } from '../../../receiver/inbox/sqlite.ts'
import type { Inbox } from '../../../receiver/inbox.ts'
import { memoryLedger } from '../../../receiver/ledger/memory.ts'
import type { Ledger } from '../../../receiver/orders.ts'
import { type Finished, temporaryFile } from '../../support/temporary.ts'
import { emptySchema, poolOf, serverUrl } from './databases.ts'

/** A new store, closed when the test ends. */
interface TestStore<Transaction> {
  inbox: Inbox<Transaction>
  ledger: Ledger<Transaction>
  /** Runs work in a new transaction. */
  within: <Result>(work: (transaction: Transaction) => Result | Promise<Result>) => Promise<Result>
  /** Inserts a line into a table of the test, within a transaction. The table has no unique constraint. */
  note: (transaction: Transaction, line: string) => unknown
  /** The committed lines, in order. */
  notes: () => Promise<string[]>
  /** Closes the inbox and opens it again with its data; undefined if the store is not durable. */
  reopen?: (options?: StoreOptions) => Promise<TestStore<Transaction>>
}

interface StoreOptions {
  clock?: () => number
  retries?: Partial<RetryPolicy>
}

export interface Backend<Transaction> {
  /** Whether the writes of `transact` are rolled back when it fails. */
  readonly rollsBack: boolean
  /** Whether `transact` may be asynchronous. */
  readonly isAsync: boolean
  /** @param finished registers the cleanup; by default, when the running test is over */
  open(options?: StoreOptions, finished?: Finished): Promise<TestStore<Transaction>>
}

/** Runs the same tests against each kind of inbox, Postgres in `npm run test:system` only. Add a new kind here only. */
export function forEachBackend(
  tests: <Transaction>(name: string, backend: Backend<Transaction>) => void,
): void {
  tests('memory', memory)
  tests('sqlite', sqlite)
  if (inject('postgres') !== undefined) tests('postgres', postgres)
}

const memory: Backend<undefined> = {
  rollsBack: false,
  isAsync: true,
  async open(options) {
    const lines: string[] = []
    return {
      inbox: memoryInbox(options),
      ledger: memoryLedger(),
      within: async (work) => work(undefined),
      note: (_transaction, line) => void lines.push(line),
      notes: async () => lines,
    }
  },
}

const sqlite: Backend<Database> = {
  rollsBack: true,
  isAsync: false,
  open: (options, finished = onTestFinished) =>
    openSqlite(temporaryFile('inbox.sqlite', finished), finished, options),
}

async function openSqlite(
  path: string,
  finished: Finished,
  options?: StoreOptions,
): Promise<TestStore<Database>> {
  const inbox = await sqliteInbox({ path, ...options })
  const { database } = inbox
  let open = true
  const close = async () => {
    if (open) await inbox.close()
    open = false
  }
  finished(close)
  database.exec('CREATE TABLE IF NOT EXISTS notes (line TEXT)')
  /** A connection has one transaction at a time. */
  let last: Promise<unknown> = Promise.resolve()
  return {
    inbox,
    ledger: sqliteLedger(database),
    within(work) {
      const done = last.then(async () => {
        database.exec('BEGIN IMMEDIATE')
        try {
          return await work(database)
        } finally {
          database.exec('COMMIT')
        }
      })
      last = done.catch(() => {})
      return done
    },
    note: (transaction, line) => transaction.prepare('INSERT INTO notes VALUES (?)').run(line),
    notes: async () =>
      database
        .prepare('SELECT line FROM notes ORDER BY rowid')
        .all()
        .map(({ line }: { line: string }) => line),
    async reopen(again = options) {
      await close()
      return openSqlite(path, finished, again)
    },
  }
}

const postgres: Backend<PoolClient> = {
  rollsBack: true,
  isAsync: true,
  open: (options, finished = onTestFinished) => openPostgres(emptySchema(finished), finished, options),
}

async function openPostgres(
  schema: string,
  finished: Finished,
  options?: StoreOptions,
): Promise<TestStore<PoolClient>> {
  const pool = poolOf(serverUrl(), {}, finished)
  const inbox = await postgresInbox({ pool, schema, ...options })
  finished(() => inbox.close())
  await pool.query(`CREATE TABLE IF NOT EXISTS ${schema}.notes (id serial, line text)`)
  return {
    inbox,
    ledger: postgresLedger({ pool, schema }),
    within: (work) => connectionOf(pool).transaction(async (client) => work(client)),
    note: (client, line) => client.query(`INSERT INTO ${schema}.notes (line) VALUES ($1)`, [line]),
    async notes() {
      const { rows } = await pool.query<{ line: string }>(`SELECT line FROM ${schema}.notes ORDER BY id`)
      return rows.map(({ line }) => line)
    },
    async reopen(again = options) {
      await inbox.close()
      return openPostgres(schema, finished, again)
    },
  }
}
