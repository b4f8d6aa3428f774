import type { AttemptError } from '../../model.ts'
import { query } from '../rows.ts'
import type { Database } from '../sqlite.ts'
import { IN_STATE } from './events.ts'

/** An attempt as the charts of an endpoint need it. */
export interface AttemptResult {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly durationMs: number
  readonly status: number | null
  readonly error: AttemptError | null
  readonly detail: string | null
}

/** How many of the latest deliveries the charts cover. */
const CHARTED = 1000

/** Prepares a query for the attempts of the latest deliveries of an endpoint, oldest first. */
export function endpointHistory(database: Database): (endpointId: string) => AttemptResult[] {
  const list = query<AttemptResult>(
    database,
    `SELECT a.started_at AS at, a.duration_ms AS durationMs, a.status, a.error, a.detail
     FROM (SELECT id FROM deliveries WHERE endpoint_id = ? ORDER BY seq DESC LIMIT ${CHARTED}) AS d
     JOIN attempts AS a ON a.delivery_id = d.id ORDER BY a.started_at`,
  )
  return (endpointId) => list.all(endpointId)
}

/** Which deliveries of an endpoint to list. */
interface PageOf {
  readonly state: keyof typeof IN_STATE | undefined
  readonly limit: number
  readonly offset: number
}

/** Prepares a query for the ids of an endpoint's deliveries, newest first. @returns up to `limit` from `offset` */
export function endpointDeliveries(database: Database): (endpointId: string, page: PageOf) => string[] {
  return (endpointId, { state, limit, offset }) => {
    const list = query<{ id: string }>(
      database,
      `SELECT d.id FROM deliveries AS d WHERE d.endpoint_id = ? ${state === undefined ? '' : `AND ${IN_STATE[state]}`}
       ORDER BY d.seq DESC LIMIT ? OFFSET ?`,
    )
    return list.all(endpointId, limit, offset).map(({ id }) => id)
  }
}

/** How many deliveries of an endpoint are in each state. */
export type EndpointCounts = Readonly<Record<(typeof COUNTED)[number], number>>

const COUNTED = ['delivered', 'failing', 'failed', 'pending', 'paused', 'cancelled'] as const

/** Prepares a query for the number of an endpoint's deliveries in each state. */
export function endpointCounts(database: Database): (endpointId: string) => EndpointCounts {
  const counts = COUNTED.map(
    (state) =>
      `(SELECT count(*) FROM deliveries AS d WHERE d.endpoint_id = ?1 AND ${IN_STATE[state]}) AS ${state}`,
  )
  const count = query<EndpointCounts>(database, `SELECT ${counts.join(', ')}`)
  return (endpointId) =>
    count.get(endpointId) ?? { delivered: 0, failing: 0, failed: 0, pending: 0, paused: 0, cancelled: 0 }
}
