import type { ApiCall } from '../../model.ts'
import { query } from '../rows.ts'
import type { Store } from '../store.ts'

/** Which API calls to list, newest first. */
export interface CallFilter {
  readonly organisationId: string
  /** Only responses with status 400 or higher. */
  readonly refused: boolean
  /** Only calls older than this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Prepares a query for the organisation's API calls and those without a known key. */
export function callList({
  database,
  log,
}: Pick<Store, 'database' | 'log'>): (filter: CallFilter) => ApiCall[] {
  const list = query<{ id: number }>(
    database,
    `SELECT id FROM api_log
     WHERE (organisation_id = ? OR organisation_id IS NULL) AND status >= ? AND id < ?
     ORDER BY id DESC LIMIT ?`,
  )
  return ({ organisationId, refused, before = Number.MAX_SAFE_INTEGER, limit }) => {
    log.flush()
    return list
      .all(organisationId, refused ? 400 : 0, before, limit)
      .map(({ id }) => log.get(id))
      .filter((call) => call !== undefined)
  }
}
