import type { ApiCall } from '../model.ts'
import { containing } from './payments.ts'
import { statements, tableOf } from './rows.ts'
import type { Database } from './sqlite.ts'

/** How many of the latest calls are kept. */
const KEPT = 5_000
const WAIT_MS = 200

type CallFilter = {
  readonly organizationId: string
  /** Only responses with status 400 or higher. */
  readonly refused?: boolean
  /** Only calls that have this text in their method, path, status, request or response. */
  readonly text?: string | undefined
  /** Only calls older than this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** The log of API calls, written in batches: losing the last few entries in a crash does no harm. */
export function apiLog(database: Database, transaction: (work: () => void) => void) {
  const table = tableOf<ApiCall, 'id'>(database, 'api_log')
  const { run } = statements(database)
  let waiting: Omit<ApiCall, 'id'>[] = []
  let timer: NodeJS.Timeout | undefined
  let closed = false

  /** Writes the waiting calls. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const calls = waiting
    waiting = []
    try {
      transaction(() => {
        for (const call of calls) table.insert(call)
        run('DELETE FROM api_log WHERE id <= (SELECT max(id) FROM api_log) - ?', KEPT)
      })
    } catch {
      // The disk is full: the API calls themselves fail then, and the log may miss them.
    }
  }

  return {
    add: (call: Omit<ApiCall, 'id'>) => {
      if (closed) return
      waiting.push(call)
      timer ??= setTimeout(flush, WAIT_MS).unref()
    },
    /** The organization's calls, and those without a known key. */
    list: ({ organizationId, refused, text = '', before = Number.MAX_SAFE_INTEGER, limit }: CallFilter) => {
      flush()
      return table.all(
        `WHERE (organization_id = ? OR organization_id IS NULL) AND status >= ? AND id < ?
           AND (method || ' ' || path || ' ' || status LIKE ? ESCAPE '\\'
             OR request_body LIKE ? ESCAPE '\\' OR response_body LIKE ? ESCAPE '\\')
         ORDER BY id DESC LIMIT ?`,
        organizationId,
        refused ? 400 : 0,
        before,
        ...[1, 2, 3].map(() => containing(text)),
        limit,
      )
    },
    flush,
    /** Flushes, and ignores later calls. */
    close: () => {
      flush()
      closed = true
    },
  }
}
