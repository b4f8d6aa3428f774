import type { AttemptError } from '../model.ts'
import { IN_STATE } from './events.ts'
import { statements } from './rows.ts'
import type { Database } from './sqlite.ts'

export interface DeliveryCounts {
  readonly delivered: number
  readonly failed: number
  /** An attempt failed, and another is due. */
  readonly failing: number
  /** No attempt has failed yet. */
  readonly pending: number
  readonly paused: number
}

export interface AttemptResult {
  /** When it started, in milliseconds since 1970. */
  readonly at: number
  readonly durationMs: number
  readonly status: number | null
  readonly error: AttemptError | null
  readonly detail: string | null
  /** 1 if chaos made the attempt wrong, so that its result says nothing about the receiver's health. */
  readonly onPurpose: 0 | 1
}

const RESULT = `a.started_at AS at, a.duration_ms AS durationMs, a.status, a.error, a.detail,
  a.number <= d.faulty_attempts AS onPurpose`

export interface Recipient extends DeliveryCounts {
  readonly url: string
  /** Null for a payment's webhook_url. */
  readonly endpointId: string | null
  /** Ended after attempts that were all wrong on purpose. */
  readonly faulty: number
  /** The last finished attempt of its latest deliveries, of those that were not wrong on purpose if there are any; null if there is none. */
  readonly last: AttemptResult | null
}

/** How many recipients are listed: each payment may have its own webhook_url. */
const LISTED = 50
/** How far back the last attempt is searched, in deliveries of any recipient. */
const LATEST = 1000

/** Prepares a query for the health of an organization's recipients, the most recently used first. */
export function recipients(database: Database): (organizationId: string) => Recipient[] {
  const { all } = statements(database)
  return (organizationId) =>
    all<Omit<Recipient, 'last'> & { newest: number }>(SUMS, organizationId).map(
      ({ newest, ...recipient }) => {
        const { url, endpointId } = recipient
        return {
          ...recipient,
          last: all<AttemptResult>(LAST, organizationId, url, endpointId, newest)[0] ?? null,
        }
      },
    )
}

/**
 * All deliveries count; the index deliveries_counted has everything that this needs. A sum for each of them would take
 * twice as long as one for each group.
 */
const SUMS = `SELECT url, endpoint_id AS endpointId, max(newest) AS newest,
    sum(iif(state = 'delivered', n, 0)) AS delivered, sum(iif(${IN_STATE.failed}, n, 0)) AS failed,
    sum(iif(${IN_STATE.faulty}, n, 0)) AS faulty,
    sum(iif(state = 'paused', n, 0)) AS paused,
    sum(iif(${IN_STATE.failing}, n, 0)) AS failing, sum(iif(${IN_STATE.pending}, n, 0)) AS pending
  FROM (SELECT url, endpoint_id, state, attempts, faulty_attempts, count(*) AS n, max(seq) AS newest FROM deliveries
    WHERE organization_id = ? GROUP BY url, endpoint_id, state, attempts, faulty_attempts) AS d
  GROUP BY url, endpoint_id ORDER BY newest DESC LIMIT ${LISTED}`

const LAST = `SELECT ${RESULT} FROM (
    SELECT id, seq, faulty_attempts FROM deliveries NOT INDEXED
    WHERE organization_id = ?1 AND url = ?2 AND endpoint_id IS ?3 AND seq > ?4 - ${LATEST}
  ) AS d JOIN attempts AS a ON a.delivery_id = d.id
  ORDER BY onPurpose, a.started_at DESC, d.seq DESC, a.number DESC LIMIT 1`

/** How many of the latest deliveries the charts cover. */
const CHARTED = 1000

/** The attempts of the latest deliveries of an endpoint, oldest first. */
export const endpointHistory = (database: Database, endpointId: string): AttemptResult[] =>
  statements(database).all<AttemptResult>(
    `SELECT ${RESULT}
     FROM (SELECT id, faulty_attempts FROM deliveries WHERE endpoint_id = ? ORDER BY seq DESC LIMIT ${CHARTED}) AS d
     JOIN attempts AS a ON a.delivery_id = d.id ORDER BY a.started_at`,
    endpointId,
  )

/** The ids of an endpoint's deliveries, newest first. @returns up to `limit` from `offset` */
export function endpointDeliveries(
  database: Database,
  endpointId: string,
  { state, limit, offset }: { state: keyof typeof IN_STATE | undefined; limit: number; offset: number },
): string[] {
  const rows = statements(database).all<{ id: string }>(
    `SELECT d.id FROM deliveries AS d WHERE d.endpoint_id = ? ${state === undefined ? '' : `AND ${IN_STATE[state]}`}
     ORDER BY d.seq DESC LIMIT ? OFFSET ?`,
    endpointId,
    limit,
    offset,
  )
  return rows.map(({ id }) => id)
}

const NO_DELIVERIES = {
  delivered: 0,
  failing: 0,
  failed: 0,
  faulty: 0,
  pending: 0,
  paused: 0,
  canceled: 0,
}

/** How many deliveries of an endpoint are in each state. */
export function endpointCounts(database: Database, endpointId: string): typeof NO_DELIVERIES {
  const states = Object.keys(NO_DELIVERIES) as (keyof typeof NO_DELIVERIES)[]
  const counts = states.map(
    (state) =>
      `(SELECT count(*) FROM deliveries AS d WHERE d.endpoint_id = ?1 AND ${IN_STATE[state]}) AS ${state}`,
  )
  const sql = `SELECT ${counts.join(', ')}`
  return statements(database).all<typeof NO_DELIVERIES>(sql, endpointId)[0] ?? NO_DELIVERIES
}
