import type { ApiCall } from '../../model.ts'
import { query } from '../rows.ts'
import type { Store } from '../store.ts'

/** Which calls the dashboard lists, newest first. */
export interface CallFilter {
  readonly organisationId: string
  /** Only answers from 400 on. */
  readonly refused: boolean
  /** Only those before this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Prepares the listing of API calls: of the organisation, and those whose key named none. */
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
