import type { QueryResultRow } from 'pg'
import type { Entry, EntryState } from '../../inbox.ts'
import { LAST_ATTEMPT_INTERRUPTED } from '../retries.ts'
import { fromColumn } from '../text.ts'
import type { Schema } from './names.ts'
import { numberOf } from './numbers.ts'

type JobState = 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed'

/** A row of the inbox joined with its job. */
export interface EntryRow extends QueryResultRow {
  id: string
  key: string
  payment_id: string
  event: string
  body: Buffer
  signed_at: string
  received_at: string
  /** The number of the attempt that handled it; its job is then deleted. */
  handled_in: number | null
  job_state: JobState | null
  has_started: boolean | null
  retry_count: number | null
  start_after: Date | null
  reason: string | null
  has_output: boolean | null
}

const STORED = 'e.id, e.key, e.payment_id, e.event, e.body, e.signed_at, e.received_at, e.handled_in'

/** A SELECT of the columns of EntryRow. */
export const selectEntries = ({ ours, queue }: Schema): string => `
  SELECT ${STORED}, j.state AS job_state, j.started_on IS NOT NULL AS has_started, j.retry_count, j.start_after,
    j.output->>'reason' AS reason, j.output IS NOT NULL AS has_output
  FROM ${ours}.inbox e LEFT JOIN ${queue}.job j ON j.name = 'inbox' AND j.id = e.id`

/**
 * The same for the jobs that pg-boss has just fetched, earliest due first. If Postgres crashes and forgets the claim,
 * nothing is lost, so the commit does not wait for the disk.
 */
export const selectFetched = ({ ours }: Schema, fetched: string): string => `
  SELECT ${STORED}, j.state AS job_state, true AS has_started, j."retryCount" AS retry_count, j."startAfter" AS start_after,
    j.output->>'reason' AS reason, j.output IS NOT NULL AS has_output, set_config('synchronous_commit', 'off', true)
  FROM ${fetched} j JOIN ${ours}.inbox e ON e.id = j.id ORDER BY j."startAfter"`

/** The job states for each entry state. A job that someone cancelled in the queue counts as dead. */
export const JOB_STATES: Readonly<Record<Exclude<EntryState, 'done'>, readonly JobState[]>> = {
  pending: ['created', 'retry'],
  processing: ['active'],
  dead: ['failed', 'cancelled', 'completed'],
}

/** Converts a row to an entry. */
export function entryOf(row: EntryRow): Entry {
  const state = stateOf(row)
  const open = state === 'pending' || state === 'processing'
  return {
    id: numberOf(row.id),
    idempotencyKey: row.key,
    paymentId: fromColumn(row.payment_id),
    name: fromColumn(row.event),
    body: row.body,
    signedAt: Number(row.signed_at),
    receivedAt: Number(row.received_at),
    state,
    attempts: row.handled_in ?? (row.has_started === true ? (row.retry_count ?? 0) + 1 : 0),
    // Jobs that are due at once start before 1970.
    dueAt: open ? Math.max(0, row.start_after?.getTime() ?? 0) : 0,
    lastError: lastErrorOf(row),
  }
}

function stateOf({ handled_in: handledIn, job_state: jobState }: EntryRow): EntryState {
  if (handledIn !== null) return 'done'
  if (jobState === 'created' || jobState === 'retry') return 'pending'
  return jobState === 'active' ? 'processing' : 'dead'
}

function lastErrorOf({ reason, has_output: hasOutput }: EntryRow): string | undefined {
  if (reason !== null) return fromColumn(reason)
  // pg-boss writes an output without our reason when an attempt was abandoned.
  return hasOutput === true ? LAST_ATTEMPT_INTERRUPTED : undefined
}
