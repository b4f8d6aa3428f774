import type { AttemptError } from '../../model.ts'
import { query } from '../rows.ts'
import type { Database } from '../sqlite.ts'

/** An attempt as the charts of an endpoint need it. */
export interface AttemptResult {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly durationMs: number
  readonly status: number | null
  readonly error: AttemptError | null
}

/** How many of the latest deliveries the charts cover. */
const CHARTED = 1000

/** Prepares a query for the attempts of the latest deliveries of an endpoint, oldest first. */
export function endpointHistory(database: Database): (endpointId: string) => AttemptResult[] {
  const list = query<AttemptResult>(
    database,
    `SELECT a.started_at AS at, a.duration_ms AS durationMs, a.status, a.error
     FROM (SELECT id FROM deliveries WHERE endpoint_id = ? ORDER BY seq DESC LIMIT ${CHARTED}) AS d
     JOIN attempts AS a ON a.delivery_id = d.id ORDER BY a.started_at`,
  )
  return (endpointId) => list.all(endpointId)
}

/** Prepares a query for the ids of an endpoint's deliveries, newest first. @returns up to `limit` from `offset` */
export function endpointDeliveries(
  database: Database,
): (endpointId: string, page: { limit: number; offset: number }) => string[] {
  const list = query<{ id: string }>(
    database,
    'SELECT id FROM deliveries WHERE endpoint_id = ? ORDER BY seq DESC LIMIT ? OFFSET ?',
  )
  return (endpointId, { limit, offset }) => list.all(endpointId, limit, offset).map(({ id }) => id)
}
