import type { Mode } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

/** The payment created with an Idempotency-Key, and a hash of the request. */
interface IdempotencyEntry {
  organisationId: string
  mode: Mode
  key: string
  requestHash: Uint8Array
  paymentId: string
  createdAt: number
}

export interface IdempotencyKeys {
  insert: (entry: IdempotencyEntry) => void
  get: (organisationId: string, mode: Mode, key: string) => Omit<IdempotencyEntry, 'key'> | undefined
  /** Deletes entries created before a time, in milliseconds since 1970. */
  purge: (before: number) => void
}

interface Row {
  organisation_id: string
  mode: Mode
  request_hash: Uint8Array
  payment_id: string
  created_at: number
}

/** Prepares the statements on idempotency keys. */
export function idempotencyKeys(database: Database): IdempotencyKeys {
  const insert = command(
    database,
    `INSERT INTO idempotency_keys (organisation_id, mode, key, request_hash, payment_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const get = query<Row>(
    database,
    'SELECT * FROM idempotency_keys WHERE organisation_id = ? AND mode = ? AND key = ?',
  )
  const purge = command(database, 'DELETE FROM idempotency_keys WHERE created_at < ?')
  return {
    insert: ({ organisationId, mode, key, requestHash, paymentId, createdAt }) =>
      void insert(organisationId, mode, key, requestHash, paymentId, createdAt),
    get: (organisationId, mode, key) => {
      const row = get.get(organisationId, mode, key)
      return (
        row && {
          organisationId: row.organisation_id,
          mode: row.mode,
          requestHash: row.request_hash,
          paymentId: row.payment_id,
          createdAt: row.created_at,
        }
      )
    },
    purge: (before) => void purge(before),
  }
}
