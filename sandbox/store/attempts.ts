import type { Attempt, AttemptError } from '../model.ts'
import { query } from './rows.ts'
import type { Database } from './sqlite.ts'

interface Row {
  delivery_id: string
  number: number
  started_at: number
  duration_ms: number
  status: number | null
  error: AttemptError | null
  detail: string | null
  request_headers: string
  response_headers: string | null
  response_body: Uint8Array | null
}

/** Recorded attempts; the queue writes them (outbox.ts). */
export interface Attempts {
  /** In order of their numbers. */
  ofDelivery(deliveryId: string): Attempt[]
}

/** Prepares the statements on attempts. */
export function attempts(database: Database): Attempts {
  const ofDelivery = query<Row>(database, 'SELECT * FROM attempts WHERE delivery_id = ? ORDER BY number')
  return { ofDelivery: (deliveryId) => ofDelivery.all(deliveryId).map(attemptOf) }
}

const attemptOf = (row: Row): Attempt => ({
  deliveryId: row.delivery_id,
  number: row.number,
  startedAt: row.started_at,
  durationMs: row.duration_ms,
  status: row.status,
  error: row.error,
  detail: row.detail,
  requestHeaders: JSON.parse(row.request_headers),
  responseHeaders: row.response_headers === null ? null : JSON.parse(row.response_headers),
  responseBody: row.response_body,
})
