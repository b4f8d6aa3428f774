import type { ApiCall } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

/** How many of the latest calls are kept. */
const KEPT = 5_000

/** How long calls wait to be written in one batch, in milliseconds. */
const WAIT_MS = 200

interface Row {
  id: number
  at: number
  method: string
  path: string
  status: number
  duration_ms: number
  organization_id: string | null
  key_id: string | null
  request_body: string | null
  response_body: string | null
}

/** The log of API calls, written in batches: losing the last few entries in a crash does no harm. */
export interface ApiLog {
  add: (call: Omit<ApiCall, 'id'>) => void
  /** Newest first, of every organization. */
  list: (limit: number) => ApiCall[]
  get: (id: number) => ApiCall | undefined
  /** Writes the waiting calls. */
  flush: () => void
  /** Flushes, and ignores later calls. */
  close: () => void
}

/** Prepares the statements on the log. */
export function apiLog(database: Database, transaction: (work: () => void) => void): ApiLog {
  const insert = command(
    database,
    `INSERT INTO api_log (at, method, path, status, duration_ms, organization_id, key_id, request_body, response_body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const trim = command(database, 'DELETE FROM api_log WHERE id <= (SELECT max(id) FROM api_log) - ?')
  const list = query<Row>(database, 'SELECT * FROM api_log ORDER BY id DESC LIMIT ?')
  const get = query<Row>(database, 'SELECT * FROM api_log WHERE id = ?')
  let waiting: Omit<ApiCall, 'id'>[] = []
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const calls = waiting
    waiting = []
    transaction(() => {
      for (const call of calls) {
        const { at, method, path, status, durationMs, organizationId, keyId, requestBody, responseBody } =
          call
        insert(at, method, path, status, durationMs, organizationId, keyId, requestBody, responseBody)
      }
      trim(KEPT)
    })
  }

  function flushOrDiscard(): void {
    try {
      flush()
    } catch {
      // The disk is full: the API calls themselves fail then, and the log may miss them.
    }
  }

  return {
    add: (call) => {
      if (closed) return
      waiting.push(call)
      timer ??= setTimeout(flushOrDiscard, WAIT_MS).unref()
    },
    list: (limit) => {
      flushOrDiscard()
      return list.all(limit).map(callOf)
    },
    get: (id) => {
      flushOrDiscard()
      const row = get.get(id)
      return row && callOf(row)
    },
    flush: flushOrDiscard,
    close: () => {
      flushOrDiscard()
      closed = true
    },
  }
}

const callOf = (row: Row): ApiCall => ({
  id: row.id,
  at: row.at,
  method: row.method,
  path: row.path,
  status: row.status,
  durationMs: row.duration_ms,
  organizationId: row.organization_id,
  keyId: row.key_id,
  requestBody: row.request_body,
  responseBody: row.response_body,
})

/** Which API calls to list, newest first. */
export interface CallFilter {
  readonly organizationId: string
  /** Only responses with status 400 or higher. */
  readonly refused: boolean
  /** Only calls older than this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Prepares a query for the organization's API calls and those without a known key. */
export function callList({
  database,
  log,
}: {
  database: Database
  log: ApiLog
}): (filter: CallFilter) => ApiCall[] {
  const list = query<{ id: number }>(
    database,
    `SELECT id FROM api_log
     WHERE (organization_id = ? OR organization_id IS NULL) AND status >= ? AND id < ?
     ORDER BY id DESC LIMIT ?`,
  )
  return ({ organizationId, refused, before = Number.MAX_SAFE_INTEGER, limit }) => {
    log.flush()
    return list
      .all(organizationId, refused ? 400 : 0, before, limit)
      .map(({ id }) => log.get(id))
      .filter((call) => call !== undefined)
  }
}
