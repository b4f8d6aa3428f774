import type { AttemptError } from '../../model.ts'
import { query } from '../rows.ts'
import type { Database } from '../sqlite.ts'

/** The health of a delivery target. */
export interface Recipient {
  readonly url: string
  /** Null for a payment's webhook_url. */
  readonly endpointId: string | null
  readonly delivered: number
  readonly failed: number
  /** Pending or in flight. */
  readonly waiting: number
  /** Acknowledged with a 2xx status other than 200. */
  readonly flagged: number
  /** The last finished attempt; null if there is none. */
  readonly last: {
    readonly at: number
    readonly status: number | null
    readonly error: AttemptError | null
    readonly detail: string | null
    readonly durationMs: number
  } | null
}

interface Row extends Omit<Recipient, 'endpointId' | 'last'> {
  endpoint_id: string | null
  at: number | null
  status: number | null
  error: AttemptError | null
  detail: string | null
  duration_ms: number
}

/** How many of the latest deliveries count: health is about the current state, and a store may hold very many. */
const LATEST = 1000

/** Prepares a query for the health of an organisation's recipients, the most recently used first. */
export function recipients(database: Database): (organisationId: string) => Recipient[] {
  const list = query<Row>(
    database,
    `WITH latest AS (
       SELECT * FROM deliveries WHERE organisation_id = ?1 ORDER BY seq DESC LIMIT ${LATEST}
     ), sums AS (
       SELECT url, endpoint_id, max(seq) AS newest,
         sum(state = 'delivered') AS delivered, sum(state = 'failed') AS failed,
         sum(state IN ('pending', 'in_flight')) AS waiting, sum(flagged) AS flagged
       FROM latest GROUP BY url, endpoint_id
     ), ended AS (
       SELECT l.url, l.endpoint_id, a.*, row_number() OVER (
         PARTITION BY l.url, l.endpoint_id ORDER BY a.started_at DESC, l.seq DESC, a.number DESC
       ) AS nth
       FROM latest AS l JOIN attempts AS a ON a.delivery_id = l.id
     )
     SELECT s.*, e.started_at AS at, e.status, e.error, e.detail, e.duration_ms
     FROM sums AS s LEFT JOIN ended AS e
       ON e.nth = 1 AND e.url = s.url AND e.endpoint_id IS s.endpoint_id
     ORDER BY s.newest DESC`,
  )
  return (organisationId) => list.all(organisationId).map(recipientOf)
}

const recipientOf = (row: Row): Recipient => ({
  url: row.url,
  endpointId: row.endpoint_id,
  delivered: row.delivered,
  failed: row.failed,
  waiting: row.waiting,
  flagged: row.flagged,
  last:
    row.at === null
      ? null
      : { at: row.at, status: row.status, error: row.error, detail: row.detail, durationMs: row.duration_ms },
})
